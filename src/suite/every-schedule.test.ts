import { describe, expect, it } from 'vitest';
import { raceMutants } from '../mutants/race.ts';
import { waitingMemory } from '../mutants/waiting-memory.ts';
import type { Subject } from '../subject/subject.ts';
import { certify } from './certify.ts';

const options = { runs: 1, concurrentRuns: 1, exhaustive: 1, concurrent: true, concurrentBudgetMs: 120_000 } as const;

async function failed(subject: Subject): Promise<{ readonly rules: readonly string[]; readonly notes: string }> {
  const { rules, notes } = await certify(subject, { ...options, shrinkExecutions: 20 });
  return { rules: rules.filter(({ status }) => status === 'fail').map(({ rule }) => rule), notes: notes.join('\n') };
}

describe('every schedule of every pair of operations', { timeout: 240_000 }, () => {
  it('breaks no rule of a store that is right, and says how many they were', async () => {
    const { rules, notes } = await failed(waitingMemory('right'));
    expect(rules).toEqual([]);
    expect(notes).toMatch(/Every schedule of 45 programs: [0-9]{4,} \(two clients/);
  });

  // What needs no more than two operations at once is found whatever the seed.
  it.each(['RACE-01-memory', 'RACE-08', 'RACE-09'])('shows %s', async (id) => {
    const { subject, breaks } = raceMutants.find((one) => one.id === id)!;
    const { rules } = await failed(subject());
    expect(rules.filter((rule) => breaks.includes(rule))).not.toEqual([]);
  });

  it('says what it left out when it is ended', async () => {
    const { notes } = await certify(waitingMemory('right'), { ...options, concurrentBudgetMs: 1 });
    expect(notes.join('\n')).toMatch(/Not every schedule was tried: [0-9]+ of [0-9]+ of 45 programs and a part/);
  });
});
