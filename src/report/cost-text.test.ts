import { describe, expect, it } from 'vitest';
import { compareCosts } from '../suite/cost-against.ts';
import { sampleCostCertificate, sampleCurve } from '../suite/cost-certificate.sample.ts';
import { renderComparison, renderCostCount, renderCosts } from './cost-text.ts';

const visits = { ...sampleCurve('visits', [51, 51]), standing: 'held', rule: 'COST-2', allowed: 'at most 51' } as const;
const copies = sampleCurve('copies', [50, 50]);
const slow = { ...visits, ...sampleCurve('visits', [1_000, 10_000]), standing: 'broken' } as const;
const broken = sampleCostCertificate([slow, copies], {
  rules: [{ rule: 'COST-2', level: 'M', status: 'fail', witnesses: 2, reason: 'first page of 50: visits 10,000' }],
  plans: [
    { setting: slow.setting, n: 10_000, lines: ['Limit, 51 rows', '  Seq Scan'], rows: 51, removed: 9, buffers: 7 },
  ],
});

describe('a cost certificate on a terminal', () => {
  it('shows the counter that tells most of each setting, with its class and the rule that it holds', () => {
    const lines = renderCosts([sampleCostCertificate([visits, copies])]).split('\n');
    expect(lines).toContain('  pass     COST-2         2  an in-memory page visits its own entries');
    expect(lines.filter((line) => line.includes('first page of 50'))).toEqual([
      '    first page of 50                          visits                    51          51  constant          held COST-2',
    ]);
  });

  it('shows every counter where all are asked for', () => {
    expect(renderCosts([sampleCostCertificate([visits, copies])], { verbose: true })).toContain('copies');
  });

  it('shows what is broken, why, and the plan', () => {
    const text = renderCosts([broken]);
    expect(text).toContain('  FAIL     COST-2');
    expect(text).toContain('first page of 50: visits 10,000');
    expect(text).toMatch(/ linear {12}BROKEN COST-2\n/);
    expect(text).toContain('at n = 10,000: 51 rows, 9 discarded, 7 buffers\n    Limit, 51 rows\n      Seq Scan\n');
  });

  it('says that a certificate is partial, and leaves a dash where a size is missing', () => {
    const partial = { complete: false, sizes: [1_000, 10_000, 100_000], notes: ['Partial: the time limit ended it.'] };
    const text = renderCosts([sampleCostCertificate([visits], partial)]);
    expect(text).toContain('memory: cost, seed 1, pagecheck 0.1.0, PARTIAL\n');
    expect(text).toMatch(/51 {10}51 {11}–/);
    expect(text).toContain('note: Partial: the time limit ended it.\n');
  });

  it('calls a violated should-rule a failure only under strict', () => {
    const should = sampleCostCertificate([], {
      rules: [{ rule: 'COST-4', level: 'S', status: 'fail', witnesses: 1 }],
    });
    expect(renderCosts([should])).toContain('  should   COST-4');
    expect(renderCostCount([should], {})).toBe('0 passed, 0 failed, 1 skipped\n');
    expect(renderCosts([should], { strict: true })).toContain('  FAIL     COST-4');
    expect(renderCostCount([should], { strict: true })).toBe('0 passed, 1 failed, 0 skipped\n');
  });
});

describe('a comparison on a terminal', () => {
  it('gives both figures of what is worse', () => {
    const text = renderComparison(compareCosts(sampleCostCertificate([visits]), broken, 0.1));
    expect(text).toContain('memory against the earlier certificate: 1 counters at 2 points, tolerance 10 %\n');
    expect(text).toContain(
      '  WORSE    first page of 50 (in order), visits: 51 → 10,000 entries at n = 10,000 (+19508 %)\n',
    );
  });

  it('counts as one more of what passed or failed', () => {
    const before = sampleCostCertificate([visits]);
    expect(renderCostCount([before], {}, [compareCosts(before, before, 0.1)])).toBe('2 passed, 0 failed, 0 skipped\n');
    expect(renderCostCount([broken], {}, [compareCosts(before, broken, 0.1)])).toBe('0 passed, 2 failed, 0 skipped\n');
  });

  it('says that nothing is worse', () => {
    const same = sampleCostCertificate([visits]);
    expect(renderComparison(compareCosts(same, same, 0.1))).toContain('no class changed, no counter is worse\n');
  });
});
