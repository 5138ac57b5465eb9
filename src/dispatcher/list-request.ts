/** A list request, checked before anything depends on who calls or what the store holds (TOKEN-4, WIRE-5). */
import { readContexts, readExtent, readPageSize, readPredicate } from '../store/filter.ts';
import { InvalidArgumentError } from '../task/errors.ts';
import type { StoreListRequest, TaskCursor } from '../task/task.ts';
import { decodePageToken } from '../token/page-token.ts';
import type { TaskFilter } from './policy.ts';
import type { ProjectionRequest } from './projection.ts';

/** A list request as a caller sends it: the wire's fields, and whether the total is wanted. */
export type CallerListRequest = Omit<StoreListRequest, 'contextIds' | 'projection'>;

/** The same request, checked and completed. */
export interface CheckedListRequest {
  readonly filter: TaskFilter;
  /** The position after which the page starts; absent for the top. */
  readonly boundary: TaskCursor | undefined;
  readonly pageToken: string;
  readonly pageSize: number;
  readonly includeTotalSize: boolean;
  readonly projection: ProjectionRequest;
}

/**
 * Checks a request; the answer is the same for every caller and every store. Throws `invalid-argument` for a token that
 * is not a v1 boundary, a page size outside 1 to 100, a history length that is no whole number from 0, an unknown
 * status, and a timestamp that is not RFC 3339.
 */
export function checkListRequest(request: CallerListRequest): CheckedListRequest {
  const { contextId, status, statusTimestampAfter, pageToken = '', includeArtifacts, historyLength } = request;
  if (typeof pageToken !== 'string') throw new InvalidArgumentError('The page token is a text');
  const boundary = pageToken === '' ? undefined : decodePageToken(pageToken);
  const pageSize = readPageSize(request.pageSize);
  const filter = {
    ...(contextId && { contextId }),
    ...(status && { status }),
    ...(statusTimestampAfter && { statusTimestampAfter }),
  };
  // Read for what they refuse: a caller whose scope is empty must get the errors that all others get.
  readContexts(filter);
  readPredicate(filter);
  readExtent({ ...(historyLength !== undefined && { historyLength }) });
  return {
    filter,
    boundary,
    pageToken,
    pageSize,
    includeTotalSize: request.includeTotalSize !== false,
    projection: { includeArtifacts: includeArtifacts === true, historyLength },
  };
}
