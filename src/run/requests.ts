/** From the options of a program's steps to the requests that a subject gets. */
import type { ListOperation } from '../history/history.ts';
import type { PageOptions, Step, TaskLabel } from '../history/program.ts';
import type { StoreListRequest } from '../task/task.ts';
import { stateOf } from './content.ts';

/** Keeps of a step what says how a page is asked for. */
export function pageOptions(options: PageOptions): PageOptions {
  const { pageSize, filter, caller, total, artifacts, historyLength } = options;
  return {
    ...(pageSize === undefined ? {} : { pageSize }),
    ...(filter === undefined ? {} : { filter }),
    ...(caller === undefined ? {} : { caller }),
    ...(total === undefined ? {} : { total }),
    ...(artifacts === undefined ? {} : { artifacts }),
    ...(historyLength === undefined ? {} : { historyLength }),
  };
}

/** The same as the fields of a list operation. */
export function listFields(options: PageOptions): Omit<ListOperation, 'op'> {
  const { artifacts, ...rest } = pageOptions(options);
  return { ...rest, ...(artifacts === undefined ? {} : { includeArtifacts: artifacts }) };
}

/** The request that a list operation sends, with its token or another. A field that is not named is not there. */
export function requestOf(
  operation: Omit<ListOperation, 'op'>,
  token: string = operation.token ?? '',
): StoreListRequest {
  const { filter, pageSize, total, includeArtifacts, historyLength } = operation;
  const request: Writable<StoreListRequest> = { pageToken: token };
  if (pageSize !== undefined) request.pageSize = pageSize;
  if (filter?.context !== undefined) request.contextId = filter.context;
  if (filter?.state !== undefined) request.status = stateOf(filter.state);
  if (filter?.after !== undefined) request.statusTimestampAfter = filter.after;
  if (total !== undefined) request.includeTotalSize = total;
  if (includeArtifacts !== undefined) request.includeArtifacts = includeArtifacts;
  if (historyLength !== undefined) request.historyLength = historyLength;
  return request;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Puts a task's status time in the place of `=A` in the filter of a step; undefined where that task has none. Digits below
 * the millisecond are cut: A2A asks for no more (§5.6.1), and then the task itself is selected by either reading.
 */
export function withStatusTime(step: Step, timeOf: (task: TaskLabel) => string | undefined): Step | undefined {
  const filter = 'filter' in step ? step.filter : undefined;
  if (filter?.after?.startsWith('=') !== true) return step;
  const millis = Date.parse(timeOf(filter.after.slice(1)) ?? '');
  return Number.isNaN(millis)
    ? undefined
    : ({ ...step, filter: { ...filter, after: new Date(millis).toISOString() } } as Step);
}

/** The ids that a `fill` of so many gives. */
export function filledIds(id: string, count: number): string[] {
  return Array.from({ length: count }, (_, number) => filledId(id, number));
}

/** The id that a `fill` gives its task of this number. */
export function filledId(id: string, number: number): string {
  return `${id}-${String(number).padStart(7, '0')}`;
}
