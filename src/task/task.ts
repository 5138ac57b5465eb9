/**
 * The task types of the contract. Wire types are those of the official SDK (`@a2a-js/sdk`, A2A 1.0 proto); this file
 * adds only what a *store* knows and the wire never carries: revision, last-update time, task cursors.
 */

import type { Artifact, ListTasksRequest, Message, Task } from '@a2a-js/sdk';
import { TaskState } from '@a2a-js/sdk';

export type { Artifact, Message, Task };
export { TaskState };

/** The position of one task in a list: its storage last-update time and its id (seed: `task_cursors`). */
export interface TaskCursor {
  /** Storage-assigned last-update time: microseconds since the Unix epoch, signed 64-bit. */
  readonly lastUpdatedMicros: bigint;
  /** Non-empty, well-formed Unicode. Ordered by its UTF-8 bytes. */
  readonly id: string;
}

/** A task as its store holds it. The object is the caller's own: changing it changes nothing in the store (STORE-2). */
export interface StoredTask {
  readonly task: Task;
  /** Counts the mutations of this incarnation; 1 at create. Never moves on a rejected write (TIME-3). */
  readonly revision: number;
  /** Storage-assigned last-update time: microseconds since the Unix epoch, signed 64-bit. */
  readonly lastUpdatedMicros: bigint;
}

/** `light` leaves history and artifacts empty; every other field is the same (AUTH-7). */
export type Projection = 'full' | 'light';

/**
 * A list request as a store takes it: the wire request (A2A 1.0 §3.1.4) and the fields that never cross the wire.
 * Absent, empty and zero `contextId`, `status`, `pageToken` and `statusTimestampAfter` mean "no filter" and "from the
 * start". `pageSize` is 1 to 100, 50 where absent; `historyLength` keeps the most recent messages, all where absent.
 */
export interface StoreListRequest extends Partial<Omit<ListTasksRequest, 'tenant'>> {
  /** `false` skips the count (COUNT-2); true where absent. */
  readonly includeTotalSize?: boolean;
  /** The contexts a caller's scope allows; absent means all, an empty list means none (AUTH-1). */
  readonly contextIds?: readonly string[];
  /** What of each task is loaded; `full` where absent. */
  readonly projection?: Projection;
}

/** One page of a list: at most `pageSize` tasks, newest first, with the cursor of each at the same position (STORE-1). */
export interface StoreListPage {
  readonly tasks: Task[];
  readonly taskCursors: TaskCursor[];
  /** Empty where nothing follows; else the boundary of the last task of this page. */
  readonly nextPageToken: string;
  /** The page size used for this page. */
  readonly pageSize: number;
  /** Matching tasks regardless of the boundary; absent where the count was skipped. */
  readonly totalSize?: number;
}

/** Tells whether a state ends a task: such a task can't be cancelled (A2A 1.0, TaskState). */
export function isTerminal(state: TaskState | undefined): boolean {
  return (
    state === TaskState.TASK_STATE_COMPLETED ||
    state === TaskState.TASK_STATE_FAILED ||
    state === TaskState.TASK_STATE_CANCELED ||
    state === TaskState.TASK_STATE_REJECTED
  );
}
