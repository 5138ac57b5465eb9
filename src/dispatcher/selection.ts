/** One fold over all observed tasks gives both the page and the total. */
import type { TaskCursor } from '../task/task.ts';
import { compareCursors } from './boundaries.ts';

/** One task as the scan saw it: its key at that moment, and whether the caller may access it. */
export interface Observation {
  readonly cursor: TaskCursor;
  readonly allowed: boolean;
}

/** What a list is answered with. */
export interface Selected {
  /** The keys of the tasks chosen for the page, at most `pageSize`, in order. */
  readonly chosen: readonly TaskCursor[];
  /** Authorized tasks, on both sides of the boundary. */
  readonly total: number;
  /** True where an authorized task follows the full page: only then is there a next token. */
  readonly more: boolean;
}

/** What has been seen so far. Only authorized observations leave a trace in it (AUTH-2, COUNT-1). */
export interface Selection extends Selected {
  observe(observation: Observation): void;
  /** Keys held at this moment. */
  readonly held: number;
}

/**
 * Starts a selection of the `pageSize` first authorized tasks after `boundary`, or from the top where there is none.
 * It holds the keys of one page and two numbers, however many tasks it observes (AUTH-6).
 */
export function createSelection(boundary: TaskCursor | undefined, pageSize: number): Selection {
  const chosen: TaskCursor[] = [];
  let total = 0;
  let more = false;
  return {
    observe({ cursor, allowed }) {
      if (!allowed) return;
      total += 1;
      if (boundary !== undefined && compareCursors(boundary, cursor) >= 0) return;
      if (chosen.length < pageSize) chosen.push(cursor);
      else more = true;
    },
    chosen,
    get total() {
      return total;
    },
    get more() {
      return more;
    },
    get held() {
      return chosen.length;
    },
  };
}
