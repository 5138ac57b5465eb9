/** The access policy of the bundled subjects: a plain table, in which everything is allowed until it is denied. */
import type { AccessPolicy } from '../dispatcher/policy.ts';
import type { Projection } from '../task/task.ts';

/** The table with its policy. */
export interface AccessTable {
  readonly policy: AccessPolicy;
  /** Lets `caller` access the task with this id, or not; also before there is such a task. */
  setAccess(caller: string, taskId: string, allowed: boolean): void;
  /** Narrows the lists of `caller` to these contexts; `'all'` lifts it. */
  setScope(caller: string, contextIds: readonly string[] | 'all'): void;
}

/** Makes an empty table: every caller may access every task. */
export function createAccessTable(projection: Projection = 'light'): AccessTable {
  const denied = new Map<string, Set<string>>();
  const scopes = new Map<string, readonly string[]>();
  return {
    setAccess(caller, taskId, allowed) {
      const ids = denied.get(caller) ?? new Set<string>();
      if (allowed) ids.delete(taskId);
      else ids.add(taskId);
      denied.set(caller, ids);
    },
    setScope(caller, contextIds) {
      if (contextIds === 'all') scopes.delete(caller);
      else scopes.set(caller, [...contextIds]);
    },
    policy: {
      projection,
      scopeTaskList: (caller) => ({ contextIds: scopes.get(caller) ?? 'all' }),
      canAccessTask: (caller, task) => denied.get(caller)?.has(task.id) !== true,
    },
  };
}
