import { describe, expect, it } from 'vitest';
import { compareCosts } from './cost-against.ts';
import { sampleCostCertificate, sampleCurve } from './cost-certificate.sample.ts';
import type { CostRule } from './cost-certificate.ts';
import { costExitStatus } from './cost-exit-status.ts';

const withRule = (status: CostRule['status'], level: CostRule['level'] = 'M') =>
  sampleCostCertificate([], { rules: [{ rule: 'COST-1', level, status, witnesses: 1 }] });

describe('costExitStatus', () => {
  it.each([
    [0, withRule('pass')],
    [1, withRule('fail')],
    [0, withRule('fail', 'S')],
    [2, withRule('vacuous')],
    [2, withRule('unknown')],
    [2, { ...withRule('pass'), complete: false }],
    [1, { ...withRule('fail'), complete: false }],
    [2, sampleCostCertificate([], { rules: [] })],
  ])('is %i', (status, certificate) => {
    expect(costExitStatus([certificate], [])).toBe(status);
  });

  it('counts a should-rule under strict', () => {
    expect(costExitStatus([withRule('fail', 'S')], [], { strict: true })).toBe(1);
  });

  it('is 1 for what is worse than before, and 2 for what is gone', () => {
    const before = sampleCostCertificate([sampleCurve('visits', [51, 51])]);
    const worse = sampleCostCertificate([sampleCurve('visits', [51, 510])]);
    const gone = sampleCostCertificate([]);
    expect(costExitStatus([worse], [compareCosts(before, worse, 0.1)])).toBe(1);
    expect(costExitStatus([gone], [compareCosts(before, gone, 0.1)])).toBe(2);
    expect(costExitStatus([before], [compareCosts(before, before, 0.1)])).toBe(0);
  });
});
