import { describe, expect, it } from 'vitest';
import { baselineOf, compareCosts } from './cost-against.ts';
import { sampleCostCertificate, sampleCurve } from './cost-certificate.sample.ts';

const linear = [1_000, 10_000].map((n) => ({ n, value: n }));
const certificate = (values: readonly number[], counter = 'visits') =>
  sampleCostCertificate([sampleCurve(counter, values)]);

describe('compareCosts', () => {
  it('finds nothing between equal certificates', () => {
    expect(compareCosts(certificate([51, 51]), certificate([51, 51]), 0.1)).toMatchObject({
      curves: 1,
      points: 2,
      regressions: [],
      missing: [],
      better: [],
    });
  });

  it('lets a counter be worse by the tolerance, and by no more, with both figures', () => {
    const older = certificate([100, 100]);
    expect(compareCosts(older, certificate([100, 110]), 0.1).regressions).toEqual([]);
    expect(compareCosts(older, certificate([100, 111]), 0.1).regressions).toEqual([
      'first page of 50 (in order), visits: 100 → 111 entries at n = 10,000 (+11 %)',
    ]);
    expect(compareCosts(older, certificate([100, 111]), 0.2).regressions).toEqual([]);
  });

  it('fails a counter that was 0', () => {
    expect(compareCosts(certificate([0, 0]), certificate([0, 2]), 0.1).regressions).toEqual([
      'first page of 50 (in order), visits: 0 → 2 entries at n = 10,000',
    ]);
  });

  it('fails another class, the better one too, with what decided both', () => {
    const [slow, fast] = [certificate(linear.map(({ value }) => value)), certificate([51, 51])];
    expect(compareCosts(slow, fast, 0.1)).toMatchObject({
      regressions: [
        'first page of 50 (in order), visits: grew as linear (1,000 at n = 1,000, 10,000 at n = 10,000: log n allows 2,683), grows as constant (51 at n = 1,000, 51 at n = 10,000)',
      ],
      better: [expect.stringContaining('10,000 → 51 entries')],
    });
    expect(compareCosts(fast, slow, 0.1).regressions).toHaveLength(2);
  });

  it('calls no class changed whose values stayed within the tolerance', () => {
    expect(compareCosts(certificate([20, 24]), certificate([20, 25]), 0.1).regressions).toEqual([]);
  });

  it('lets buffers vary by what a vacuum leaves', () => {
    expect(compareCosts(certificate([5, 5], 'buffers'), certificate([5, 8], 'buffers'), 0.1).regressions).toEqual([]);
    expect(compareCosts(certificate([5, 5], 'buffers'), certificate([5, 9], 'buffers'), 0.1).regressions).toContain(
      'first page of 50 (in order), buffers: 5 → 9 buffers at n = 10,000 (+80 %)',
    );
  });

  it('tells of a counter that is gone', () => {
    expect(compareCosts(certificate([51, 51]), sampleCostCertificate([]), 0.1).missing).toEqual([
      'first page of 50 (in order), visits',
    ]);
  });

  it('compares only sizes that both have', () => {
    const older = sampleCostCertificate([{ ...sampleCurve('visits', [51]), points: [{ n: 10_000, value: 51 }] }]);
    expect(compareCosts(older, certificate([900, 51]), 0.1)).toMatchObject({ points: 1, regressions: [] });
  });
});

describe('baselineOf', () => {
  const run = { subject: 'memory', sizes: [1_000, 10_000], seed: 1 };

  it('finds the certificate of the subject', () => {
    const ours = certificate([51, 51]);
    expect(baselineOf([{ ...ours, subject: 'postgres' }, ours], run, 'costs.json')).toBe(ours);
  });

  it.each([
    [{ subject: 'wire' }, 'costs.json holds no cost certificate of wire, only of memory'],
    [{ seed: 2 }, 'costs.json was measured with seed 1, and this run has seed 2: give --seed 1'],
    [{ sizes: [500] }, 'costs.json was measured at n = 1000, 10000, and this run at none of these'],
  ])('refuses one that can not be compared: %j', (change, message) => {
    expect(() => baselineOf([certificate([51, 51])], { ...run, ...change }, 'costs.json')).toThrow(
      expect.objectContaining({ status: 3, message: expect.stringContaining(message) }),
    );
  });
});
