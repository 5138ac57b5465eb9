/** Which strategy schedules which run. */
import type { Program } from '../history/program.ts';
import { pctStrategy, randomStrategy, type Strategy } from '../run/schedule.ts';

/** Random choices and PCT of depths 2 and 3 take turns: each finds faults that the others find seldom. */
export function strategyFor(run: number, program: Program): Strategy {
  const seed = Math.imul(run + 1, 0x27d4eb2f);
  if (run % 3 === 0) return randomStrategy(seed);
  const steps = program.clients.reduce((sum, client) => sum + client.length, 0);
  // Each step waits before it begins, and the store a few times in it.
  return pctStrategy(seed, program.clients.length, 4 * steps, 1 + (Math.abs(run) % 3));
}
