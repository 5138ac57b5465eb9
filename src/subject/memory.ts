/** The in-memory store as a subject. */
import { createMemoryTaskStore, type MemoryTaskStore } from '../store/memory.ts';
import type { Clock } from '../task/clock.ts';
import type { Capabilities, Subject, SubjectStore } from './subject.ts';
import { storeMethods } from './task-store-methods.ts';

/** The time that a store's clock shows, standing still, until it is set. */
export const MEMORY_EPOCH_MICROS: bigint = 1_700_000_000_000_000n;

/** What the in-memory store supports: everything of scopes T and I. */
export const memoryCapabilities: Capabilities = {
  scope: ['T', 'I'],
  revisions: true,
  clock: true,
  ties: true,
  boundaries: true,
  tokens: 'v1',
  create: 'reject',
  deduplicates: true,
  totals: true,
  validatesPageSize: true,
  callers: false,
  ids: { nul: true, maxBytes: 65_536 },
};

/** How the subject is made. */
export interface MemorySubjectOptions {
  /** `memory` where absent. */
  readonly name?: string;
  /** Makes each store that is opened, on a clock that the harness sets; the right store where absent. */
  readonly newStore?: (clock: Clock) => MemoryTaskStore;
}

/** Makes the subject: each `open` is an empty store of its own, whose clock stands still until `setClock` moves it. */
export function createMemorySubject(options: MemorySubjectOptions = {}): Subject {
  const { name = 'memory', newStore = (clock) => createMemoryTaskStore({ clock }) } = options;
  return { name, capabilities: memoryCapabilities, open: async () => openStore(newStore) };
}

function openStore(newStore: (clock: Clock) => MemoryTaskStore): SubjectStore {
  let now = MEMORY_EPOCH_MICROS;
  const store = newStore(() => now);
  return {
    ...storeMethods(store),
    setClock: (micros) => {
      now = micros;
    },
    counters: () => ({ ...store.counters() }),
  };
}
