/** The in-memory task store: a map of records with ordered indexes over all of them and over each context. */
import { type Clock, wallClock } from '../task/clock.ts';
import {
  InvalidArgumentError,
  RevisionConflictError,
  TaskAlreadyExistsError,
  TaskNotCancelableError,
  TaskNotFoundError,
  TaskStoreError,
} from '../task/errors.ts';
import {
  isTerminal,
  type Message,
  type Projection,
  type StoredTask,
  type StoreListPage,
  type StoreListRequest,
  type Task,
  TaskState,
} from '../task/task.ts';
import type { AppendResult, TaskStore } from '../task/task-store.ts';
import { readContexts, readExtent } from './filter.ts';
import { formatMicros } from './instant.ts';
import { type Change, cursorOf, type MemoryParts, memoryParts } from './memory-parts.ts';
import type { IndexCounters } from './ordered-index.ts';
import { checkContextId, utf8Bytes } from './position.ts';
import { copyMessage, lightTask, wholeTask } from './task-copy.ts';
import { type TaskRecord, TaskTable } from './task-table.ts';

/** What a store did since it was made. */
export interface MemoryCounters extends IndexCounters {
  /** Totals computed. */
  counts: number;
  /** Tasks copied for a caller. */
  copies: number;
}

/** How an in-memory store is made. */
export interface MemoryStoreOptions {
  /** The wall clock where absent. */
  readonly clock?: Clock;
  /** Parts that stand in for the store's own. */
  readonly parts?: Partial<MemoryParts>;
}

/** A task store that tells what its work cost. */
export interface MemoryTaskStore extends TaskStore {
  counters(): MemoryCounters;
}

/**
 * Makes an empty store under the contract, scope I. Every method does its work before it returns its promise: nothing
 * is awaited in between, so that JavaScript's single thread is the one shared lock (SNAP-1, SNAP-2). A write costs
 * O(log n), an unfiltered page O(log n + page size) at any depth, its exact total nothing.
 */
export function createMemoryTaskStore(options: MemoryStoreOptions = {}): MemoryTaskStore {
  return new MemoryStore(options);
}

class MemoryStore implements MemoryTaskStore {
  private readonly clock: Clock;
  private readonly parts: MemoryParts;
  private readonly table: TaskTable;
  private readonly tally: MemoryCounters = { comparisons: 0, visits: 0, indexSteps: 0, counts: 0, copies: 0 };

  constructor({ clock = wallClock, parts }: MemoryStoreOptions) {
    this.clock = clock;
    this.parts = { ...memoryParts, ...parts };
    this.table = new TaskTable(this.parts.newRecords(), () => this.parts.newIndex(this.tally));
  }

  async create(task: Task): Promise<StoredTask> {
    const copy = this.take(task);
    if (this.table.records.get(copy.id) !== undefined) throw new TaskAlreadyExistsError();
    return this.write({ kind: 'create', before: undefined, task: copy });
  }

  async replace(task: Task, options: { readonly ifRevision?: number } = {}): Promise<StoredTask> {
    const copy = this.take(task);
    const before = this.find(copy.id);
    if (options.ifRevision !== undefined && options.ifRevision !== before.revision) throw new RevisionConflictError();
    return this.write({ kind: 'replace', before, task: copy });
  }

  async append(taskId: string, message: Message): Promise<AppendResult> {
    const before = this.find(taskId);
    const { history } = before.task;
    if (history.some(({ messageId }) => messageId === message.messageId)) {
      return { stored: this.give(before), deduplicated: true };
    }
    // The other messages are shared with the record before: stored contents never change.
    const task = { ...before.task, history: [...history, wellFormed(() => copyMessage(message))] };
    return { stored: this.write({ kind: 'append', before, task }), deduplicated: false };
  }

  async cancel(taskId: string, options: { readonly timestamp?: string } = {}): Promise<StoredTask> {
    const before = this.find(taskId);
    if (isTerminal(before.task.status?.state)) throw new TaskNotCancelableError();
    const timestamp = options.timestamp ?? formatMicros(this.clock());
    const status = { state: TaskState.TASK_STATE_CANCELED, message: undefined, timestamp };
    return this.write({ kind: 'cancel', before, task: { ...before.task, status } });
  }

  async delete(taskId: string): Promise<void> {
    this.table.remove(this.find(taskId));
  }

  async get(taskId: string, projection: Projection = 'full'): Promise<StoredTask | undefined> {
    this.parts.idBytes(taskId);
    const record = this.table.records.get(taskId);
    return record && this.give(record, projection);
  }

  async list(request: StoreListRequest): Promise<StoreListPage> {
    const { parts, table, tally } = this;
    // The token first: what is wrong with it shows whatever else is asked, and whatever is stored (TOKEN-4).
    const cursor = request.pageToken ? parts.codec.decode(request.pageToken) : undefined;
    const query = {
      after: cursor && { micros: cursor.lastUpdatedMicros, id: cursor.id, idBytes: utf8Bytes(cursor.id) },
      pageSize: parts.pageSize(request.pageSize),
      contexts: readContexts(request),
      matches: parts.predicate(request),
    };
    const extent = readExtent(request);

    const selection = parts.select(table, query);
    tally.copies += selection.records.length;
    const tasks = selection.records.map((record) => parts.copyOut(record.task, extent));
    const taskCursors = selection.records.map(cursorOf);
    const nextPageToken = selection.next === undefined ? '' : parts.codec.encode(parts.boundary(selection));
    const { pageSize } = query;
    if (request.includeTotalSize === false) return { tasks, taskCursors, nextPageToken, pageSize };
    tally.counts++;
    return { tasks, taskCursors, nextPageToken, pageSize, totalSize: parts.count(table, query, selection) };
  }

  async close(): Promise<void> {}

  counters(): MemoryCounters {
    return { ...this.tally };
  }

  /** Checks a caller's task and makes it the store's own, before anything is looked up or changed. */
  private take(task: Task): Task {
    const copy = wellFormed(() => this.parts.copyIn(task));
    this.parts.idBytes(copy.id);
    checkContextId(copy.contextId);
    return copy;
  }

  private find(taskId: string): TaskRecord {
    this.parts.idBytes(taskId);
    const record = this.table.records.get(taskId);
    if (record === undefined) throw new TaskNotFoundError();
    return record;
  }

  /** Makes a change whole: whatever may fail comes before the first thing that is written (TIME-3, TIME-5). */
  private write(change: Change): StoredTask {
    const { before, task } = change;
    const record: TaskRecord = {
      id: task.id,
      idBytes: before === undefined ? this.parts.idBytes(task.id) : before.idBytes,
      micros: this.parts.advance(this.clock(), change),
      contextId: this.parts.contextOf(change),
      revision: before === undefined ? 1 : before.revision + 1,
      task,
    };
    if (before === undefined) this.table.insert(record);
    else this.table.replace(before, record);
    return this.give(record);
  }

  private give(record: TaskRecord, projection: Projection = 'full'): StoredTask {
    this.tally.copies++;
    return {
      task: this.parts.copyOut(record.task, projection === 'light' ? lightTask : wholeTask),
      revision: record.revision,
      lastUpdatedMicros: record.micros,
    };
  }
}

/** Reads a caller's object; what does not have the shape that its type promises is the caller's error. */
function wellFormed<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof TaskStoreError) throw error;
    throw new InvalidArgumentError('Not a well-formed task or message');
  }
}
