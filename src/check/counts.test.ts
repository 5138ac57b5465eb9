import { describe, expect, it } from 'vitest';
import { type Case, judge, type Story, unseen } from './story.sample.ts';

const three = (s: Story) => s.create('a', 1n).create('b', 2n, { context: 'd' }).create('c', 3n);

const cases: readonly Case[] = [
  {
    what: 'the total counts what is left after the boundary',
    breaks: ['COUNT-1'],
    wrong: (s) => three(s).page('w', 'c', { size: 1 }).page('w', 'b', { total: 2 }),
    right: (s) => three(s).page('w', 'c', { size: 1 }).page('w', 'b', { total: 3 }),
  },
  {
    what: 'the total counts what the filter leaves out',
    breaks: ['COUNT-1'],
    wrong: (s) => three(s).page('w', 'b', { filter: { context: 'd' }, total: 3 }),
    right: (s) => three(s).page('w', 'b', { filter: { context: 'd' }, total: 1 }),
  },
  {
    what: 'a deleted task is counted',
    breaks: ['COUNT-1'],
    wrong: (s) => three(s).delete('a').page('w', 'c b', { total: 3 }),
    right: (s) => three(s).delete('a').page('w', 'c b', { total: 2 }),
  },
  {
    what: 'the count is made although nobody asks for it',
    breaks: ['COUNT-2'],
    wrong: (s) => three(s).page('w', 'c b a', { uncounted: true, counters: { counts: 1 } }),
    right: (s) => three(s).page('w', 'c b a', { uncounted: true, counters: { counts: 0 } }),
  },
];

describe('totals', () => {
  it.each(cases)('$breaks: $what', ({ wrong, right, breaks, judges }) => {
    expect(judge(wrong, judges).broken).toEqual([...breaks].sort());
    expect(judge(right, judges).broken).toEqual([]);
    expect(judge(right, judges).witnesses(breaks[0])).toBeGreaterThan(0);
  });

  it('may be absent where the subject declares none', () => {
    const capabilities = { ...unseen.capabilities, totals: false };
    expect(judge((s) => s.create('a').page('w', 'a', { total: 77 }), { capabilities }).broken).toEqual([]);
  });
});
