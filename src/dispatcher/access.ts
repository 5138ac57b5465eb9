/** The policy behind a guard: its answers are checked, timed, and fail closed (AUTH-5). */
import { InternalError } from '../task/errors.ts';
import type { Task } from '../task/task.ts';
import type { AccessPolicy, TaskFilter, TaskScope } from './policy.ts';
import { lightTask } from './projection.ts';
import { withinLimit } from './time-limit.ts';

/** Asks the policy; every method rejects with `internal`, without detail, where the policy gives no proper answer. */
export interface Access {
  readonly projection: AccessPolicy['projection'];
  /** True where a task is accessible exactly where its context is in scope. */
  readonly scopeDecides: boolean;
  scope(caller: string, filter: TaskFilter): Promise<TaskScope>;
  /** One answer a task, at the same position. The tasks are asked about together: a slow policy costs one wait a batch. */
  allows(caller: string, scope: TaskScope, tasks: readonly Task[]): Promise<readonly boolean[]>;
}

/** Puts `policy` behind the guard; `timeoutMs` bounds the wait for its answers, once a scope and once a batch. */
export function createAccess(policy: AccessPolicy, timeoutMs: number): Access {
  const { projection, scopeDecides = false } = policy;
  if (projection !== 'full' && projection !== 'light') {
    throw new TypeError('A policy declares the projection "full" or "light"');
  }

  if (typeof scopeDecides !== 'boolean') throw new TypeError('scopeDecides is true, false or absent');

  return {
    projection,
    scopeDecides,

    async scope(caller, filter) {
      const answer = await answered(() => [policy.scopeTaskList(caller, { ...filter })], timeoutMs);
      const scope = answer[0];
      if (!isScope(scope)) throw new InternalError();
      return scope;
    },

    async allows(caller, scope, tasks) {
      const ask = (task: Task): boolean | Promise<boolean> =>
        inScope(scope, task) &&
        (scopeDecides || policy.canAccessTask(caller, projection === 'light' ? lightTask(task) : task));
      const answers = await answered(() => tasks.map((task) => settle(() => ask(task))), timeoutMs);
      if (answers.some((answer) => typeof answer !== 'boolean')) throw new InternalError();
      return answers as readonly boolean[];
    },
  };
}

/** Tells whether a scope covers the context of a task; the store was asked for nothing else, but is not believed. */
function inScope(scope: TaskScope, task: Task): boolean {
  return scope.contextIds === 'all' || scope.contextIds.includes(task.contextId);
}

async function answered(ask: () => readonly unknown[], timeoutMs: number): Promise<readonly unknown[]> {
  try {
    const answers = ask();
    // A policy that answers at once costs neither a timer nor a turn of the event loop.
    return answers.some(isThenable) ? await withinLimit(Promise.all(answers), timeoutMs) : answers;
  } catch (cause) {
    throw new InternalError(undefined, { cause });
  }
}

/** Turns an exception into a rejection, so that the promises of the tasks before it are still looked after. */
function settle(ask: () => unknown): unknown {
  try {
    return ask();
  } catch (error) {
    return Promise.reject(error);
  }
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

function isScope(value: unknown): value is TaskScope {
  if (typeof value !== 'object' || value === null) return false;
  const { contextIds } = value as { contextIds?: unknown };
  return contextIds === 'all' || (Array.isArray(contextIds) && contextIds.every((id) => typeof id === 'string'));
}
