/** In-memory stores that wait inside their operations, as stores over I/O do; what each waits for is the harness's. */
import { createMemoryTaskStore } from '../store/memory.ts';
import { type MemoryParts, memoryParts } from '../store/memory-parts.ts';
import { createMemorySubject, MEMORY_EPOCH_MICROS } from '../subject/memory.ts';
import type { Pause, Subject, SubjectStore } from '../subject/subject.ts';
import { storeMethods } from '../subject/task-store-methods.ts';
import type { WaitingStore } from './race-store-faults.ts';

/** What a faulty method has at hand; `at` does its work at once and holds no lock. */
export interface WaitingMemoryStore extends WaitingStore {
  /** The store's clock. */
  now(): bigint;
  /** The next write gets this time, whatever the rule says. */
  force(micros: bigint): void;
}

/** Makes a subject whose methods hold one lock while they wait, but for those that `change` gives. */
export function waitingMemory(
  name: string,
  change: (store: WaitingMemoryStore) => Partial<SubjectStore> = () => ({}),
): Subject {
  const { capabilities } = createMemorySubject();
  const open = async (pause: Pause): Promise<SubjectStore> => {
    let now = MEMORY_EPOCH_MICROS;
    let forced: bigint | undefined;
    const parts: Partial<MemoryParts> = { advance: (...given) => forced ?? memoryParts.advance(...given) };
    const at = storeMethods(createMemoryTaskStore({ clock: () => now, parts }));
    const locked = createLock();
    const store: WaitingMemoryStore = {
      at,
      pause,
      locked,
      now: () => now,
      force: (micros) => {
        forced = micros;
        // The write that this is for does its work before the next microtask.
        queueMicrotask(() => {
          forced = undefined;
        });
      },
    };
    const whole =
      <A extends unknown[], T>(work: (...given: A) => Promise<T>) =>
      (...given: A): Promise<T> =>
        locked(async () => {
          await pause();
          const result = await work(...given);
          await pause();
          return result;
        });
    return {
      create: whole(at.create),
      replace: whole(at.replace),
      append: whole(at.append),
      cancel: whole(at.cancel),
      delete: whole(at.delete),
      get: whole(at.get),
      list: whole(at.list),
      setClock: (micros) => {
        now = micros;
      },
      ...change(store),
    };
  };
  return { name, capabilities, open: () => open(nextTurns), openScheduled: open };
}

/** Where nobody schedules: two microtasks, so that others get their turn. */
async function nextTurns(): Promise<void> {
  await undefined;
  await undefined;
}

/** First come, first served. */
function createLock(): WaitingStore['locked'] {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
