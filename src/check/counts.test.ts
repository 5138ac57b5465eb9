import { describe, expect, it } from 'vitest';
import { counts } from './counts.ts';
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

  it('must be there where they are asked for, and are not asked of a page that failed', () => {
    const absent = judge((s) => {
      s.create('a', 1n);
      s.add({ op: 'list' }, { kind: 'page', items: [], nextToken: '' });
    });
    expect(absent.findings.filter(({ rule }) => rule === 'COUNT-1').map(({ saw }) => saw)).toEqual([
      'the total is absent where 1 visible tasks match',
    ]);
    const failed = judge((s) => s.create('a', 1n).page('w', 'a', { error: 'internal' }));
    expect(failed.witnesses('COUNT-1')).toBe(0);
  });

  it('prove themselves by what stood and the page that counted', () => {
    const wrong = judge((s) => three(s).page('w', 'c b a', { total: 9 }));
    expect(wrong.findings.map(({ rule, entries }) => ({ rule, entries }))).toEqual([
      { rule: 'COUNT-1', entries: [0, 1, 2, 3] },
    ]);
    const counted = judge((s) => three(s).page('w', 'c b a', { uncounted: true, counters: { counts: 2 } }));
    expect(counted.findings.map(({ rule, entries }) => ({ rule, entries }))).toEqual([
      { rule: 'COUNT-2', entries: [0, 1, 2, 3] },
    ]);
    expect(counted.findings[0]?.saw).toContain('counted 2 times');
  });

  it('are known to be skipped only where the subject counts its counts', () => {
    const silent = judge((s) => three(s).page('w', 'c b a', { uncounted: true }));
    expect([silent.witnesses('COUNT-1'), silent.witnesses('COUNT-2')]).toEqual([0, 0]);
    expect(silent.broken).toEqual([]);
  });

  it('may take a status time of the very millisecond that is asked for, or leave it out', () => {
    const filter = { after: '2001-01-01T00:00:00.500Z' };
    const edge = (total: number) => (s: Story) =>
      s
        .create('a', 1n, { timestamp: '2001-01-01T00:00:00.5001Z' })
        .create('b', 2n, { timestamp: '2001-01-01T00:00:00.600Z' })
        .page('w', 'b a', { filter, total });
    const broken = [0, 1, 2, 3].map((total) => judge(edge(total)).broken.includes('COUNT-1'));
    expect(broken).toEqual([true, false, false, true]);
  });

  it('are not judged of a history that the harness scribbled into', () => {
    const told = judge((s) => {
      s.tampered = true;
      return three(s)
        .page('w', 'c b a', { total: 9 })
        .page('v', 'c', { uncounted: true, counters: { counts: 1 } });
    });
    expect([told.witnesses('COUNT-1'), told.witnesses('COUNT-2')]).toEqual([0, 0]);
  });

  it('are judged by the two rules that the check names', () => {
    expect(counts.rules).toEqual(['COUNT-1', 'COUNT-2']);
  });
});
