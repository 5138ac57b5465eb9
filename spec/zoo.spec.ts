import { describe, expect, it } from 'vitest';
import { loadMutants } from '../src/mutants/index.ts';
import { defaultKillBudget, tryToKill } from '../src/mutants/kill.ts';

/** The in-memory part: what needs no server, no callers and no second client. `pagecheck mutants` tries them all. */
const inMemory = (await loadMutants()).filter(
  ({ area, subject }) =>
    ['token', 'memory', 'cost'].includes(area) &&
    subject().capabilities.scope.every((letter) => 'TIX'.includes(letter)),
);

/** The programs of a default run, without shrinking; each mutant is watched for 150 programs at least. */
const budget = { ...defaultKillBudget, lookOn: 150, shrinkExecutions: 0, measureAll: false };

describe('the zoo', () => {
  it('has at least 60 stores in memory with one fault each', () => {
    expect(inMemory.length).toBeGreaterThanOrEqual(60);
    expect(new Set(inMemory.map(({ id }) => id)).size).toBe(inMemory.length);
  });

  it.each(inMemory)('$id is killed by a rule that it breaks, and by no other: $fault', async (mutant) => {
    const { outcome, stray, crash, kill } = await tryToKill(mutant, budget);
    expect({ outcome, stray, crash }).toEqual({ outcome: 'killed', stray: [], crash: undefined });
    expect(mutant.breaks).toContain(kill?.rule);
  });
});
