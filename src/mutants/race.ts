/**
 * The mutants that only show where operations overlap: rows RACE of the catalogue that a store in memory or a dispatcher
 * over one can show. Each lets the harness schedule it.
 */
import { createDispatcherSubject } from '../subject/dispatcher.ts';
import { memoryBacking } from '../subject/store-backing.ts';
import type { Pause, Subject } from '../subject/subject.ts';
import type { TaskStore } from '../task/task-store.ts';
import type { Mutant } from './mutant.ts';
import { type RaceDispatcherFault, raceDispatcherFaults } from './race-dispatcher-faults.ts';
import { raceMemoryFaults } from './race-memory-faults.ts';
import { raceStoreFaults } from './race-store-faults.ts';
import { waitingMemory } from './waiting-memory.ts';

/** A dispatcher over a store in memory, whose reads wait. */
export function waitingDispatcher(name: string, options: RaceDispatcherFault['options'] = () => ({})): Subject {
  const open = (pause: Pause) =>
    createDispatcherSubject(memoryBacking(), {
      name,
      wrapStore: (store) => waitingReads(store, pause),
      policyTimeoutMs: 5_000,
      ...options(),
    }).open();
  const { capabilities } = createDispatcherSubject(memoryBacking());
  return { name, capabilities, open: () => open(async () => undefined), openScheduled: open };
}

function waitingReads(store: TaskStore, pause: Pause): TaskStore {
  return Object.assign(Object.create(store) as TaskStore, {
    list: async (request) => {
      await pause();
      return store.list(request);
    },
    get: async (id, projection) => {
      await pause();
      return store.get(id, projection);
    },
  } satisfies Pick<TaskStore, 'list' | 'get'>);
}

const inStores: readonly Mutant[] = [...raceStoreFaults, ...raceMemoryFaults].map(({ methods, ...row }) => ({
  ...row,
  area: 'race',
  subject: () => waitingMemory(row.id, methods),
}));

const inDispatchers: readonly Mutant[] = raceDispatcherFaults.map(({ options, ...row }) => ({
  ...row,
  area: 'race',
  subject: () => waitingDispatcher(row.id, options),
}));

/** Every race mutant, in the order of its row. */
export const raceMutants: readonly Mutant[] = [...inStores, ...inDispatchers].sort((a, b) => (a.id < b.id ? -1 : 1));
