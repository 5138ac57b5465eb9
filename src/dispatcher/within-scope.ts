/** The choice of a page where the scope alone decides what is accessible: the store's own page, and its own count. */
import { InternalError } from '../task/errors.ts';
import type { TaskCursor } from '../task/task.ts';
import { compareCursors } from './boundaries.ts';
import type { DispatcherContext } from './context.ts';
import type { NarrowedFilter } from './narrow.ts';
import type { TaskScope } from './policy.ts';
import { readBatch } from './scan.ts';
import type { Selected } from './selection.ts';

/** What is chosen from. */
export interface WithinScope {
  readonly scope: TaskScope;
  readonly filter: NarrowedFilter;
  readonly boundary: TaskCursor | undefined;
  readonly pageToken: string;
  readonly pageSize: number;
  readonly includeTotalSize: boolean;
}

/**
 * Chooses the page that the store gives, and takes its count for the total: both are of one state (COUNT-1). A store is
 * not believed: rejects with `internal` for unsound boundaries, a page that does not lie below its own boundary, a task
 * out of scope, and a count that is none (AUTH-5).
 */
export async function selectWithinScope(
  { store, parts }: DispatcherContext,
  { scope, filter, boundary, pageToken, pageSize, includeTotalSize }: WithinScope,
): Promise<Selected> {
  const request = { ...filter, pageSize, pageToken, includeTotalSize, includeArtifacts: false } as const;
  const page = await readBatch(() => store.list({ ...request, projection: 'light' }), true);
  const chosen = parts.alignedCursors(page, undefined, pageSize);
  const [first] = chosen;
  if (boundary !== undefined && first !== undefined && compareCursors(boundary, first) >= 0) throw new InternalError();
  const { contextIds } = scope;
  if (contextIds !== 'all' && page.tasks.some(({ contextId }) => !contextIds.includes(contextId))) {
    throw new InternalError();
  }
  const { totalSize: total = 0 } = page;
  if (includeTotalSize && !(Number.isSafeInteger(page.totalSize) && total >= chosen.length)) throw new InternalError();
  return { chosen, total, more: page.nextPageToken !== '' };
}
