import { describe, expect, it } from 'vitest';
import { type Case, type Judges, judge, type Story, unseen } from './story.sample.ts';

const three = (s: Story) => s.create('a', 1n).create('b', 2n).create('c', 3n);
const opaque: Judges = { capabilities: { tokens: 'opaque' } };
const mixed = (s: Story) =>
  s.create('a', 1n, { context: 'd' }).create('b', 2n).create('c', 3n, { context: 'd' }).create('e', 4n);
const ties = (s: Story) => s.clock(5n).create('b', 5n).create('d', 5n).page('w', 'd', { size: 1 });
const inD = { filter: { context: 'd' } };
// What the filter selects was seen before a token is carried to it.
const seen = (s: Story) => mixed(s).page('k', 'c a', inD);

const cases: readonly Case[] = [
  {
    what: 'the rest is gone once the boundary task was written',
    breaks: ['TOKEN-5'],
    wrong: (s) => three(s).page('w', 'c', { size: 1 }).peek('w', 'b a').replace('c', 9n).peek('w', ''),
    right: (s) => three(s).page('w', 'c', { size: 1 }).peek('w', 'b a').replace('c', 9n).peek('w', 'b a'),
  },
  {
    what: 'the list begins anew once the boundary task was deleted',
    breaks: ['TOKEN-5'],
    wrong: (s) => three(s).page('w', 'c b', { size: 2 }).peek('w', 'a').delete('b').peek('w', 'c a'),
    right: (s) => three(s).page('w', 'c b', { size: 2 }).peek('w', 'a').delete('b').peek('w', 'a'),
  },
  {
    what: 'the token of a v1 page tells that its boundary task was written',
    breaks: ['TOKEN-5', 'TOKEN-6'],
    wrong: (s) =>
      three(s)
        .page('w', 'c', { size: 1 })
        .peek('w', 'b', { size: 1 })
        .replace('c', 9n)
        .peek('w', 'b', { size: 1, next: 'v1.9.Yg' }),
    right: (s) =>
      three(s).page('w', 'c', { size: 1 }).peek('w', 'b', { size: 1 }).replace('c', 9n).peek('w', 'b', { size: 1 }),
  },
  {
    what: 'a token keeps the filter it was given under',
    breaks: ['TOKEN-8'],
    wrong: (s) => seen(s).page('w', 'e', { size: 1 }).peek('w', 'c b a', inD),
    right: (s) => seen(s).page('w', 'e', { size: 1 }).peek('w', 'c a', inD),
    judges: { capabilities: {} },
  },
  {
    what: 'a token is refused under another filter',
    breaks: ['TOKEN-8', 'TOKEN-1', 'TOKEN-2'],
    wrong: (s) =>
      seen(s)
        .page('w', 'e', { size: 1 })
        .peek('w', '', { ...inD, error: 'invalid-argument' }),
    right: (s) => seen(s).page('w', 'e', { size: 1 }).peek('w', 'c a', inD),
  },
  {
    what: 'a task inserted below the boundary at its time is left out',
    breaks: ['WALK-7'],
    wrong: (s) => ties(s).create('c', 5n).page('w', 'b', { next: '' }),
    right: (s) => ties(s).create('c', 5n).page('w', 'c b', { next: '', size: 2 }),
  },
  {
    what: 'a task inserted above the boundary at its time appears',
    breaks: ['WALK-7', 'WALK-2', 'ORDER-1'],
    wrong: (s) => ties(s).create('e', 5n).page('w', 'b e', { size: 2, next: '' }),
    right: (s) => ties(s).create('e', 5n).page('w', 'b', { next: '' }),
  },
];

describe('boundaries', () => {
  it.each(cases)('$breaks: $what', ({ wrong, right, breaks, judges }) => {
    const { broken } = judge(wrong, judges);
    // Showing what a filter leaves out is FILTER-1's as well.
    expect(broken.filter((rule) => rule !== 'FILTER-1')).toEqual([...breaks].sort());
    expect(judge(right, judges).broken).toEqual([]);
    expect(judge(right, judges).witnesses(breaks[0])).toBeGreaterThan(0);
  });

  it('of a format of its own may be spelled anew each time', () => {
    const told = judge(
      (s) =>
        three(s)
          .page('w', 'c', { size: 1, next: 't' })
          .peek('w', 'b', { size: 1, next: 'u' })
          .replace('c', 9n)
          .peek('w', 'b', { size: 1, next: 'v' }),
      opaque,
    );
    expect(told.broken).toEqual([]);
    expect(told.witnesses('TOKEN-5')).toBe(1);
  });

  it('does not bear the blame for a filter that is wrong without a token too', () => {
    const carried = (s: Story) => s.page('w', 'e', { size: 1 }).peek('w', 'c b a', inD);
    expect(judge((s) => carried(mixed(s).page('k', 'c b a', inD))).broken).toEqual(['FILTER-1']);
    expect(judge((s) => carried(mixed(s))).broken).toEqual(['FILTER-1']);
  });

  it('may be followed by fewer tasks than before, as long as more are to come', () => {
    const fewer = (next: string) =>
      judge(
        (s) =>
          s
            .create('a')
            .create('b')
            .create('c')
            .page('w', 'c', { next: 't' })
            .peek('w', 'b a')
            .replace('c')
            .peek('w', 'b', { next }),
        unseen,
      ).broken;
    expect(fewer('u')).toEqual([]);
    expect(fewer('')).toEqual(['TOKEN-5']);
  });

  it('of the older release give the same page again while nothing changes', () => {
    const legacy: Judges = { ...unseen, order: 'creation' };
    const again = (ids: string) =>
      judge(
        (s) => s.create('a').create('b').page('w', 'a', { size: 1, next: '1' }).peek('w', 'b').peek('w', ids),
        legacy,
      );
    expect(again('b').broken).toEqual([]);
    expect(again('a').broken).toEqual(['TOKEN-5']);
  });
});
