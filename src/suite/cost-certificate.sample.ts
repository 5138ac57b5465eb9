/** Cost certificates for the tests of what reads them. */
import type { CostCertificate, CostCurve } from './cost-certificate.ts';
import { growthOf } from './growth.ts';

/** A curve of first pages of 50, with these values at n = 1,000, 10,000 and so on. */
export function sampleCurve(counter: string, values: readonly number[]): CostCurve {
  const points = values.map((value, at) => ({ n: 1_000 * 10 ** at, value }));
  return {
    setting: { operation: 'list', shape: 'in order', depth: 0, pageSize: 50, total: false },
    counter,
    unit: counter === 'visits' ? 'entries' : counter,
    by: 'counter',
    points,
    ...growthOf(points),
    standing: 'reported',
  };
}

/** A certificate of the in-memory store with these curves, and whatever is said otherwise. */
export function sampleCostCertificate(
  curves: readonly CostCurve[],
  changes: Partial<CostCertificate> = {},
): CostCertificate {
  return {
    format: 'pagecheck-cost-certificate',
    version: 1,
    pagecheck: '0.1.0',
    subject: 'memory',
    seed: 1,
    startedAt: '2026-01-02T03:04:05.678Z',
    durationMs: 1_234,
    environment: { node: 'v20.20.0', platform: 'linux x64' },
    sizes: [1_000, 10_000],
    complete: true,
    rules: [{ rule: 'COST-2', level: 'M', status: 'pass', witnesses: 2 }],
    curves,
    plans: [],
    notes: [],
    ...changes,
  };
}
