/** The tasks of an in-memory store with the indexes over them, kept in step. */
import type { Task } from '../task/task.ts';
import type { TaskIndex } from './ordered-index.ts';
import type { Position } from './position.ts';

/** One version of a task. A mutation makes another record: nothing of a stored one ever changes. */
export interface TaskRecord extends Position {
  /** The context that the record is indexed under. */
  readonly contextId: string;
  readonly revision: number;
  readonly task: Task;
}

/** The current record of each id. A `Map`, since a plain object has no entry `__proto__` (STORE-3). */
export interface RecordMap {
  readonly size: number;
  get(id: string): TaskRecord | undefined;
  set(id: string, record: TaskRecord): void;
  delete(id: string): void;
}

/**
 * The records, an index over all of them and one over each context. A change costs O(log n). It never waits: whoever
 * reads between two calls sees one state (SNAP-1).
 */
export class TaskTable {
  readonly records: RecordMap;
  readonly index: TaskIndex<TaskRecord>;
  private readonly contexts = new Map<string, TaskIndex<TaskRecord>>();
  private readonly newIndex: () => TaskIndex<TaskRecord>;

  constructor(records: RecordMap, newIndex: () => TaskIndex<TaskRecord>) {
    this.records = records;
    this.newIndex = newIndex;
    this.index = newIndex();
  }

  /** The index over one context; undefined where no task is in it. */
  context(contextId: string): TaskIndex<TaskRecord> | undefined {
    return this.contexts.get(contextId);
  }

  /** Adds the first record of an id. */
  insert(record: TaskRecord): void {
    this.records.set(record.id, record);
    this.index.insert(record);
    this.enter(record);
  }

  /** Puts a record in the place of the one that it follows, in whichever context that was. */
  replace(old: TaskRecord, record: TaskRecord): void {
    this.records.set(record.id, record);
    this.index.replace(old, record);
    if (old.contextId === record.contextId) this.contexts.get(old.contextId)?.replace(old, record);
    else {
      this.leave(old);
      this.enter(record);
    }
  }

  /** Removes an id with its record. */
  remove(record: TaskRecord): void {
    this.records.delete(record.id);
    this.index.remove(record);
    this.leave(record);
  }

  private enter(record: TaskRecord): void {
    let context = this.contexts.get(record.contextId);
    if (context === undefined) {
      context = this.newIndex();
      this.contexts.set(record.contextId, context);
    }
    context.insert(record);
  }

  private leave(record: TaskRecord): void {
    const context = this.contexts.get(record.contextId);
    context?.remove(record);
    if (context?.size === 0) this.contexts.delete(record.contextId);
  }
}
