/** Which tasks a page shows, and how many match in all. */
import type { TaskPredicate } from './filter.ts';
import type { TaskIndex } from './ordered-index.ts';
import { comparePositions, type Position } from './position.ts';
import type { TaskRecord, TaskTable } from './task-table.ts';

/** A list request, read and checked. */
export interface ListQuery {
  /** The boundary: only what is listed after it; from the start where undefined. */
  readonly after: Position | undefined;
  readonly pageSize: number;
  /** The contexts asked for; undefined means all. */
  readonly contexts: readonly string[] | undefined;
  /** The other filters; undefined where there are none. */
  readonly matches: TaskPredicate | undefined;
}

/** The records of a page, at most `pageSize`, and the one that follows them; undefined where the list ends. */
export interface PageSelection {
  readonly records: readonly TaskRecord[];
  readonly next: TaskRecord | undefined;
}

/**
 * Selects the matching records after the boundary, newest first. It looks one further than the page, so that a list
 * that ends with the page has no token (WALK-6). Without filters other than contexts, it visits at most page size + 1
 * entries an index (COST-2); the boundary's own task is never looked for (TOKEN-5).
 */
export function selectPage(table: TaskTable, query: ListQuery): PageSelection {
  const { after, pageSize, matches } = query;
  const accept = matches && ((record: TaskRecord) => matches(record.task));
  const parts = indexesFor(table, query).map((index) => index.scan(after, pageSize + 1, accept));
  const found = parts.length === 1 ? parts[0]! : parts.flat().sort(comparePositions);
  return { records: found.slice(0, pageSize), next: found[pageSize] };
}

/**
 * Counts the matching records, wherever the boundary is (COUNT-1): at once where contexts are the only filter, else by
 * looking at all of them.
 */
export function countMatching(table: TaskTable, query: ListQuery): number {
  const { matches, contexts } = query;
  if (matches === undefined && contexts === undefined) return table.records.size;
  let count = 0;
  for (const index of indexesFor(table, query)) {
    if (matches === undefined) count += index.size;
    else {
      // Nothing is accepted, so that nothing is collected.
      index.scan(undefined, 1, ({ task }) => {
        if (matches(task)) count++;
        return false;
      });
    }
  }
  return count;
}

function indexesFor(table: TaskTable, query: ListQuery): TaskIndex<TaskRecord>[] {
  if (query.contexts === undefined) return [table.index];
  return query.contexts.map((contextId) => table.context(contextId)).filter((index) => index !== undefined);
}
