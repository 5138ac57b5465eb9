/** The authorizing dispatcher: a task store as one caller may see it, under an application's policy. */
import { InternalError, TaskStoreError } from '../task/errors.ts';
import type { Message, StoredTask, StoreListPage, Task } from '../task/task.ts';
import type { AppendResult, TaskStore } from '../task/task-store.ts';
import { createAccess } from './access.ts';
import { type DispatcherContext, type DispatcherParts, dispatcherParts } from './context.ts';
import { listTasks } from './list.ts';
import type { CallerListRequest } from './list-request.ts';
import { type DispatcherCounters, meter } from './meter.ts';
import type { AccessPolicy } from './policy.ts';

/** What a dispatcher is made of. */
export interface DispatcherOptions {
  readonly store: TaskStore;
  readonly policy: AccessPolicy;
  /** How long the policy may take for a scope, or for a batch of at most 100 tasks; 5,000 where absent. */
  readonly policyTimeoutMs?: number;
  /** Parts that replace the right ones; for showing that a fault is found. */
  readonly parts?: Partial<DispatcherParts>;
}

/**
 * A task store for many callers. Every operation on a task that `caller` may not access rejects with the `not-found` of
 * a missing one (AUTH-9), before the task's state or revision can show. Between that check and the write, the
 * application's own policy changes are not held back. Rejects with the store's own errors, and with `internal`, without
 * detail, for everything unforeseen (AUTH-5).
 */
export interface Dispatcher {
  list(caller: string, request: CallerListRequest, signal?: AbortSignal): Promise<StoreListPage>;
  /** Reads one task in full. */
  get(caller: string, taskId: string): Promise<StoredTask>;
  /** Stores a new task. Rejects with `already-exists` where the id stands, whoever's task it is: nothing is replaced. */
  create(caller: string, task: Task): Promise<StoredTask>;
  replace(caller: string, task: Task, options?: { readonly ifRevision?: number }): Promise<StoredTask>;
  append(caller: string, taskId: string, message: Message): Promise<AppendResult>;
  cancel(caller: string, taskId: string, options?: { readonly timestamp?: string }): Promise<StoredTask>;
  delete(caller: string, taskId: string): Promise<void>;
  /** What the dispatcher cost so far; a copy. */
  counters(): Readonly<DispatcherCounters>;
}

const DEFAULT_POLICY_TIMEOUT_MS = 5_000;

/** Makes the dispatcher; the store stays its owner's, who closes it. Throws a TypeError for a policy without projection. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { store, policy, counters } = meter(options.store, options.policy);
  const parts = { ...dispatcherParts, ...options.parts };
  const access = createAccess(policy, options.policyTimeoutMs ?? DEFAULT_POLICY_TIMEOUT_MS);
  const context: DispatcherContext = { store, access, parts, counters };

  return {
    list: (caller, request, signal) => closed(() => listTasks(context, caller, request, signal)),
    get: (caller, taskId) => closed(() => parts.findTask(context, caller, taskId)),
    create: (caller, task) => closed(() => parts.createTask(store, caller, task)),
    replace: (caller, task, replaceOptions) =>
      closed(async () => {
        await parts.findTask(context, caller, task.id);
        return store.replace(task, replaceOptions);
      }),
    append: (caller, taskId, message) =>
      closed(async () => {
        await parts.findTask(context, caller, taskId);
        return store.append(taskId, message);
      }),
    cancel: (caller, taskId, cancelOptions) =>
      closed(async () => {
        await parts.findTask(context, caller, taskId);
        return store.cancel(taskId, cancelOptions);
      }),
    delete: (caller, taskId) =>
      closed(async () => {
        await parts.findTask(context, caller, taskId);
        return store.delete(taskId);
      }),
    counters: () => ({ ...counters }),
  };
}

/** Lets only the contract's errors out; an internal one loses what it said, since a caller may read it. */
async function closed<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (cause) {
    if (cause instanceof TaskStoreError && cause.code !== 'internal') throw cause;
    throw new InternalError(undefined, { cause });
  }
}
