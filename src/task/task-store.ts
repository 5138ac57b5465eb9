/** The interface of a task store under the contract; the bundled stores implement it and the dispatcher stands on it. */
import type { Message, Projection, StoredTask, StoreListPage, StoreListRequest, Task } from './task.ts';

/** What an append did: `deduplicated` means the message id stood already and nothing changed (TIME-3, TIME-4). */
export interface AppendResult {
  readonly stored: StoredTask;
  readonly deduplicated: boolean;
}

/**
 * A store of tasks, listed by (last-update time desc, id bytes desc). Every successful mutation advances the task's
 * time by at least 1 µs (TIME-2); a rejected one changes nothing (TIME-3). Arguments and results are never shared with
 * the store (STORE-2). All methods reject with a `TaskStoreError`:
 * `invalid-argument` for an id or request that can't be taken, `internal` where a task's time can't advance (TIME-5).
 */
export interface TaskStore {
  /** Stores a new task. Rejects with `already-exists` where the id stands. */
  create(task: Task): Promise<StoredTask>;

  /**
   * Replaces the whole task, also with identical contents; with `ifRevision` only where it is the current revision.
   * Rejects with `not-found`, `revision-conflict`.
   */
  replace(task: Task, options?: { readonly ifRevision?: number }): Promise<StoredTask>;

  /** Appends a message to the history unless one with its `messageId` stands there. Rejects with `not-found`. */
  append(taskId: string, message: Message): Promise<AppendResult>;

  /**
   * Sets the state to canceled, clears the status message and sets the status timestamp (ISO 8601; the current time
   * where absent). Rejects with `not-found`, and with `not-cancelable` in a terminal state.
   */
  cancel(taskId: string, options?: { readonly timestamp?: string }): Promise<StoredTask>;

  /** Removes the task; a later create of its id is another task. Rejects with `not-found`. */
  delete(taskId: string): Promise<void>;

  /** Reads one task; undefined where there is none. `full` where `projection` is absent. */
  get(taskId: string, projection?: Projection): Promise<StoredTask | undefined>;

  /** Reads one page. Rejects with `invalid-argument` for a bad token, page size, timestamp or history length. */
  list(request: StoreListRequest): Promise<StoreListPage>;

  /** Releases what the store holds open; it takes no calls after that. */
  close(): Promise<void>;
}
