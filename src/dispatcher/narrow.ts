/** The intersection of what a caller asks for and what its scope allows (AUTH-1). */
import type { StoreListRequest } from '../task/task.ts';
import type { TaskFilter, TaskScope } from './policy.ts';

/** What the store is asked to match. */
export type NarrowedFilter = TaskFilter & Pick<StoreListRequest, 'contextIds'>;

/**
 * Narrows the request's filters by the scope. Undefined where nothing is left: a context outside the scope, or an empty
 * scope. The store is not asked then, since a store of another's making may read an empty list as "no filter".
 */
export function narrowFilter(filter: TaskFilter, scope: TaskScope): NarrowedFilter | undefined {
  const { contextIds } = scope;
  if (contextIds === 'all') return filter;
  if (filter.contextId) return contextIds.includes(filter.contextId) ? filter : undefined;
  return contextIds.length === 0 ? undefined : { ...filter, contextIds: [...new Set(contextIds)] };
}
