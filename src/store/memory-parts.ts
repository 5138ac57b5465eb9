/** What the in-memory store is made of. A faulty store is the same one with a part replaced. */
import type { StoreListRequest, Task, TaskCursor } from '../task/task.ts';
import { type PageTokenCodec, pageTokenV1 } from '../token/page-token.ts';
import { readPageSize, readPredicate, type TaskPredicate } from './filter.ts';
import { nextUpdateMicros } from './last-update.ts';
import { type IndexCounters, OrderedIndex, type TaskIndex } from './ordered-index.ts';
import { countMatching, type ListQuery, type PageSelection, selectPage } from './page-selection.ts';
import { idBytesOf } from './position.ts';
import { type CopyExtent, copyTask } from './task-copy.ts';
import type { RecordMap, TaskRecord, TaskTable } from './task-table.ts';

/** A mutation that is about to happen. */
export interface Change {
  readonly kind: 'create' | 'replace' | 'append' | 'cancel';
  /** The task as it stands; undefined for a create. */
  readonly before: TaskRecord | undefined;
  /** Its contents to be, already the store's own copy. */
  readonly task: Task;
}

/** The parts of an in-memory store; each is given its own state, if it has any, when the store is made. */
export interface MemoryParts {
  readonly codec: PageTokenCodec;
  /** Gives an id's UTF-8 bytes, one a character; throws `invalid-argument` for an id that is not taken. */
  readonly idBytes: (id: string) => string;
  readonly newRecords: () => RecordMap;
  readonly newIndex: (counters: IndexCounters) => TaskIndex<TaskRecord>;
  /** Gives the time of a mutation; throws where there is none left. */
  readonly advance: (nowMicros: bigint, change: Change) => bigint;
  /** Gives the context that a task is indexed under. */
  readonly contextOf: (change: Change) => string;
  /** Copies a caller's task for the store. */
  readonly copyIn: (task: Task) => Task;
  /** Copies a stored task, or some of it, for a caller. */
  readonly copyOut: (task: Task, extent: CopyExtent) => Task;
  readonly pageSize: (requested: number | undefined) => number;
  readonly predicate: (request: StoreListRequest) => TaskPredicate | undefined;
  readonly select: (table: TaskTable, query: ListQuery) => PageSelection;
  /** Gives the boundary that the next page starts after; only asked where `selection.next` is there. */
  readonly boundary: (selection: PageSelection) => TaskCursor;
  readonly count: (table: TaskTable, query: ListQuery, selection: PageSelection) => number;
}

/** The parts of the right store. */
export const memoryParts: MemoryParts = {
  codec: pageTokenV1,
  idBytes: idBytesOf,
  newRecords: () => new Map(),
  newIndex: (counters) => new OrderedIndex(counters),
  advance: (nowMicros, { before }) => nextUpdateMicros(nowMicros, before?.micros),
  contextOf: ({ task }) => task.contextId,
  copyIn: copyTask,
  copyOut: copyTask,
  pageSize: readPageSize,
  predicate: readPredicate,
  select: selectPage,
  boundary: ({ records }) => cursorOf(records[records.length - 1]!),
  count: countMatching,
};

/** Gives the cursor of a record: its time at selection and its id (STORE-1). */
export function cursorOf(record: TaskRecord): TaskCursor {
  return { lastUpdatedMicros: record.micros, id: record.id };
}
