import { describe, expect, it } from 'vitest';
import { encodePageToken } from '../../models/page-token.ts';
import { a2a, broken, type Case, findingsOf, judge, type Story, unseen } from './story.sample.ts';
import { walkShape } from './walk-shape.ts';

const three = (s: Story) => s.create('a', 1n).create('b', 2n).create('c', 3n);
const v1After = (id: string, lastUpdatedMicros: bigint) => encodePageToken({ id, lastUpdatedMicros })!;

const cases: readonly Case[] = [
  {
    what: 'keys ascend from one page to the next',
    breaks: ['WALK-2'],
    wrong: (s) =>
      three(s)
        .page('w', 'c', { size: 1 })
        .replace('a', 4n)
        .page('w', 'a', { next: v1After('a', 4n) })
        .page('w', 'b'),
    right: (s) => three(s).page('w', 'c', { size: 1 }).replace('a', 4n).page('w', 'b', { next: '' }),
  },
  {
    what: 'an empty page carries a token',
    breaks: ['WALK-5', 'TOKEN-6'],
    wrong: (s) => s.create('a').page('w', '', { filter: { context: 'd' }, next: 't' }),
    right: (s) => s.create('a').page('w', '', { filter: { context: 'd' }, next: '' }),
    judges: unseen,
  },
  {
    what: 'a quiet walk does not end',
    breaks: ['WALK-5', 'WALK-1'],
    wrong: (s) =>
      s.create('a').page('w', 'a', { next: 't' }).page('w', 'a', { next: 't' }).page('w', 'a', { next: 't' }),
    right: (s) => s.create('a').page('w', 'a', { next: 't' }).page('w', ''),
    judges: unseen,
  },
  {
    what: 'an empty page follows a full last one',
    breaks: ['WALK-6'],
    wrong: (s) =>
      s
        .create('a', 1n)
        .create('b', 2n)
        .page('w', 'b a', { size: 2, next: v1After('a', 1n) })
        .page('w', ''),
    right: (s) => three(s).page('w', 'c b', { size: 2 }).page('w', 'a'),
  },
  {
    what: 'another page size gives another order',
    breaks: ['WALK-6', 'ORDER-2'],
    wrong: (s) => s.create('a').create('b').page('w', 'a b').page('w', 'b a'),
    right: (s) => s.create('a').create('b').page('w', 'a b').page('w', 'a', { next: 't' }).page('w', 'b', { next: '' }),
    judges: unseen,
  },
];

describe('the shape of a walk', () => {
  it.each(cases)('$breaks: $what', ({ wrong, right, breaks, judges }) => {
    expect(judge(wrong, judges).broken).toEqual([...breaks].sort());
    expect(judge(right, judges).broken).toEqual([]);
    expect(judge(right, judges).witnesses(breaks[0])).toBeGreaterThan(0);
  });
});

const legacy = { ...unseen, order: 'creation' } as const;

describe('the check of walks', () => {
  it('judges three rules', () => {
    expect(walkShape.rules).toEqual(['WALK-2', 'WALK-5', 'WALK-6']);
  });

  it('judges nothing that the harness scribbled into', () => {
    const told = broken((s) => {
      s.tampered = true;
      s.create('a', 1n).create('b', 2n).page('w', 'a b');
    });
    expect(told).not.toContain('WALK-2');
  });

  it('leaves disturbed walks alone where lists run by creation', () => {
    const endless = (s: Story) => s.page('w', '', { next: 't' });
    const disturbed = (s: Story) => endless(s.create('a').page('w', 'a', { next: 't' }).replace('a'));
    expect(broken((s) => endless(s.create('a').page('w', 'a', { next: 't' })), legacy)).toContain('WALK-5');
    expect(broken(disturbed, legacy)).not.toContain('WALK-5');
    expect(broken(disturbed, unseen)).toContain('WALK-5');
  });

  it('asks for descending keys only where lists run by them', () => {
    const ascending = (s: Story) => s.create('a', 1n).create('b', 2n).page('w', 'a b');
    expect(broken(ascending)).toContain('WALK-2');
    expect(broken(ascending, { order: 'status-timestamp' })).not.toContain('WALK-2');
  });
});

describe('keys that do not descend', () => {
  it('are proved by what was shown, and where', () => {
    const inOne = findingsOf((s) => three(s).page('w', 'b c', { next: '' }), 'WALK-2');
    expect(inOne.map(({ entries }) => entries)).toEqual([[1, 2, 3]]);
    const onTwo = findingsOf((s) => three(s).page('w', 'b', { size: 1 }).page('w', 'c', { next: '' }), 'WALK-2');
    expect(onTwo.map(({ entries }) => entries)).toEqual([[1, 2, 3, 4]]);
    expect(onTwo[0]?.marks).toEqual([{ id: 'c', how: 'misplaced', entry: 4 }]);
  });

  it('may be equal ones', () => {
    expect(broken((s) => s.create('a', 1n).page('w', 'a a'))).toContain('WALK-2');
  });

  it('are of tasks that stand, and whose time is known', () => {
    const cursors = [['b', 2n] as const, ['x', 9n] as const, ['a', 1n] as const];
    const phantom = (s: Story) => s.create('a', 1n).create('b', 2n).page('w', 'b x a', { cursors });
    expect(broken(phantom)).toContain('WALK-4');
    expect(broken(phantom)).not.toContain('WALK-2');
    const unknown = (s: Story) => s.create('c', 3n).create('b').create('a', 1n).page('w', 'c b a', { cursors: 'none' });
    expect(judge(unknown).witnesses('WALK-2')).toBe(1);
  });
});

describe('a walk that does not end', () => {
  it('is proved by the empty page that goes on', () => {
    const told = findingsOf(
      (s) => s.create('a').page('w', 'a', { next: 't' }).page('w', '', { next: 't' }),
      'WALK-5',
      unseen,
    );
    expect(told.map(({ entries }) => entries)).toEqual([[1, 2]]);
    expect(told[0]?.then).toHaveLength(1);
  });

  it('is one longer than what was left when the last disturbance was over, and a page', () => {
    const four = (s: Story) => s.create('a').create('b').create('c').create('d').page('w', 'd', { next: 't' });
    const calm = (s: Story) => four(s).page('w', 'c', { next: 't' }).delete('c').delete('d');
    const pages = (s: Story, many: number) => {
      for (let page = 0; page < many; page++) s.page('w', 'b', { next: 't' });
    };
    expect(findingsOf((s) => pages(calm(s), 3), 'WALK-5', unseen)).toEqual([]);
    const told = findingsOf((s) => pages(calm(s), 6), 'WALK-5', unseen);
    expect(told.map(({ saw, entries }) => [saw.replace(/^walk \w+ /, ''), entries])).toEqual([
      ['takes 6 pages or more for 2 tasks while nothing changes', [0, 1, 8, 9, 10, 11]],
    ]);
    const early = findingsOf((s) => pages(s.create('a').create('b'), 5), 'WALK-5', unseen);
    expect(early.map(({ entries }) => entries)).toEqual([[0, 1, 2, 3, 4, 5]]);
  });

  it('is none for what it shows beside the tasks that are left', () => {
    const shown = (s: Story) => s.create('a').page('w', 'x', { next: 't' }).page('w', 'y', { next: 't' });
    expect(broken((s) => shown(s).page('w', 'a', { next: '' }), unseen)).toContain('WALK-4');
    expect(broken((s) => shown(s).page('w', 'a', { next: '' }), unseen)).not.toContain('WALK-5');
  });

  it('could have been any that ended, and none that is still under way', () => {
    const witnesses = (tell: (s: Story) => unknown) => judge(tell, unseen).witnesses('WALK-5');
    const two = (s: Story) => s.create('a').create('b').page('w', 'b', { next: 't' });
    expect(witnesses((s) => two(s))).toBe(0);
    expect(witnesses((s) => two(s).page('w', 'a', { next: 't' }).page('w', 'b', { next: 't' }))).toBe(0);
    expect(witnesses((s) => two(s).page('w', 'a', { next: '' }))).toBe(1);
    expect(witnesses((s) => two(s).page('w', '', { error: 'internal' }))).toBe(0);
    expect(witnesses((s) => s.create('a').page('w', '', { error: 'internal' }))).toBe(0);
  });
});

describe('walks of a quiet store', () => {
  it('prove by both of them that page sizes matter', () => {
    const told = findingsOf((s) => s.create('a').create('b').page('w', 'a b').page('v', 'b a'), 'WALK-6', unseen);
    expect(told.map(({ entries }) => entries)).toEqual([[0, 1, 2, 3]]);
  });

  it('prove by both pages that an empty one follows a full one', () => {
    const after2 = (s: Story) =>
      s
        .create('a', 1n)
        .create('b', 2n)
        .page('w', 'b a', { size: 2, next: v1After('a', 1n) });
    const told = findingsOf((s) => after2(s).page('w', ''), 'WALK-6');
    expect(told.map(({ entries }) => entries)).toEqual([[0, 1, 2, 3]]);
  });

  it('show the whole of what another shows', () => {
    expect(broken((s) => three(s).page('w', 'c b a').page('v', 'c b', { next: '' }))).toContain('WALK-6');
    expect(broken((s) => three(s).page('w', 'c b', { next: '' }).page('v', 'c b a'))).toContain('WALK-6');
  });

  it('are compared with no walk that was disturbed, and no other that shows less than two tasks is a witness', () => {
    const disturbed = (s: Story) => three(s).page('w', 'c b a').page('v', 'c', { size: 1 }).delete('b').page('v', 'a');
    expect(broken(disturbed)).toEqual([]);
    expect(judge((s) => s.create('a', 1n).page('w', 'a').page('v', 'a')).witnesses('WALK-6')).toBe(0);
    expect(judge((s) => three(s).page('w', 'c b a').page('v', 'c b a')).witnesses('WALK-6')).toBe(1);
  });

  it('may show equal status times in any order under A2A, but no other tasks', () => {
    const walks = (first: string, second: string) => (s: Story) =>
      s.create('a').create('b').create('c').page('w', first, { next: '' }).page('v', second, { next: '' });
    expect(broken(walks('a b c', 'c a b'), a2a)).not.toContain('WALK-6');
    expect(broken(walks('c b a', 'a b c'), a2a)).not.toContain('WALK-6');
    expect(broken(walks('a b', 'c a'), a2a)).toContain('WALK-6');
    expect(broken(walks('a b c', 'b a'), a2a)).toContain('WALK-6');
    expect(broken(walks('b a', 'a b c'), a2a)).toContain('WALK-6');
  });
});
