/** The authorization scan: every matching task, in batches, each checked (AUTH-2, AUTH-6). */
import { InternalError, InvalidArgumentError } from '../task/errors.ts';
import type { StoreListPage, TaskCursor } from '../task/task.ts';
import type { DispatcherContext } from './context.ts';
import type { NarrowedFilter } from './narrow.ts';
import type { TaskScope } from './policy.ts';
import type { Observation } from './selection.ts';

/** The most tasks that a scan asks the store for at once, and holds. */
export const BATCH_SIZE = 100;

/** Batches between two turns of the event loop: a long scan over a store in memory must not stop all other callers. */
const BATCHES_A_TURN = 8;

/** What a scan is about. */
export interface ScanRequest {
  readonly caller: string;
  readonly scope: TaskScope;
  readonly filter: NarrowedFilter;
  /** Where to start: the token of a boundary, or empty for the top. */
  readonly from: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Observes the tasks that match, batch by batch, newest first. The store is asked without counts and for what the
 * policy wants to see, no more. The end is an empty token, not a short batch: a store may give less than was asked for.
 * Rejects with `internal` for unsound boundaries, a failing policy or store, and after an abort.
 */
export async function* observeTasks(
  { store, access, parts }: DispatcherContext,
  { caller, scope, filter, from, signal }: ScanRequest,
): AsyncGenerator<readonly Observation[]> {
  let pageToken = from;
  let previous: TaskCursor | undefined;
  for (let batch = 1; ; batch += 1) {
    if (signal?.aborted) throw new InternalError();
    const page = await readBatch(
      () =>
        store.list({
          ...filter,
          pageSize: BATCH_SIZE,
          pageToken,
          includeTotalSize: false,
          includeArtifacts: access.projection === 'full',
          projection: access.projection,
        }),
      batch === 1,
    );
    const cursors = parts.alignedCursors(page, previous, BATCH_SIZE);
    const allowed = await parts.allows(access, caller, scope, page.tasks);
    yield cursors.map((cursor, position) => ({ cursor, allowed: allowed[position] === true }));
    if (page.nextPageToken === '') return;
    pageToken = page.nextPageToken;
    previous = cursors.at(-1);
    if (batch % BATCHES_A_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Only the first batch carries what the caller sent, so only there can an invalid argument be the caller's. */
export async function readBatch(read: () => Promise<StoreListPage>, first: boolean): Promise<StoreListPage> {
  try {
    return await read();
  } catch (cause) {
    if (first && cause instanceof InvalidArgumentError) throw cause;
    throw new InternalError(undefined, { cause });
  }
}
