/** The zoo in CI: all that is in memory, and of the rest a fifth that changes every day. `pagecheck mutants` tries all. */
import { describe, expect, it } from 'vitest';
import { loadMutants } from '../src/mutants/index.ts';
import { defaultKillBudget, tryToKill } from '../src/mutants/kill.ts';
import type { Mutant } from '../src/mutants/mutant.ts';

const parts = 5;
const dayMs = 86_400_000;
/** From 0; `PAGECHECK_ZOO_PART` chooses another one than the day does. */
const part = Number(process.env.PAGECHECK_ZOO_PART ?? Math.floor(Date.now() / dayMs)) % parts;

const all = await loadMutants();

/** What needs no server, no callers and no second client. */
function isInMemory({ area, subject }: Mutant): boolean {
  return (
    ['token', 'memory', 'cost'].includes(area) && subject().capabilities.scope.every((letter) => 'TIX'.includes(letter))
  );
}

const inMemory = all.filter(isInMemory);
const rest = all.filter((mutant) => !isInMemory(mutant));
const today = rest.filter((_, at) => at % parts === part);
console.info(
  `zoo: ${inMemory.length} in memory, and part ${part} of 0 to ${parts - 1}: ${today.map(({ id }) => id).join(' ')}`,
);

/** The programs of a default run, without shrinking; each mutant is watched for 150 programs, or for a second. */
const budget = {
  ...defaultKillBudget,
  lookOn: 150,
  lookOnMs: 1_000,
  shrinkExecutions: 0,
  measureAll: false,
  // A machine that does much else is given time; the number of programs decides.
  timeBudgetMs: 120_000,
};

async function expectSound(mutant: Mutant): Promise<void> {
  const { outcome, stray, crash, kill } = await tryToKill(mutant, budget);
  const expected = mutant.equivalent === undefined ? 'killed' : 'equivalent';
  expect({ outcome, stray, crash }).toEqual({ outcome: expected, stray: [], crash: undefined });
  if (kill !== undefined) expect(mutant.breaks).toContain(kill.rule);
}

describe('the zoo', () => {
  it('has at least 60 stores in memory with one fault each', () => {
    expect(inMemory.length).toBeGreaterThanOrEqual(60);
    expect(new Set(inMemory.map(({ id }) => id)).size).toBe(inMemory.length);
  });

  it.each(inMemory)('$id is killed by a rule that it breaks, and by no other: $fault', expectSound);
});

describe(`the rest of the zoo, part ${part + 1} of ${parts} today`, () => {
  it.each(today)('$id is found out: $fault', expectSound, 240_000);
});
