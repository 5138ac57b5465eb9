/** The place between a dispatcher and its store and policy, where a harness may stand. */
import type { AccessPolicy } from '../dispatcher/policy.ts';
import type { Projection } from '../task/task.ts';
import type { TaskStore } from '../task/task-store.ts';
import type { Beneath, Interceptor } from './subject.ts';

/** The place, and what the dispatcher is given in place of the real things. */
export interface BeneathPlace {
  readonly beneath: Beneath;
  readonly policy: AccessPolicy;
  /** Gives the store as the dispatcher shall see it. */
  over(store: TaskStore): TaskStore;
}

/** Makes the place; while nobody stands there it changes nothing. `rebuilt` makes the dispatcher read its policy anew. */
export function createBeneathPlace(policy: AccessPolicy, policyLimitMs: number, rebuilt: () => void): BeneathPlace {
  let interceptor: Interceptor | undefined;
  let projection: Projection = policy.projection;
  return {
    beneath: {
      policyLimitMs,
      intercept: (stands) => {
        interceptor = stands;
      },
      setProjection: (wanted) => {
        projection = wanted;
        rebuilt();
      },
    },
    policy: {
      get projection() {
        return projection;
      },
      scopeTaskList(caller, filter) {
        const ask = () => policy.scopeTaskList(caller, filter);
        return (interceptor ? interceptor.scope(caller, ask) : ask()) as ReturnType<typeof ask>;
      },
      canAccessTask(caller, task) {
        const ask = () => policy.canAccessTask(caller, task);
        return (interceptor ? interceptor.access(caller, task, ask) : ask()) as ReturnType<typeof ask>;
      },
    },
    over: (store) => ({
      create: (task) => store.create(task),
      replace: (task, options) => store.replace(task, options),
      append: (taskId, message) => store.append(taskId, message),
      cancel: (taskId, options) => store.cancel(taskId, options),
      delete: (taskId) => store.delete(taskId),
      close: () => store.close(),
      get(taskId, wanted) {
        const read = () => store.get(taskId, wanted);
        return interceptor ? interceptor.get(taskId, wanted, read) : read();
      },
      list: (request) => (interceptor ? interceptor.list(request, (asked) => store.list(asked)) : store.list(request)),
    }),
  };
}
