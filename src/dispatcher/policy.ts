/** What an application tells the dispatcher: which contexts a caller's lists may touch, and which tasks it may access. */
import type { Projection, StoreListRequest, Task } from '../task/task.ts';

/** The filters of a list request as its caller sent them; absent means no filter. */
export type TaskFilter = Pick<StoreListRequest, 'contextId' | 'status' | 'statusTimestampAfter'>;

/**
 * The contexts that a caller may list. `'all'` leaves the request as it is; an empty list means nothing, never
 * everything (AUTH-1). Any other answer is a broken policy and fails the call.
 */
export interface TaskScope {
  readonly contextIds: readonly string[] | 'all';
}

/**
 * An application's access policy. Both questions may be answered at once or by a promise; an exception, a rejection, an
 * answer of another type or one that comes too late fails the call with an internal error (AUTH-5). The application
 * owns the policy's synchronization: a list asks anew for every task, and two tasks of one list may be judged on the
 * two sides of a change.
 */
export interface AccessPolicy {
  /** What of a task `canAccessTask` is shown: `light` only where history and artifacts are never looked at (AUTH-7). */
  readonly projection: Projection;

  /**
   * True where the scope alone decides: every task in the contexts that `scopeTaskList` gives may be accessed, and no
   * other. `canAccessTask` is then not asked, and a list costs a page and the store's own count in place of a scan of all
   * that matches. Our reading of AUTH-2: the policy has answered for all tasks of the scope before any is counted.
   */
  readonly scopeDecides?: boolean;

  /** Narrows the lists of `caller`; what it gives is intersected with the request and can't widen it (AUTH-1). */
  scopeTaskList(caller: string, filter: TaskFilter): TaskScope | Promise<TaskScope>;

  /** Tells whether `caller` may access `task`; asked before counting and choosing, and again at the final read. */
  canAccessTask(caller: string, task: Task): boolean | Promise<boolean>;
}
