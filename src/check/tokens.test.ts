import { describe, expect, it } from 'vitest';
import { encodePageToken } from '../../models/page-token.ts';
import { type Case, type Judges, judge, type Story, unseen } from './story.sample.ts';

const opaque: Judges = { capabilities: { tokens: 'opaque' } };
const three = (s: Story) => s.create('a', 1n).create('b', 2n).create('c', 3n);
const awkward = (s: Story) => s.create('z', 9n).create('a', 1n).create('a|1', 1n).create('a|2', 1n);
const after = (id: string, lastUpdatedMicros: bigint) => encodePageToken({ id, lastUpdatedMicros })!;

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
    wrong: (s) => three(s).page('w', 'c', { size: 1, next: after('b', 2n) }),
    right: (s) => three(s).page('w', 'c', { size: 1, next: after('c', 3n) }),
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
