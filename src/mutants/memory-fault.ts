/** What a fault in the in-memory store is, and how its index, methods and records are tampered with. */
import { createMemoryTaskStore, type MemoryTaskStore } from '../store/memory.ts';
import { type Change, type MemoryParts, memoryParts } from '../store/memory-parts.ts';
import { type IndexCounters, OrderedIndex, type TaskIndex } from '../store/ordered-index.ts';
import type { TaskRecord } from '../store/task-table.ts';
import type { Clock } from '../task/clock.ts';

/** One row of the catalogue: how to make a store that is right but for one thing. */
export interface MemoryFault {
  readonly id: string;
  readonly fault: string;
  /** As in `Mutant`. */
  readonly breaks: readonly string[];
  /** As in `Mutant`. */
  readonly equivalent?: string;
  store(clock: Clock): MemoryTaskStore;
}

/** Makes stores with other parts; a function is asked anew for each store, so that its state is that store's own. */
export function withParts(parts: Partial<MemoryParts> | (() => Partial<MemoryParts>)): MemoryFault['store'] {
  return (clock) => createMemoryTaskStore({ clock, parts: typeof parts === 'function' ? parts() : parts });
}

/** Makes stores whose every index differs from the right one in some methods. */
export function withIndex(
  change: (index: TaskIndex<TaskRecord>, counters: IndexCounters) => Partial<TaskIndex<TaskRecord>>,
): MemoryFault['store'] {
  return withParts({
    newIndex: (counters) => {
      const index = new OrderedIndex<TaskRecord>(counters);
      return indexWith(index, change(index, counters));
    },
  });
}

/** Gives an index with some methods changed; what the changed ones call is the index's own. */
export function indexWith(
  index: TaskIndex<TaskRecord>,
  methods: Partial<TaskIndex<TaskRecord>>,
): TaskIndex<TaskRecord> {
  return {
    get size() {
      return methods.size ?? index.size;
    },
    insert: methods.insert ?? ((entry) => index.insert(entry)),
    remove: methods.remove ?? ((entry) => index.remove(entry)),
    replace: methods.replace ?? ((old, entry) => index.replace(old, entry)),
    scan: methods.scan ?? ((after, limit, accept) => index.scan(after, limit, accept)),
  };
}

/** Gives a store with some methods changed; the others, and what the changed ones call, are the store's own. */
export function withMethods(store: MemoryTaskStore, methods: Partial<MemoryTaskStore>): MemoryTaskStore {
  return Object.assign(Object.create(store) as MemoryTaskStore, methods);
}

/** Gives the time that the right store gives. */
export const advance: MemoryParts['advance'] = memoryParts.advance;

/** Gives the task's old time wherever `stays` says that this change doesn't count; the right time elsewhere. */
export function notAdvancing(stays: (change: Change, before: TaskRecord) => boolean): MemoryFault['store'] {
  return withParts({
    advance: (now, change) =>
      change.before !== undefined && stays(change, change.before) ? change.before.micros : advance(now, change),
  });
}

/** A stored record as only a faulty store sees it. */
export type WritableRecord = { -readonly [Key in keyof TaskRecord]: TaskRecord[Key] };
