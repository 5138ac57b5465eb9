import { describe, expect, it } from 'vitest';
import { a2a, broken, type Case, findingsOf, judge, type Story, unseen } from './story.sample.ts';
import { walks } from './walks.ts';

const three = (s: Story) => s.create('a', 1n).create('b', 2n).create('c', 3n);

const cases: readonly Case[] = [
  {
    what: 'a task appears on two pages',
    breaks: ['WALK-1', 'WALK-5'],
    wrong: (s) => s.create('a').page('w', 'a', { next: 't' }).page('w', 'a', { next: 'u' }).page('w', ''),
    right: (s) => s.create('a').create('b').page('w', 'b', { next: 't' }).page('w', 'a', { next: '' }),
    judges: unseen,
  },
  {
    what: 'a task that was written meanwhile appears again',
    breaks: ['WALK-1', 'WALK-2'],
    wrong: (s) => three(s).page('w', 'c b', { size: 2 }).replace('b', 4n).page('w', 'b a'),
    right: (s) => three(s).page('w', 'c b', { size: 2 }).replace('b', 4n).page('w', 'a'),
  },
  {
    what: 'a task is passed and not shown',
    breaks: ['WALK-3'],
    wrong: (s) => three(s).page('w', 'c', { size: 1 }).page('w', 'a'),
    right: (s) => three(s).page('w', 'c', { size: 1 }).page('w', 'b').page('w', 'a'),
  },
  {
    what: 'the rest is lost once the boundary task was written',
    breaks: ['WALK-3'],
    wrong: (s) => s.create('a').create('b').page('w', 'b', { next: 't' }).replace('b').page('w', '', { next: '' }),
    right: (s) => s.create('a').create('b').page('w', 'b', { next: 't' }).replace('b').page('w', 'a', { next: '' }),
    judges: unseen,
  },
  {
    what: 'a deleted task appears',
    breaks: ['WALK-4', 'COUNT-1', 'SNAP-2'],
    wrong: (s) => s.create('a').create('b').delete('a').page('w', 'b a', { total: 2 }),
    right: (s) => s.create('a').create('b').delete('a').page('w', 'b'),
    judges: unseen,
  },
];

describe('a walk', () => {
  it.each(cases)('$breaks: $what', ({ wrong, right, breaks, judges }) => {
    expect(judge(wrong, judges).broken).toEqual([...breaks].sort());
    expect(judge(right, judges).broken).toEqual([]);
    expect(judge(right, judges).witnesses(breaks[0])).toBeGreaterThan(0);
  });

  it('that failed is a prefix: only what lies above its last boundary is judged for loss', () => {
    const cut = (ids: string) =>
      judge((s) =>
        three(s)
          .page('w', ids, { size: 2 })
          .refused({ op: 'list', walk: 'w3', page: 1, token: 't', tokenFrom: 3 }, 'internal'),
      );
    expect(cut('c b').broken).toEqual(['TOKEN-1', 'TOKEN-2']);
    expect(cut('c a').broken).toContain('WALK-3');
  });

  it('under A2A may show a task again where it was written and its status time did not advance', () => {
    const again = (to: string) =>
      judge(
        (s) =>
          s
            .create('a', undefined, { timestamp: '2001-01-01T00:00:00Z' })
            .create('b', undefined, { timestamp: '2002-01-01T00:00:00Z' })
            .page('w', 'b', { next: 't' })
            .replace('b', undefined, { timestamp: to })
            .page('w', 'a', { next: 'u' })
            .page('w', 'b', { next: '' }),
        a2a,
      ).broken;
    expect(again('2000-01-01T00:00:00Z')).toEqual([]);
    expect(again('2002-01-01T00:00:00Z')).toEqual([]);
    expect(again('2003-01-01T00:00:00Z')).toEqual(['WALK-1']);
  });
});

type Tell = (s: Story) => unknown;
const entriesOf = (rule: string, tell: Tell, judges = {}) =>
  findingsOf(tell, rule, judges).map(({ entries }) => entries);
/** The numbers of the lines of Then. */
const thenOf = (rule: string, tell: Tell, judges = {}) =>
  findingsOf(tell, rule, judges).map(({ then }) => then.map((line) => Number(/^#(\d+)/.exec(line)?.[1])));
const lost = (tell: Tell, judges = {}) => broken(tell, judges).includes('WALK-3');
const intruding = (tell: Tell) => broken(tell).includes('WALK-4');

describe('the check of walks', () => {
  it('judges three rules, and nothing that the harness scribbled into', () => {
    expect(walks.rules).toEqual(['WALK-1', 'WALK-3', 'WALK-4']);
    const scribbled: Tell = (s) => {
      s.tampered = true;
      three(s).page('w', 'c c');
    };
    expect(broken(scribbled)).not.toContain('WALK-1');
  });

  it('counts for WALK-1 what is shown after something else', () => {
    expect(judge((s) => s.create('a', 1n).page('w', 'a')).witnesses('WALK-1')).toBe(0);
    expect(judge((s) => three(s).page('w', 'c b', { size: 2 }).page('w', 'a')).witnesses('WALK-1')).toBe(2);
  });

  it('counts for WALK-3 the tasks that a walk has passed, or all once it ended', () => {
    expect(judge((s) => three(s).page('w', 'c', { size: 1 })).witnesses('WALK-3')).toBe(1);
    expect(judge((s) => three(s).page('w', 'c b a')).witnesses('WALK-3')).toBe(3);
    expect(judge((s) => s.create('a').page('w', 'a', { next: 't' }), unseen).witnesses('WALK-3')).toBe(0);
  });
});

describe('a task that a walk shows again', () => {
  it('is proved by both pages and by what was written, once', () => {
    const again: Tell = (s) => three(s).page('w', 'c b', { size: 2 }).replace('b', 4n).page('w', 'b a');
    expect(entriesOf('WALK-1', again)).toEqual([[1, 3, 4, 5]]);
    expect(thenOf('WALK-1', again)).toEqual([[3, 5]]);
    expect(entriesOf('WALK-1', (s) => three(s).page('w', 'c c c'))).toEqual([[2, 3]]);
    expect(thenOf('WALK-1', (s) => three(s).page('w', 'c c c'))).toEqual([[3]]);
  });

  it('may be one that never stood', () => {
    expect(broken((s) => three(s).page('w', 'x c x'))).toContain('WALK-1');
    expect(broken((s) => three(s).page('w', 'x c x'), a2a)).toContain('WALK-1');
  });

  it('under A2A is wrong where it was not written, and where it got a status time', () => {
    const stamp = { timestamp: '2002-01-01T00:00:00Z' };
    const shown = (first: object, write: (s: Story) => Story) => (s: Story) =>
      write(s.create('a').create('b', undefined, first).page('w', 'b', { next: 't' }))
        .page('w', 'a', { next: 'u' })
        .page('w', 'b', { next: '' });
    const again = (tell: Tell) => broken(tell, a2a).includes('WALK-1');
    expect(again(shown(stamp, (s) => s))).toBe(true);
    expect(again(shown(stamp, (s) => s.replace('b')))).toBe(false);
    expect(again(shown({}, (s) => s.replace('b', undefined, stamp)))).toBe(true);
  });
});

describe('a task that a walk loses', () => {
  it('is proved by its writes, by what happened during the walk, and by the pages', () => {
    const begun = (s: Story) => three(s).page('w', 'c', { size: 1 }).create('d', 9n);
    expect(entriesOf('WALK-3', (s) => begun(s).page('w', 'a').create('e', 10n))).toEqual([[1, 3, 4, 5]]);
    const later: Tell = (s) => begun(s).page('w', 'a', { next: 't' }).create('e', 10n).page('w', '', { next: '' });
    expect(entriesOf('WALK-3', later)).toEqual([[1, 3, 4, 5, 6, 7]]);
    expect(thenOf('WALK-3', later)).toEqual([[5]]);
  });

  it('is one that the last key has passed, where the walk goes no further', () => {
    const four = (s: Story) => s.create('z', 0n).create('a', 1n).create('b', 2n).create('c', 3n);
    expect(lost((s) => four(s).page('w', 'c a', { size: 2 }))).toBe(true);
    expect(lost((s) => four(s).page('w', 'c b', { size: 2 }))).toBe(false);
    expect(lost((s) => four(s).page('w', 'c a', { size: 2 }), { order: 'status-timestamp' })).toBe(false);
    expect(lost((s) => four(s).page('w', 'c', { size: 1 }).page('w', 'a'))).toBe(true);
  });

  it('is not told by a list in another order, nor by a key that is not known', () => {
    const five = (s: Story) => s.create('z', 0n).create('a', 1n).create('b', 2n).create('c', 3n).create('d', 4n);
    expect(lost((s) => five(s).page('w', 'a b', { size: 2, next: 't' }))).toBe(false);
    expect(lost((s) => five(s).page('w', 'b b', { size: 2, next: 't' }))).toBe(false);
    expect(lost((s) => five(s).page('w', 'd', { size: 1 }).page('w', 'a b', { next: 't' }))).toBe(false);
    expect(lost((s) => five(s).page('w', 'd', { size: 1 }).page('w', 'a', { next: 't' }))).toBe(true);
    expect(lost((s) => five(s).page('w', 'd x', { size: 2, next: 't' }))).toBe(false);
  });

  it('may stand on the very millisecond from which its filter selects', () => {
    const filter = { after: '2001-01-01T00:00:00Z' };
    const at = (timestamp: string) => (s: Story) => s.create('a', 1n, { timestamp }).page('w', '', { filter });
    expect(lost(at('2001-01-01T00:00:00.000500Z'))).toBe(false);
    expect(lost(at('2001-01-01T00:00:00.001Z'))).toBe(true);
    expect(lost((s) => s.create('a', 1n, { context: 'd' }).page('w', '', { filter: { context: 'd' } }))).toBe(true);
  });

  it('is still one where a delete of it failed', () => {
    const failed = (s: Story) => three(s).refused({ op: 'delete', id: 'b' }, 'internal');
    expect(lost((s) => failed(s).page('w', 'c a', { next: '' }))).toBe(true);
    expect(lost((s) => three(s).delete('b').page('w', 'c a', { next: '' }))).toBe(false);
  });

  it('is judged for each filter by itself', () => {
    const two = (s: Story) => s.create('a', 1n, { context: 'd' }).create('b', 2n);
    const filter = { context: 'd' };
    expect(broken((s) => two(s).page('w', 'a', { filter }).page('v', 'b a'))).toEqual([]);
    expect(lost((s) => two(s).page('w', 'a', { filter }).page('v', 'a', { next: '' }))).toBe(true);
  });
});

describe('a task that a walk should not show', () => {
  it('is proved by its writes and by the pages', () => {
    const gone: Tell = (s) => s.create('a').create('b').delete('a').page('w', 'b a', { total: 2 });
    expect(entriesOf('WALK-4', gone, unseen)).toEqual([[0, 2, 3]]);
    expect(thenOf('WALK-4', gone, unseen)).toEqual([[3]]);
    expect(entriesOf('WALK-4', (s) => s.create('a').page('w', 'x a'), unseen)).toEqual([[1]]);
  });

  it('is for FILTER-1 to tell where it stands', () => {
    const other: Tell = (s) => s.create('a', 1n).page('w', 'a', { filter: { context: 'd' } });
    expect(broken(other)).toContain('FILTER-1');
    expect(intruding(other)).toBe(false);
  });
});

describe('a walk of one caller', () => {
  const caller = 'alice';
  const access = (s: Story, id: string, allowed: boolean, whose = caller): Story => {
    s.add({ op: 'access', id, caller: whose, allowed }, { kind: 'done' });
    return s;
  };
  const scope = (s: Story, contexts: readonly string[] | 'all', whose = caller): Story => {
    s.add({ op: 'scope', caller: whose, contexts }, { kind: 'done' });
    return s;
  };
  const shows = (s: Story, ids: string) => s.page('w', ids, { caller, next: '' });

  it('shows what it may access, and nothing else', () => {
    expect(intruding((s) => shows(access(three(s), 'b', false), 'c b a'))).toBe(true);
    expect(lost((s) => shows(access(three(s), 'b', false), 'c a'))).toBe(false);
    expect(lost((s) => shows(access(access(three(s), 'b', false), 'b', true), 'c a'))).toBe(true);
    expect(lost((s) => shows(access(three(s), 'b', false, 'bob'), 'c a'))).toBe(true);
    expect(lost((s) => shows(access(three(s), 'a', false), 'c'))).toBe(true);
    expect(lost((s) => shows(three(access(s, 'b', false)), 'c a'))).toBe(false);
  });

  it('may or may not show what was revoked or granted between its pages', () => {
    const begun = (s: Story) => s.page('w', 'c', { size: 1, caller });
    expect(lost((s) => access(begun(three(s)), 'b', false).page('w', 'a', { next: '' }))).toBe(false);
    expect(lost((s) => access(begun(three(s)), 'b', true).page('w', 'a', { next: '' }))).toBe(false);
    expect(lost((s) => access(begun(three(s)), 'a', false).page('w', 'a', { next: '' }))).toBe(true);
    expect(lost((s) => access(begun(three(s)), 'b', false, 'bob').page('w', 'a', { next: '' }))).toBe(true);
    expect(intruding((s) => access(begun(access(three(s), 'b', false)), 'b', true).page('w', 'b a'))).toBe(false);
  });

  it('shows what its scope covers, and nothing else', () => {
    const two = (s: Story) => s.create('a', 1n, { context: 'd' }).create('b', 2n, { context: 'e' });
    expect(intruding((s) => shows(scope(two(s), ['d']), 'b a'))).toBe(true);
    expect(lost((s) => shows(scope(two(s), ['d']), 'a'))).toBe(false);
    expect(lost((s) => shows(scope(two(s), ['d']), ''))).toBe(true);
    expect(lost((s) => shows(scope(two(s), ['d'], 'bob'), 'a'))).toBe(true);
    expect(lost((s) => shows(scope(scope(two(s), ['d']), 'all'), 'a'))).toBe(true);
  });

  it('is judged by what stood when access changed, not by what came later', () => {
    const hidden = (s: Story) => shows(access(three(s), 'b', false), 'c a');
    expect(lost((s) => hidden(s).delete('b'))).toBe(false);
    const filter = { context: 'd' };
    const granted = (s: Story) => access(s.create('a', 1n, { context: 'd' }), 'a', true);
    const moved: Tell = (s) => granted(s).page('w', '', { caller, filter }).replace('a', 2n, { context: 'e' });
    expect(lost(moved)).toBe(true);
  });

  it('does not miss a task that was deleted before access to its id was granted', () => {
    const granted = (s: Story) => access(access(s.create('a', 1n).create('b', 2n), 'a', false), 'a', true);
    expect(lost((s) => shows(access(s.create('a', 1n).create('b', 2n).delete('a'), 'a', true), 'b'))).toBe(false);
    expect(lost((s) => shows(granted(s).delete('a'), 'b'))).toBe(false);
    expect(lost((s) => shows(granted(s), 'b'))).toBe(true);
    expect(lost((s) => shows(scope(granted(s).delete('b'), 'all'), 'a'))).toBe(false);
    expect(lost((s) => shows(scope(granted(s).delete('b').create('b', 3n), 'all'), 'a'))).toBe(true);
  });
});
