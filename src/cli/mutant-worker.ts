/** A process that tries mutants for `pagecheck mutants`: one at a time, by id, so that a crash costs one row. */
import { loadMutants } from '../mutants/index.ts';
import { type Kill, type KillBudget, tryToKill } from '../mutants/kill.ts';

/** What the parent sends. */
export interface Assignment {
  readonly id: string;
  readonly budget: KillBudget;
}

/** What it gets: the row, or why the harness could not try it. */
export type Answer = { readonly kill: Kill } | { readonly failure: string };

const mutants = loadMutants();

process.on('message', async ({ id, budget }: Assignment) => {
  const answer = await attempt(id, budget);
  process.send?.(answer);
});

// The parent has gone: nobody would read what is still tried.
process.on('disconnect', () => process.exit());

async function attempt(id: string, budget: KillBudget): Promise<Answer> {
  try {
    const mutant = (await mutants).find((one) => one.id === id);
    if (mutant === undefined) return { failure: `there is no mutant ${id}` };
    return { kill: await tryToKill(mutant, budget) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
