import { describe, expect, it } from 'vitest';
import { encodePageToken } from '../../models/page-token.ts';
import { a2a, broken, type Case, findingsOf, type Judges, judge, type Story, unseen } from './story.sample.ts';
import { tokens } from './tokens.ts';

const opaque: Judges = { capabilities: { tokens: 'opaque' } };
const three = (s: Story) => s.create('a', 1n).create('b', 2n).create('c', 3n);
const awkward = (s: Story) => s.create('z', 9n).create('a', 1n).create('a|1', 1n).create('a|2', 1n);
const v1After = (id: string, lastUpdatedMicros: bigint) => encodePageToken({ id, lastUpdatedMicros })!;

const cases: readonly Case[] = [
  {
    what: 'the next token is a number',
    breaks: ['TOKEN-1'],
    wrong: (s) => {
      s.create('a').add({ op: 'list', walk: 'w1', page: 0 }, { kind: 'malformed', what: 'nextPageToken is 1' });
    },
    right: (s) => s.create('a').page('w', 'a'),
    judges: unseen,
  },
  {
    what: 'a first page fails',
    breaks: ['TOKEN-1'],
    wrong: (s) => s.create('a').page('w', '', { error: 'internal' }),
    right: (s) => s.create('a').page('w', 'a'),
    judges: unseen,
  },
  {
    what: 'an empty token gives another page than none',
    breaks: ['TOKEN-1'],
    wrong: (s) => s.create('a').page('w', 'a').token('', undefined, ''),
    right: (s) => s.create('a').page('w', 'a').token('', undefined, 'a'),
    judges: unseen,
  },
  {
    what: "the store's own token is refused",
    breaks: ['TOKEN-2', 'TOKEN-1'],
    wrong: (s) => three(s).page('w', 'c', { size: 1 }).page('w', '', { error: 'invalid-argument' }),
    right: (s) => three(s).page('w', 'c', { size: 1 }).page('w', 'b'),
  },
  {
    what: 'a token loses what follows a delimiter',
    breaks: ['TOKEN-2', 'WALK-3'],
    wrong: (s) => awkward(s).page('w', 'z', { size: 1 }).page('w', 'a|2').page('w', 'a'),
    right: (s) => awkward(s).page('w', 'z', { size: 1 }).page('w', 'a|2').page('w', 'a|1').page('w', 'a'),
    judges: opaque,
  },
  {
    what: 'two boundaries share a token',
    breaks: ['TOKEN-2'],
    wrong: (s) => three(s).page('w', 'c', { size: 1, next: 't' }).page('v', 'c b', { size: 2, next: 't' }),
    right: (s) => three(s).page('w', 'c', { size: 1, next: 't' }).page('v', 'c', { size: 1, next: 't' }),
    judges: opaque,
  },
  {
    what: 'a task that the page does not show supplies the token',
    breaks: ['TOKEN-6'],
    wrong: (s) => three(s).page('w', 'c', { size: 1, next: v1After('b', 2n) }),
    right: (s) => three(s).page('w', 'c', { size: 1, next: v1After('c', 3n) }),
  },
  {
    what: 'the token is no v1 token where v1 is declared',
    breaks: ['TOKEN-2'],
    wrong: (s) => three(s).page('w', 'c', { size: 1, next: 'mine' }),
    right: (s) => three(s).page('w', 'c', { size: 1 }).page('w', 'b'),
  },
];

describe('tokens that a store gives', () => {
  it.each(cases)('$breaks: $what', ({ wrong, right, breaks, judges }) => {
    expect(judge(wrong, judges).broken).toEqual([...breaks].sort());
    expect(judge(right, judges).broken).toEqual([]);
    expect(judge(right, judges).witnesses(breaks[0])).toBeGreaterThan(0);
  });

  it('may be another each time, for one boundary', () => {
    const told = judge(
      (s) => three(s).page('w', 'c', { size: 1, next: 't' }).page('v', 'c', { size: 1, next: 'u' }),
      opaque,
    );
    expect(told.broken).toEqual([]);
  });
});

type Tell = (s: Story) => unknown;

describe('the check of tokens', () => {
  it('judges three rules', () => {
    expect(tokens.rules).toEqual(['TOKEN-1', 'TOKEN-2', 'TOKEN-6']);
  });

  it('counts a page after a token of its own for TOKEN-2, and every page for TOKEN-1', () => {
    const told = judge((s) => three(s).page('w', 'c', { size: 1 }).page('w', 'b').page('w', 'a'));
    expect([told.witnesses('TOKEN-1'), told.witnesses('TOKEN-2'), told.witnesses('TOKEN-6')]).toEqual([3, 2, 2]);
  });

  it('proves a refusal by the page that gave the token, and names its boundary', () => {
    const told = findingsOf(
      (s) => three(s).page('w', 'c', { size: 1 }).page('w', '', { error: 'internal' }),
      'TOKEN-2',
    );
    expect(told.map(({ entries }) => entries)).toEqual([[0, 1, 2, 3, 4]]);
    expect(told[0]?.saw).toContain('after "c" was refused');
  });
});

describe('a v1 token', () => {
  it('may be one that a page gave after another task of its own', () => {
    const shared = (s: Story) =>
      three(s)
        .page('w', 'c', { size: 1 })
        .page('v', 'c b', { size: 2, next: v1After('c', 3n) });
    expect(broken(shared)).not.toContain('TOKEN-2');
    expect(broken(shared)).not.toContain('TOKEN-6');
  });

  it('is held against the tasks of its page, where no time was seen', () => {
    const unseenTimes = (next: string) => (s: Story) =>
      s.create('a').create('b').create('c').page('w', 'c b', { size: 2, cursors: 'none', next });
    expect(broken(unseenTimes(v1After('b', 2n)))).not.toContain('TOKEN-6');
    expect(broken(unseenTimes(v1After('c', 3n)))).not.toContain('TOKEN-6');
    expect(broken(unseenTimes(v1After('a', 3n)))).toContain('TOKEN-6');
    expect(broken(unseenTimes('mine'))).not.toContain('TOKEN-6');
    expect(broken(unseenTimes(v1After('a', 3n)), opaque)).not.toContain('TOKEN-6');
  });

  it('is held against the tasks that stand, beside one that does not', () => {
    const cursors = [['x', 9n] as const, ['c', 3n] as const];
    const phantom = (s: Story) => three(s).page('w', 'x c', { size: 2, cursors, next: v1After('c', 3n) });
    expect(broken(phantom)).not.toContain('TOKEN-6');
  });

  it('is told by what it stands for', () => {
    const told = findingsOf((s) => three(s).page('w', 'c', { size: 1, next: v1After('b', 2n) }), 'TOKEN-6');
    expect(told[0]?.saw).toContain('stands for "b" @2');
    expect(told[0]?.entries).toEqual([0, 1, 2, 3]);
  });
});

describe('an empty token', () => {
  const filter = { context: 'ctx' };

  it('is proved to be another than none by both pages', () => {
    const told = findingsOf((s) => s.create('a').page('w', 'a').token('', undefined, ''), 'TOKEN-1', unseen);
    expect(told.map(({ entries }) => entries)).toEqual([[0, 1, 2]]);
  });

  it('is compared with the same request in the same state, made without one', () => {
    const compared = (tell: Tell) => broken(tell, unseen).includes('TOKEN-1');
    expect(compared((s) => s.create('a').token('', undefined, ''))).toBe(false);
    expect(compared((s) => s.create('a').page('w', 'a').create('b').token('', undefined, 'b a'))).toBe(false);
    const short = (s: Story) => s.create('a').create('b').page('w', 'b', { size: 1, next: '' });
    expect(compared((s) => short(s).token('', undefined, 'b a', { size: 2 }))).toBe(false);
    const own = (s: Story) => s.create('a').page('w', 'a', { caller: 'one' });
    expect(compared((s) => own(s).token('', undefined, '', { caller: 'two' }))).toBe(false);
    const none = (s: Story) => s.create('a').page('w', '', { filter: { context: 'd' } });
    expect(compared((s) => none(s).token('', undefined, 'a'))).toBe(false);
    const walked = (s: Story) => three(s).page('w', 'c', { size: 1 }).page('w', 'b').peek('w', 'a', { size: 2 });
    expect(broken((s) => walked(s).token('', undefined, 'c b', { size: 2 }))).toEqual([]);
  });

  it('is compared with a page, not with a failure', () => {
    const failed = (s: Story) => s.create('a').page('w', '', { filter, error: 'internal' });
    const wrong = (s: Story) => failed(s).page('v', 'a', { filter }).token('', undefined, '', { filter });
    expect(broken(wrong, unseen)).toContain('TOKEN-1');
    const right = judge((s) => s.create('a').page('w', 'a').token('', undefined, '', { filter, error: 'internal' }));
    expect(right.witnesses('TOKEN-1')).toBe(2);
    const refused = judge((s) => s.create('a').page('w', 'a').token('', undefined, '', { error: 'internal' }));
    expect(refused.witnesses('TOKEN-1')).toBe(2);
  });
});

describe("a token of a store's own format", () => {
  const lossy = (s: Story) => awkward(s).page('w', 'z', { size: 1 }).page('w', 'a|2');

  it('is judged by keys only where lists run by them, and read instead where it is v1', () => {
    const listed = (s: Story) => lossy(s).page('w', 'a').page('v', 'z a|2 a|1 a');
    expect(broken(listed, opaque)).toContain('TOKEN-2');
    expect(broken(listed, { ...a2a, ...opaque })).not.toContain('TOKEN-2');
    expect(broken(listed)).not.toContain('TOKEN-2');
  });

  it('is refused once', () => {
    expect(findingsOf((s) => lossy(s).page('w', '', { error: 'internal' }), 'TOKEN-2', opaque)).toHaveLength(1);
  });

  it('is not blamed where something changed, where plain ones go wrong too, or where there was no plain one', () => {
    expect(broken((s) => lossy(s).create('y', 20n).page('w', 'a'), opaque)).not.toContain('TOKEN-2');
    const both = (s: Story) => awkward(s).page('w', 'z', { size: 1 }).page('w', 'a|1').page('w', '');
    expect(broken(both, opaque)).not.toContain('TOKEN-2');
    const alone = (s: Story) => s.create('a', 1n).create('a|1', 1n).create('a|2', 1n).page('w', 'a|2', { size: 1 });
    expect(broken((s) => alone(s).page('w', 'a'), opaque)).not.toContain('TOKEN-2');
  });

  it('is proved to be shared by both pages that gave it', () => {
    const shared = (s: Story) =>
      three(s).page('w', 'c', { size: 1, next: 't' }).page('v', 'c b', { size: 2, next: 't' });
    expect(findingsOf(shared, 'TOKEN-2', opaque).map(({ entries }) => entries)).toEqual([[0, 1, 2, 3, 4]]);
  });

  it('is not shared by lists that end, or that fail', () => {
    const ends = (s: Story) => three(s).page('w', 'c b a').delete('a').page('v', 'c b');
    expect(broken(ends, opaque)).toEqual([]);
    const fails = (s: Story) => ends(s).page('u', '', { filter: { context: 'd' }, error: 'internal' });
    expect(broken(fails, opaque)).not.toContain('TOKEN-2');
  });
});
