import { describe, expect, it } from 'vitest';
import { a2a, type Case, judge, type Story, unseen } from './story.sample.ts';

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
