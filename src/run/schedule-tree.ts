/** All schedules of a program, one after the other. */
import type { Strategy } from './schedule.ts';

/**
 * Walks the choices of a program depth first, by running it again and again: each strategy follows the choices of the
 * one before up to the last that has another alternative, takes that, and the first alternative from there on. A program
 * that runs alike under the same choices is met in each of its schedules once; memory is the length of one schedule.
 */
export class ScheduleTree {
  /** Of each point, which alternative was taken, of how many. */
  #path: { taken: number; readonly of: number }[] = [];
  #begun = false;

  /** The strategy of the next run; undefined when there is no other schedule. Ask when the run before has ended. */
  next(): Strategy | undefined {
    if (this.#begun) {
      const last = this.#path.findLastIndex(({ taken, of }) => taken + 1 < of);
      if (last < 0) return undefined;
      this.#path = this.#path.slice(0, last + 1);
      (this.#path[last] as { taken: number }).taken++;
    }
    this.#begun = true;
    let point = 0;
    return {
      choose: (waiting) => {
        const known = this.#path[point];
        if (known === undefined) this.#path.push({ taken: 0, of: waiting.length });
        const at = Math.min(known?.taken ?? 0, waiting.length - 1);
        point++;
        return waiting[at] as number;
      },
    };
  }
}
