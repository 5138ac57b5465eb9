/** Stores that give a mutation a wrong time, or none, or one to what is no mutation. */
import { isDeepStrictEqual } from 'node:util';
import { createMemoryTaskStore, type MemoryTaskStore } from '../store/memory.ts';
import type { Change } from '../store/memory-parts.ts';
import type { TaskRecord } from '../store/task-table.ts';
import { type Clock, MAX_TIME_MICROS } from '../task/clock.ts';
import { InternalError, InvalidArgumentError, TaskNotCancelableError } from '../task/errors.ts';
import type { StoredTask } from '../task/task.ts';
import {
  advance,
  type MemoryFault,
  notAdvancing,
  type WritableRecord,
  withMethods,
  withParts,
} from './memory-fault.ts';

/** A mutation that keeps its time also succeeds at the end of time, where it must fail. */
const keepsTime = ['TIME-2', 'TIME-5'];

/** Lets `fail` tamper with a task that is at the end of time, or answer for it; elsewhere all is right. */
function atTheEnd(fail: (change: Change, before: TaskRecord) => bigint): MemoryFault['store'] {
  return withParts({
    advance: (now, change) =>
      change.before?.micros === MAX_TIME_MICROS ? fail(change, change.before) : advance(now, change),
  });
}

function sameButArtifacts({ kind, task }: Change, before: TaskRecord): boolean {
  const { artifacts, ...rest } = task;
  const { artifacts: artifactsBefore, ...restBefore } = before.task;
  return kind === 'replace' && isDeepStrictEqual(rest, restBefore) && !isDeepStrictEqual(artifacts, artifactsBefore);
}

/** Adds a tenth of a microsecond to milliseconds in a double, which from 2^43 ms on have no room for it. */
function afterInDouble(micros: bigint): bigint {
  const next = BigInt(Math.round((Number(micros) / 1000 + 0.0001) * 1000));
  if (micros === MAX_TIME_MICROS) throw new InternalError();
  return next > MAX_TIME_MICROS ? MAX_TIME_MICROS : next;
}

/** A store, and a way to advance a task's time that leaves its contents and its revision as they are. */
function touchable(clock: Clock): { store: MemoryTaskStore; touch: (stored: StoredTask) => Promise<StoredTask> } {
  const records = new Map<string, TaskRecord>();
  const store = createMemoryTaskStore({ clock, parts: { newRecords: () => records } });
  const touch = async ({ task, revision }: StoredTask): Promise<StoredTask> => {
    const { lastUpdatedMicros } = await store.replace(task);
    (records.get(task.id) as WritableRecord).revision = revision;
    return { task, revision, lastUpdatedMicros };
  };
  return { store, touch };
}

/** In the order of their rows. */
export const memoryTimeFaults: readonly MemoryFault[] = [
  {
    id: 'MEM-26',
    fault: 'a replacement of artifacts alone keeps the time',
    breaks: keepsTime,
    store: notAdvancing(sameButArtifacts),
  },
  {
    id: 'MEM-27',
    fault: 'an append keeps the time',
    breaks: keepsTime,
    store: notAdvancing(({ kind }) => kind === 'append'),
  },
  {
    id: 'MEM-28',
    fault: 'a cancellation keeps the time',
    breaks: keepsTime,
    store: notAdvancing(({ kind }) => kind === 'cancel'),
  },
  {
    id: 'MEM-30',
    fault: 'a replacement by identical contents does nothing',
    // Its revision stays too, and can be named a second time.
    breaks: [...keepsTime, 'SNAP-2'],
    store(clock) {
      const store = createMemoryTaskStore({ clock });
      return withMethods(store, {
        async replace(task, options) {
          const current = await store.get(task.id);
          const expected = options?.ifRevision ?? current?.revision;
          const same = isDeepStrictEqual(current?.task, task) && expected === current?.revision;
          return current !== undefined && same ? current : store.replace(task, options);
        },
      });
    },
  },
  {
    id: 'MEM-31',
    fault: 'a deduplicated append advances the time',
    // At the end of time it fails, for it can not advance. A walk under way loses the task, which nobody wrote.
    breaks: ['TIME-3', 'TIME-4', 'TIME-5', 'WALK-3'],
    store(clock) {
      const { store, touch } = touchable(clock);
      return withMethods(store, {
        async append(taskId, message) {
          const { stored, deduplicated } = await store.append(taskId, message);
          return { stored: deduplicated ? await touch(stored) : stored, deduplicated };
        },
      });
    },
  },
  {
    id: 'MEM-33',
    fault: 'a rejected cancel advances the time',
    // A walk under way loses the task, which nobody wrote.
    breaks: ['TIME-3', 'WALK-3'],
    store(clock) {
      const { store, touch } = touchable(clock);
      return withMethods(store, {
        async cancel(taskId, options) {
          try {
            return await store.cancel(taskId, options);
          } catch (error) {
            const current = error instanceof TaskNotCancelableError ? await store.get(taskId) : undefined;
            if (current !== undefined && current.lastUpdatedMicros < MAX_TIME_MICROS) await touch(current);
            throw error;
          }
        },
      });
    },
  },
  {
    id: 'MEM-35',
    fault: 'a second update at one reading of the clock gets an equal time',
    breaks: keepsTime,
    store: withParts({
      advance: (now, change) => (now === change.before?.micros ? now : advance(now, change)),
    }),
  },
  {
    id: 'MEM-37',
    fault: 'the time is the greater of the clock and the old one',
    breaks: keepsTime,
    store: withParts({
      advance: (now, change) =>
        change.before !== undefined && now <= change.before.micros ? change.before.micros : advance(now, change),
    }),
  },
  {
    id: 'MEM-38',
    fault: 'the time advances by less than a double of milliseconds can tell',
    breaks: ['TIME-2'],
    store: withParts({
      advance: (now, change) =>
        change.before !== undefined && now <= change.before.micros
          ? afterInDouble(change.before.micros)
          : advance(now, change),
    }),
  },
  {
    id: 'MEM-40',
    fault: 'at the end of time a mutation succeeds without advancing',
    breaks: keepsTime,
    store: atTheEnd((_, { micros }) => micros),
  },
  {
    id: 'MEM-41',
    fault: 'at the end of time a mutation fails and its contents stay',
    breaks: ['TIME-3', 'TIME-5'],
    store: atTheEnd(({ task }, before) => {
      (before as WritableRecord).task = { ...before.task, status: task.status, metadata: task.metadata };
      throw new InternalError();
    }),
  },
  {
    id: 'MEM-42',
    fault: 'at the end of time a mutation fails and its revision stays',
    breaks: ['TIME-3', 'TIME-5'],
    store: atTheEnd((_, before) => {
      (before as WritableRecord).revision += 1;
      throw new InternalError();
    }),
  },
  {
    id: 'MEM-44',
    fault: 'at the end of time a mutation is an invalid argument',
    breaks: ['TIME-5'],
    store: atTheEnd(() => {
      throw new InvalidArgumentError('The time is out of range');
    }),
  },
  {
    id: 'MEM-45',
    fault: 'once a task is at the end of time no other can be mutated',
    breaks: ['TIME-5'],
    store: withParts(() => {
      let latest = 0n;
      return {
        advance(now, change) {
          if (latest === MAX_TIME_MICROS) throw new InternalError();
          const next = advance(now, change);
          if (next > latest) latest = next;
          return next;
        },
      };
    }),
  },
];
