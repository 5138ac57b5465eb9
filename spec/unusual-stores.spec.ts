import { describe, expect, test } from 'vitest';
import { certify } from '../src/suite/certify.ts';
import { unusualA2aStores, unusualStores } from './unusual-stores.sample.ts';

const budget = { runs: 50, timeBudgetMs: 600_000, shrinkExecutions: 100 };

/** Violations of any level, as lines that say what is alleged. */
async function alarms(...[subject, options]: Parameters<typeof certify>): Promise<readonly string[]> {
  const { rules } = await certify(subject, { ...budget, ...options });
  return rules
    .filter(({ status }) => status === 'fail')
    .map(({ rule, counterexample }) =>
      [rule, counterexample?.finding.saw, ...(counterexample?.trace ?? [])].join('\n'),
    );
}

describe('a right store raises no alarm, however unusual', () => {
  test.each(unusualStores)('$name under the contract', async (subject) => {
    expect(await alarms(subject, { seed: 11 })).toEqual([]);
  });

  test.each(unusualStores)('$name where several clients write at once', async (subject) => {
    const atOnce = { concurrent: true, concurrentRuns: 30, concurrentBudgetMs: 600_000 };
    expect(await alarms(subject, { seed: 13, runs: 1, ...atOnce })).toEqual([]);
  });

  test.each([...unusualA2aStores, ...unusualStores])('$name under A2A 1.0', async (subject) => {
    expect(await alarms(subject, { seed: 12, profile: 'a2a-1.0' })).toEqual([]);
  });
});
