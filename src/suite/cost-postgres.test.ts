import { describe, expect, it } from 'vitest';
import { postgresFamily } from '../mutants/postgres.ts';
import { choosePostgresProvider } from '../run/postgres-provider.ts';
import { createPostgresSubject } from '../subject/postgres.ts';
import { measureCost } from './cost.ts';
import type { CostCertificate } from './cost-certificate.ts';

/** The rule holds from 10,000 tasks on. */
const sizes = [10_000];
const options = { sizes, timeBudgetMs: 170_000 };

const worst = ({ curves }: CostCertificate, counter: string): number[] =>
  curves
    .filter((curve) => curve.counter === counter && curve.rule === 'COST-3' && curve.setting.pageSize === 50)
    .flatMap(({ points }) => points.filter(({ n }) => n >= 10_000).map(({ value }) => value));

describe('the cost certificate of the PostgreSQL store', () => {
  it('passes: pages of 50 read 51 rows and at most 57 buffers, in every shape and at every depth', async () => {
    const certificate = await measureCost(createPostgresSubject({ provider: choosePostgresProvider() }), options);
    expect(certificate.rules.map(({ rule, status }) => `${rule} ${status}`)).toEqual(['COUNT-2 pass', 'COST-3 pass']);
    expect(certificate.complete).toBe(true);
    const shapes = certificate.curves.filter(({ rule }) => rule === 'COST-3').map(({ setting }) => setting.shape);
    expect([...new Set(shapes)].sort()).toEqual(['in order', 'one task updated', 'one time', 'scattered']);
    expect(Math.max(...worst(certificate, 'rowsRead'))).toBe(51);
    expect(Math.max(...worst(certificate, 'buffers'))).toBeLessThanOrEqual(57);
    const plans = certificate.plans.filter(({ setting }) => setting.depth === 0.9).map(({ lines }) => lines.join());
    expect(plans.length).toBe(4);
    for (const plan of plans) expect(plan).toMatch(/Index Scan of idx_a2a_tasks_updated, 51 rows, where \(ROW/);
  }, 180_000);

  it('breaks COST-3 where the index orders ids the other way, by rows that one tie group has it discard', async () => {
    const mutant = postgresFamily.find(({ id }) => id === 'MIG-02')!;
    const { rules } = await measureCost(mutant.subject(), options);
    expect(rules.find(({ rule }) => rule === 'COST-3')).toMatchObject({
      status: 'fail',
      reason: expect.stringMatching(/\(one time\): rowsRemoved [\d,]+ at n = 10,000, allowed at most 0/),
    });
  }, 180_000);
});
