/** A list request, checked, as the pieces of its statements. */
import { InvalidArgumentError } from '../task/errors.ts';
import type { StoreListRequest } from '../task/task.ts';
import { readContexts, readExtent, readPageSize, readPredicate } from './filter.ts';
import { parseInstant } from './instant.ts';
import { checkStorableContext, isStorableId } from './postgres-ids.ts';
import type { PostgresParts } from './postgres-parts.ts';
import type { ListShape } from './postgres-statements.ts';
import type { CopyExtent } from './task-copy.ts';

/** What a list sends and how it reads the answer. */
export interface ListPlan {
  readonly shape: ListShape;
  /** Contexts, status, seconds and nanoseconds, each where the shape has it. */
  readonly filterValues: readonly unknown[];
  /** The boundary's time and id; empty for a first page. */
  readonly boundary: readonly unknown[];
  readonly extent: CopyExtent;
  readonly pageSize: number;
  readonly counted: boolean;
  /** The caller's scope and the request have no context in common: the answer is empty (AUTH-1). */
  readonly nothing: boolean;
}

/** Checks the whole request, the token first. Throws `invalid-argument`, the same whatever the database holds (TOKEN-4). */
export function readListRequest(
  request: StoreListRequest,
  parts: Pick<PostgresParts, 'tokens' | 'boundary'>,
): ListPlan {
  const { pageToken = '', contextId, status, statusTimestampAfter } = request;
  if (typeof pageToken !== 'string') throw new InvalidArgumentError('Invalid page token');
  const boundary = pageToken === '' ? [] : parts.boundary(parts.tokens.decode(pageToken));
  const pageSize = readPageSize(request.pageSize);
  const extent = readExtent(request);
  // Its conditions are SQL here; its checks are those of every store.
  readPredicate(request);
  if (contextId) checkStorableContext(contextId);
  // A scope may name contexts that no task here can have: they allow nothing.
  const contexts = readContexts(request)?.filter(isStorableId);
  const since = statusTimestampAfter ? parseInstant(statusTimestampAfter) : undefined;
  return {
    shape: {
      context: contexts === undefined ? 'any' : contexts.length === 1 ? 'one' : 'several',
      status: Boolean(status),
      since: since !== undefined,
      boundary: boundary.length > 0,
    },
    filterValues: [
      ...(contexts === undefined ? [] : [contexts]),
      ...(status ? [status] : []),
      ...(since ? [since.seconds, since.nanos] : []),
    ],
    boundary,
    extent,
    pageSize,
    counted: request.includeTotalSize !== false,
    nothing: contexts?.length === 0,
  };
}
