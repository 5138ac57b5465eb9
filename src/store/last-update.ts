/** Which last-update time a mutation gets. */
import { MAX_TIME_MICROS, MIN_TIME_MICROS } from '../task/clock.ts';
import { InternalError } from '../task/errors.ts';

/**
 * Gives the time of a mutation: the clock's, and at least 1 µs after the task's previous one, so that a clock that
 * stands still or runs backwards changes no order (TIME-2). Throws `internal` where signed 64 bits hold no such time:
 * a task at the largest time can't be mutated again (TIME-5).
 */
export function nextUpdateMicros(nowMicros: bigint, previousMicros: bigint | undefined): bigint {
  const next = previousMicros === undefined || nowMicros > previousMicros ? nowMicros : previousMicros + 1n;
  if (next > MAX_TIME_MICROS || next < MIN_TIME_MICROS) throw new InternalError();
  return next;
}
