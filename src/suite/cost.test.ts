import { describe, expect, it } from 'vitest';
import { authorizationMutants } from '../mutants/authorization.ts';
import { memoryMutants } from '../mutants/memory.ts';
import { createDispatcherSubject } from '../subject/dispatcher.ts';
import { createMemorySubject } from '../subject/memory.ts';
import { defineSubject, type Subject } from '../subject/subject.ts';
import { measureCost } from './cost.ts';
import type { CostCertificate, CostSetting } from './cost-certificate.ts';

/** Small, but eight times apart: what grows shows. */
const sizes = [250, 2_000];
const small = { sizes, updates: 1_000 };

async function failedRules(subject: Subject): Promise<readonly string[]> {
  const { rules } = await measureCost(subject, small);
  return rules.filter(({ status }) => status === 'fail').map(({ rule }) => rule);
}

function curve({ curves }: CostCertificate, counter: string, setting: Partial<CostSetting>) {
  const isIt = (each: CostSetting): boolean =>
    Object.entries(setting).every(([name, value]) => each[name as keyof CostSetting] === value);
  return curves.find((each) => each.counter === counter && isIt(each.setting));
}

describe('the cost certificate of the in-memory store', () => {
  it('passes, with at most page size + 1 visits of every unfiltered page at every depth and size', async () => {
    const certificate = await measureCost(createMemorySubject(), small);
    expect(certificate.rules.map(({ rule, status }) => `${rule} ${status}`)).toEqual([
      'COUNT-2 pass',
      'COST-1 pass',
      'COST-2 pass',
    ]);
    expect(certificate).toMatchObject({ subject: 'memory', complete: true, notes: [], sizes });
    const pages = certificate.curves.filter(
      ({ counter, setting }) => counter === 'visits' && setting.operation === 'list' && setting.filter === undefined,
    );
    expect(new Set(pages.map(({ setting }) => `${setting.shape} ${setting.depth}`)).size).toBe(10);
    for (const { setting, points } of pages)
      expect(Math.max(...points.map(({ value }) => value))).toBeLessThanOrEqual(setting.pageSize! + 1);
  }, 60_000);

  it('is the same for the same seed', async () => {
    const [first, second] = [
      await measureCost(createMemorySubject(), { ...small, seed: 5 }),
      await measureCost(createMemorySubject(), { ...small, seed: 5 }),
    ];
    expect(second.curves).toEqual(first.curves);
  }, 60_000);

  it('reports an exact count under a filter as linear, and fails no rule for it', async () => {
    const certificate = await measureCost(createMemorySubject(), small);
    expect(curve(certificate, 'visits', { filter: 'status', total: true })).toMatchObject({
      growth: 'linear',
      standing: 'reported',
    });
  }, 60_000);

  it('leaves the growth undecided where the sizes lie too near to each other', async () => {
    const { rules } = await measureCost(createMemorySubject(), { ...small, sizes: [250, 500] });
    expect(rules.find(({ rule }) => rule === 'COST-1')).toMatchObject({ status: 'vacuous' });
    expect(rules.find(({ rule }) => rule === 'COST-2')).toMatchObject({ status: 'unknown' });
  }, 60_000);

  const faults = memoryMutants.filter(({ id }) => id.startsWith('COST-') || id === 'MEM-21');
  it.each(faults.map((mutant) => [mutant.id, mutant] as const))(
    'finds %s by its counters',
    async (_id, mutant) => {
      const failed = await failedRules(mutant.subject());
      expect(failed).not.toEqual([]);
      expect(mutant.breaks).toEqual(expect.arrayContaining([...failed]));
    },
    60_000,
  );
});

describe('the cost certificate of the dispatcher', () => {
  it('passes, and reports the questions to a policy of single tasks as linear', async () => {
    const certificate = await measureCost(createDispatcherSubject(), small);
    expect(certificate.rules.map(({ rule, status }) => `${rule} ${status}`)).toEqual(['AUTH-6 pass', 'AUTH-7 pass']);
    expect(curve(certificate, 'policyCalls', { total: true, depth: 0 })).toMatchObject({
      growth: 'linear',
      standing: 'reported',
    });
  }, 60_000);

  const faults = authorizationMutants.filter(({ id }) => id.startsWith('COST-'));
  it.each(faults.map((mutant) => [mutant.id, mutant] as const))(
    'finds %s by its counters',
    async (_id, mutant) => {
      const failed = await failedRules(mutant.subject());
      expect(failed).toEqual(mutant.breaks);
    },
    60_000,
  );
});

describe('a measurement that does not come to its end', () => {
  it('says so, and where it was', async () => {
    const { complete, notes, rules } = await measureCost(createMemorySubject(), { sizes, timeBudgetMs: 1 });
    expect(complete).toBe(false);
    expect(notes).toContain(
      'Partial: the time limit ended it at 250 tasks, in order: filling; what comes after that was not measured.',
    );
    expect(rules.every(({ status }) => status === 'vacuous')).toBe(true);
  });

  it('says of a store that does not take tasks why', async () => {
    const subject = defineSubject({
      name: 'full',
      open: async () => ({
        create: async () => {
          throw new Error('no room');
        },
        list: async () => ({ tasks: [], nextPageToken: '' }),
        counters: () => ({ visits: 0 }),
      }),
    });
    await expect(measureCost(subject, small)).rejects.toThrow(
      'full: a create failed while the store was filled: no room',
    );
  });
});
