import { describe, expect, it } from 'vitest';
import { createMemorySubject } from '../src/subject/memory.ts';
import { certify } from '../src/suite/certify.ts';

const seeds = Array.from({ length: 50 }, (_, at) => at + 1);

describe('the in-memory store', () => {
  it('passes every rule that one client can judge, each with its floor of witnesses', async () => {
    const { rules, coverage } = await certify(createMemorySubject(), { runs: 2_000 });
    const judged = rules.filter(({ status }) => status !== 'not-applicable' && status !== 'not-run');
    expect(judged.length).toBeGreaterThanOrEqual(25);
    expect(judged.filter(({ status, witnesses, floor }) => status !== 'pass' || witnesses < floor)).toEqual([]);
    expect(coverage.filter(({ count, floor }) => count < floor)).toEqual([]);
  });

  it.each(seeds)('is not accused by the programs of seed %i', async (seed) => {
    const { rules } = await certify(createMemorySubject(), { seed, runs: 300 });
    expect(rules.filter(({ status }) => status === 'fail')).toEqual([]);
  });
});
