/** Stores to put a dispatcher or an agent on: how they are opened, and what they can do. */
import { createMemoryTaskStore, type MemoryTaskStore } from '../store/memory.ts';
import type { Clock } from '../task/clock.ts';
import type { TaskStore } from '../task/task-store.ts';
import { MEMORY_EPOCH_MICROS, memoryCapabilities } from './memory.ts';
import type { Capabilities, Counters } from './subject.ts';

/** One open store, with what a harness does to it behind its callers' backs. */
export interface BackingStore {
  readonly store: TaskStore;
  setClock?(micros: bigint): void;
  counters?(): Counters;
  /** Opens a store anew on the same data, as a new process would; the one before takes no calls after that. */
  reopen?(): Promise<TaskStore>;
  /** Closes the store and removes its data. */
  close(): Promise<void>;
}

/** A source of fresh, empty stores. */
export interface StoreBacking {
  readonly name: string;
  readonly capabilities: Pick<Capabilities, 'clock' | 'ties' | 'ids'>;
  open(): Promise<BackingStore>;
  /** As a subject's. */
  readonly lanes?: number;
  /** Prepares what all stores share. */
  start?(): Promise<void>;
  stop?(): Promise<void>;
}

/** The same backing for a subject beside the one that starts and stops it. */
export function unmanaged({ start: _, stop: __, ...backing }: StoreBacking): StoreBacking {
  return backing;
}

/** Backs with in-memory stores, each on a clock that stands still until it is set. */
export function memoryBacking(
  newStore: (clock: Clock) => MemoryTaskStore = (clock) => createMemoryTaskStore({ clock }),
): StoreBacking {
  const { clock, ties, ids } = memoryCapabilities;
  return {
    name: 'memory',
    capabilities: { clock, ties, ids },
    async open() {
      let now = MEMORY_EPOCH_MICROS;
      const store = newStore(() => now);
      return {
        store,
        setClock(micros) {
          now = micros;
        },
        counters: () => ({ ...store.counters() }),
        close: () => store.close(),
      };
    },
  };
}
