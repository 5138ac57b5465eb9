/** Every schedule of every pair of operations. */
import { exhaustivePairs, pairScope } from '../generate/exhaustive-pairs.ts';
import type { Program } from '../history/program.ts';
import type { Strategy } from '../run/schedule.ts';
import { ScheduleTree } from '../run/schedule-tree.ts';

/** What ends the runs before all were made. */
export interface ScheduleBudget {
  readonly signal?: AbortSignal | undefined;
  readonly budgetMs: number;
}

/** Runs them all, or as many as there is time for; says how many, and whether they were all. */
export async function runEverySchedule(
  judge: (program: Program, run: number, strategy: Strategy) => Promise<unknown>,
  { signal, budgetMs }: ScheduleBudget,
): Promise<string> {
  const until = performance.now() + budgetMs;
  const pairs = [...exhaustivePairs()];
  let schedules = 0;
  for (const [position, program] of pairs.entries()) {
    const tree = new ScheduleTree();
    for (let strategy = tree.next(); strategy !== undefined; strategy = tree.next()) {
      if (signal?.aborted === true || performance.now() > until)
        return `Not every schedule was tried: ${schedules} of ${position} of ${pairs.length} programs and a part of the next (${pairScope}).`;
      schedules++;
      await judge(program, -1_000_000 - schedules, strategy);
    }
  }
  return `Every schedule of ${pairs.length} programs: ${schedules} (${pairScope}).`;
}
