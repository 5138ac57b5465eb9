/** What a list request asks for, read once and checked before anything of the store is looked at. */
import { InvalidArgumentError } from '../task/errors.ts';
import { type StoreListRequest, type Task, TaskState } from '../task/task.ts';
import { compareInstants, parseInstant } from './instant.ts';
import { checkContextId } from './position.ts';
import { type CopyExtent, lightTask, wholeTask } from './task-copy.ts';

/** Says whether a task is one of those asked for, its context apart. */
export type TaskPredicate = (task: Task) => boolean;

/**
 * Reads the page size: 1 to 100, 50 where absent (A2A 1.0 §3.1.4). Throws `invalid-argument` for anything else,
 * zero, fractions and NaN included (WIRE-5).
 */
export function readPageSize(pageSize: number | undefined): number {
  if (pageSize === undefined) return 50;
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > 100) {
    throw new InvalidArgumentError('The page size is a whole number from 1 to 100');
  }
  return pageSize;
}

/**
 * Reads which contexts are asked for: those of the caller's scope, narrowed by the request's own (AUTH-1). Undefined
 * means all, an empty list none. Throws `invalid-argument` for a context id that no store can keep.
 */
export function readContexts(request: StoreListRequest): readonly string[] | undefined {
  const { contextId, contextIds } = request;
  if (!contextId) return contextIds === undefined ? undefined : [...new Set(contextIds)];
  checkContextId(contextId);
  return contextIds === undefined || contextIds.includes(contextId) ? [contextId] : [];
}

/**
 * Reads the filters on status and status timestamp; undefined where the request has neither, so that such a list need
 * look at no task. A state of 0 selects all. The timestamp selects tasks at that instant or later, compared to the
 * nanosecond whatever the offsets; tasks without one, or with one that is no RFC 3339 text, are not among them
 * (A2A 1.0 §3.1.4). Throws `invalid-argument` for an unknown state or a bad timestamp.
 */
export function readPredicate(request: StoreListRequest): TaskPredicate | undefined {
  const { status, statusTimestampAfter } = request;
  if (status && (status === TaskState.UNRECOGNIZED || TaskState[status] === undefined)) {
    throw new InvalidArgumentError('The status is not a known task state');
  }
  const after = statusTimestampAfter ? parseInstant(statusTimestampAfter) : undefined;
  if (statusTimestampAfter && after === undefined) {
    throw new InvalidArgumentError('The status timestamp is not an RFC 3339 timestamp');
  }
  if (!status && after === undefined) return undefined;
  return (task) => {
    if (status && task.status?.state !== status) return false;
    if (after === undefined) return true;
    const instant = parseInstant(task.status?.timestamp ?? '');
    return instant !== undefined && compareInstants(instant, after) >= 0;
  };
}

/**
 * Reads what of each task a page carries: artifacts only where asked for, the most recent messages, all where no
 * length is given. Throws `invalid-argument` for a history length that is not a whole number from 0.
 */
export function readExtent(request: StoreListRequest): CopyExtent {
  const { historyLength } = request;
  if (historyLength !== undefined && (!Number.isInteger(historyLength) || historyLength < 0)) {
    throw new InvalidArgumentError('The history length is a whole number, not negative');
  }
  if (request.projection === 'light') return lightTask;
  return { artifacts: request.includeArtifacts === true, historyLength: historyLength ?? wholeTask.historyLength };
}
