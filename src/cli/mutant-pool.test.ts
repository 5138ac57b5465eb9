import { describe, expect, it } from 'vitest';
import { defaultKillBudget, type Kill } from '../mutants/kill.ts';
import { memoryMutants } from '../mutants/memory.ts';
import type { Mutant } from '../mutants/mutant.ts';
import { tryAll } from './mutant-pool.ts';

const sample = new URL('./mutant-worker.sample.ts', import.meta.url);
const budget = { ...defaultKillBudget, timeBudgetMs: 1_000 };

function mutants(...ids: string[]): Mutant[] {
  return ids.map((id) => ({ ...memoryMutants[0]!, id }));
}

async function rowsOf(
  tried: readonly Mutant[],
  more: Partial<Parameters<typeof tryAll>[1]> = {},
): Promise<Map<string, Kill>> {
  const rows = new Map<string, Kill>();
  const { signal } = new AbortController();
  const onKill = (kill: Kill) => void rows.set(kill.id, kill);
  await tryAll(tried, { budget, jobs: 1, signal, onKill, worker: sample, ...more });
  return rows;
}

describe('a pool of processes', () => {
  it('tries many mutants in one process', async () => {
    const rows = await rowsOf(mutants('A', 'B', 'C'));
    expect([...rows.keys()]).toEqual(['A', 'B', 'C']);
    // The sample tells its process there.
    expect(new Set([...rows.values()].map(({ programs }) => programs)).size).toBe(1);
  });

  it.each([
    ['DIES', 'its process ended with SIGKILL'],
    ['EXITS', 'its process ended with 7'],
    ['FAILS', 'its server did not start'],
  ])('tells that a mutant crashed, which is no kill, and goes on: %s', async (id, crash) => {
    const rows = await rowsOf(mutants('A', id, 'B'));
    expect(rows.get(id)).toMatchObject({ outcome: 'crashed', crash, fired: [], stray: [] });
    expect(rows.get('A')?.outcome).toBe('killed');
    expect(rows.get('B')?.outcome).toBe('killed');
  });

  it('ends a mutant that gives no answer, and goes on', async () => {
    const rows = await rowsOf(mutants('HANGS', 'B'), { budget: { ...budget, timeBudgetMs: 8_000 }, graceMs: 0 });
    expect(rows.get('HANGS')).toMatchObject({ outcome: 'crashed', crash: 'no answer within 8000 ms' });
    expect(rows.get('B')?.outcome).toBe('killed');
  });

  it('stops when it is told to, without a row for what was under way', async () => {
    const controller = new AbortController();
    const rows: string[] = [];
    await rowsOf(mutants('A', 'HANGS', 'B'), {
      signal: controller.signal,
      onKill: ({ id }) => {
        rows.push(id);
        setImmediate(() => controller.abort());
      },
    });
    expect(rows).toEqual(['A']);
  });

  it('tries the real mutants, by id', async () => {
    const [mutant] = memoryMutants.filter(({ id }) => id === 'MEM-13');
    const rows = await rowsOf([mutant!], {
      worker: new URL('./mutant-worker.ts', import.meta.url),
      budget: { ...budget, runs: 30, lookOn: 1, shrinkExecutions: 0 },
      graceMs: 40_000,
    });
    expect(rows.get('MEM-13')).toMatchObject({ outcome: 'killed', stray: [] });
  });
});
