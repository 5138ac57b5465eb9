import { describe, expect, it } from 'vitest';
import { type Case, judge, type Story, unseen } from './story.sample.ts';

const stamp = '2001-01-01T00:00:00.000Z';
const earlier = '2000-01-01T00:00:00.000Z';
const three = (s: Story) =>
  s.create('a', 1n, { timestamp: stamp }).create('b', 2n, { context: 'd' }).create('c', 3n, { state: 'FAILED' });

const cases: readonly Case[] = [
  {
    what: 'a list shows another context',
    breaks: ['FILTER-1'],
    wrong: (s) => three(s).page('w', 'c b', { filter: { context: 'd' }, total: 1 }),
    right: (s) => three(s).page('w', 'b', { filter: { context: 'd' } }),
  },
  {
    what: 'the unspecified status selects nothing',
    breaks: ['FILTER-1', 'COUNT-1', 'WALK-3'],
    wrong: (s) =>
      three(s)
        .page('w', 'c b a')
        .page('v', '', { filter: { state: 'UNSPECIFIED' }, total: 0 }),
    right: (s) =>
      three(s)
        .page('w', 'c b a')
        .page('v', 'c b a', { filter: { state: 'UNSPECIFIED' } }),
  },
  {
    what: 'a later instant is left out',
    breaks: ['FILTER-1', 'COUNT-1', 'WALK-3'],
    wrong: (s) =>
      three(s)
        .page('w', 'c b a')
        .page('v', '', { filter: { after: earlier }, total: 0 }),
    right: (s) =>
      three(s)
        .page('w', 'c b a')
        .page('v', 'a', { filter: { after: earlier } }),
  },
  {
    what: 'conditions do not combine',
    breaks: ['FILTER-1'],
    wrong: (s) => three(s).page('w', 'b', { filter: { context: 'd', state: 'FAILED' }, total: 0 }),
    right: (s) => three(s).page('w', 'c', { filter: { context: 'ctx', state: 'FAILED' } }),
  },
  {
    what: 'a filter is refused',
    breaks: ['FILTER-1'],
    wrong: (s) => three(s).page('w', '', { filter: { after: stamp }, error: 'invalid-argument' }),
    right: (s) => three(s).page('w', 'a', { filter: { after: stamp } }),
  },
];

describe('filters', () => {
  it.each(cases)('$breaks: $what', ({ wrong, right, breaks, judges }) => {
    expect(judge(wrong, judges).broken).toEqual([...breaks].sort());
    expect(judge(right, judges).broken).toEqual([]);
    expect(judge(right, judges).witnesses(breaks[0])).toBeGreaterThan(0);
  });

  it('by status time select the very instant too', () => {
    const told = (ids: string) =>
      judge((s) =>
        three(s)
          .page('w', 'c b a')
          .page('v', ids, { filter: { after: stamp } }),
      );
    expect(told('').broken).toContain('FILTER-1');
    expect(told('a').broken).toEqual([]);
  });

  it('are judged by what a task is now, not by what it was', () => {
    const moved = (s: Story) => s.create('a', 1n, { context: 'd' }).replace('a', 2n, { context: 'e' });
    expect(judge((s) => moved(s).page('w', 'a', { filter: { context: 'e' } })).broken).toEqual([]);
    expect(judge((s) => moved(s).page('w', 'a', { filter: { context: 'd' }, total: 0 })).broken).toEqual(['FILTER-1']);
  });

  it('of a walk with several pages are a walk rule where something is missing', () => {
    const told = judge(
      (s) =>
        s
          .create('a')
          .create('b')
          .page('w', 'b a')
          .page('v', 'b', { filter: { context: 'ctx' }, next: 't' })
          .page('v', '', { next: '' }),
      unseen,
    );
    expect(told.broken).toEqual(['WALK-3', 'WALK-6'].filter((rule) => told.broken.includes(rule)));
    expect(told.broken).toContain('WALK-3');
  });
});
