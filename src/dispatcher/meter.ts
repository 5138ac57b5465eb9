/** Counters between the dispatcher and what it stands on: no part reports on its own calls. */
import type { TaskStore } from '../task/task-store.ts';
import type { AccessPolicy } from './policy.ts';

/** What the dispatcher cost since it was made. */
export interface DispatcherCounters {
  /** List calls to the store. */
  batches: number;
  /** List calls that had the store count: 0 but where the scope alone decides what is accessible (AUTH-6). */
  storeCounts: number;
  /** Questions to `canAccessTask`. */
  policyCalls: number;
  /** Tasks that the store gave in full. */
  fullReads: number;
  /** Tasks that the store gave without history and artifacts. */
  lightReads: number;
  /** The largest number of tasks that a list held at once, a chosen key counted as one: at most 100 + page size. */
  peakHeld: number;
}

/** A store and a policy that count what is asked of them. */
export interface Metered {
  readonly store: TaskStore;
  readonly policy: AccessPolicy;
  readonly counters: DispatcherCounters;
}

/** Puts counters before `store` and `policy`; neither's behaviour changes. */
export function meter(store: TaskStore, policy: AccessPolicy): Metered {
  const counters: DispatcherCounters = {
    batches: 0,
    storeCounts: 0,
    policyCalls: 0,
    fullReads: 0,
    lightReads: 0,
    peakHeld: 0,
  };
  const read = (projection: 'full' | 'light' | undefined, count: number): void => {
    if (projection === 'light') counters.lightReads += count;
    else counters.fullReads += count;
  };
  return {
    counters,
    store: {
      create: (task) => store.create(task),
      replace: (task, options) => store.replace(task, options),
      append: (taskId, message) => store.append(taskId, message),
      cancel: (taskId, options) => store.cancel(taskId, options),
      delete: (taskId) => store.delete(taskId),
      close: () => store.close(),
      async get(taskId, projection) {
        const stored = await store.get(taskId, projection);
        if (stored !== undefined) read(projection, 1);
        return stored;
      },
      async list(request) {
        counters.batches += 1;
        if (request.includeTotalSize !== false) counters.storeCounts += 1;
        const page = await store.list(request);
        read(request.projection, Array.isArray(page?.tasks) ? page.tasks.length : 0);
        return page;
      },
    },
    policy: {
      projection: policy.projection,
      ...(policy.scopeDecides !== undefined && { scopeDecides: policy.scopeDecides }),
      scopeTaskList: (caller, filter) => policy.scopeTaskList(caller, filter),
      canAccessTask(caller, task) {
        counters.policyCalls += 1;
        return policy.canAccessTask(caller, task);
      },
    },
  };
}
