/** A list as the contract reads it: filter, sort, cut after a boundary. Slow and plainly right. */
import type { Contents } from '../src/history/history.ts';
import type { Filter } from '../src/history/program.ts';
import { parseInstant } from './instant.ts';
import { compareKeys, type Key } from './key.ts';

/** Tells whether a filter selects a task (FILTER-1): conditions combine; a task without a timestamp is not after any. */
export function matches(contents: Contents, filter: Filter | undefined): boolean {
  if (filter === undefined) return true;
  if (filter.context !== undefined && filter.context !== '' && contents.context !== filter.context) return false;
  if (filter.state !== undefined && filter.state !== 'UNSPECIFIED' && contents.state !== filter.state) return false;
  if (filter.after !== undefined && filter.after !== '') {
    const from = parseInstant(filter.after);
    const own = contents.timestamp === undefined ? undefined : parseInstant(contents.timestamp);
    if (from === undefined || own === undefined || own < from) return false;
  }
  return true;
}

/** Sorts into list order and keeps what lies strictly after the boundary; all where it is absent. */
export function listAfter<T extends Key>(tasks: readonly T[], boundary: Key | undefined): T[] {
  return tasks.filter((task) => boundary === undefined || compareKeys(boundary, task) < 0).sort(compareKeys);
}
