/** Which strategy schedules which run. */
import type { Program } from '../history/program.ts';
import { pctStrategy, randomStrategy, type Strategy } from '../run/schedule.ts';
import type { Subject } from '../subject/subject.ts';

/**
 * The strategy of a run over this subject; undefined for every second run of one whose requests pass a gate, so that it
 * is also met as it is, with requests that really are in the server at once.
 */
export function strategyOf(run: number, program: Program, subject: Subject): Strategy | undefined {
  if (subject.openScheduled === undefined && subject.openGated !== undefined)
    return run % 2 === 0 ? strategyFor(run, program) : undefined;
  return strategyFor(run, program);
}

/** Random choices and PCT of depths 2 and 3 take turns: each finds faults that the others find seldom. */
export function strategyFor(run: number, program: Program): Strategy {
  const seed = Math.imul(run + 1, 0x27d4eb2f);
  // Scenarios take turns as well, by threes or fours: each shall meet each strategy.
  const kind = Math.abs(run + Math.floor(run / 12)) % 3;
  if (kind === 0) return randomStrategy(seed);
  const steps = program.clients.reduce((sum, client) => sum + client.length, 0);
  // Each step waits before it begins, and the store a few times in it.
  return pctStrategy(seed, program.clients.length, 4 * steps, 1 + kind);
}
