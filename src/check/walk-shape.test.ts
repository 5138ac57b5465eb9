import { describe, expect, it } from 'vitest';
import { encodePageToken } from '../../models/page-token.ts';
import { type Case, judge, type Story, unseen } from './story.sample.ts';

const three = (s: Story) => s.create('a', 1n).create('b', 2n).create('c', 3n);
const after = (id: string, lastUpdatedMicros: bigint) => encodePageToken({ id, lastUpdatedMicros })!;

const cases: readonly Case[] = [
  {
    what: 'keys ascend from one page to the next',
    breaks: ['WALK-2'],
    wrong: (s) =>
      three(s)
        .page('w', 'c', { size: 1 })
        .replace('a', 4n)
        .page('w', 'a', { next: after('a', 4n) })
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
        .page('w', 'b a', { size: 2, next: after('a', 1n) })
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
