/** Stores whose records, indexes and counts fall out of step, or are shared with their callers. */
import { createMemoryTaskStore } from '../store/memory.ts';
import { countMatching } from '../store/page-selection.ts';
import { copyTask } from '../store/task-copy.ts';
import type { RecordMap, TaskRecord } from '../store/task-table.ts';
import { RevisionConflictError } from '../task/errors.ts';
import { type MemoryFault, type WritableRecord, withIndex, withMethods, withParts } from './memory-fault.ts';

/** A plain object in a map's place. */
function objectRecords(): RecordMap {
  const records: Record<string, TaskRecord> = {};
  return {
    get size() {
      return Object.keys(records).length;
    },
    get: (id) => records[id],
    set: (id, record) => {
      records[id] = record;
    },
    delete: (id) => {
      delete records[id];
    },
  };
}

/** In the order of their rows. */
export const memoryStateFaults: readonly MemoryFault[] = [
  {
    id: 'MEM-24',
    fault: 'the total counts every save and forgets no deleted task',
    breaks: ['COUNT-1'],
    store(clock) {
      let saves = 0;
      const store = createMemoryTaskStore({
        clock,
        parts: {
          count(table, query) {
            const { matches, contexts } = query;
            return matches === undefined && contexts === undefined ? saves : countMatching(table, query);
          },
        },
      });
      const saved = <T>(stored: T): T => {
        saves++;
        return stored;
      };
      return withMethods(store, {
        create: (task) => store.create(task).then(saved),
        replace: (task, options) => store.replace(task, options).then(saved),
      });
    },
  },
  {
    id: 'MEM-34',
    fault: 'a write that is rejected for its revision has changed the metadata already',
    breaks: ['TIME-3', 'SNAP-2'],
    store(clock) {
      const records = new Map<string, TaskRecord>();
      const store = createMemoryTaskStore({ clock, parts: { newRecords: () => records } });
      return withMethods(store, {
        async replace(task, options) {
          const metadata = copyTask(task).metadata;
          try {
            return await store.replace(task, options);
          } catch (error) {
            const record = records.get(task.id) as WritableRecord;
            if (error instanceof RevisionConflictError) record.task = { ...record.task, metadata };
            throw error;
          }
        },
      });
    },
  },
  {
    id: 'MEM-47',
    fault: 'an update leaves the old index entry',
    // The old entry shows the contents that were replaced, and there is a page more than the tasks need.
    breaks: ['WALK-1', 'WALK-4', 'WALK-5', 'SNAP-2', 'COUNT-1', 'FILTER-1'],
    store: withIndex((index) => ({ replace: (_, entry) => index.insert(entry) })),
  },
  {
    id: 'MEM-49',
    fault: 'a task stays in the index of its first context',
    breaks: ['WALK-3', 'WALK-4', 'COUNT-1', 'FILTER-1'],
    store: withParts({ contextOf: ({ before, task }) => before?.contextId ?? task.contextId }),
  },
  {
    id: 'MEM-51',
    fault: 'a task that is given is the stored one',
    breaks: ['STORE-2'],
    store: withParts({
      copyOut(task, { artifacts, historyLength }) {
        if (artifacts && historyLength >= task.history.length) return task;
        const history = historyLength === 0 ? [] : task.history.slice(-historyLength);
        return { ...task, artifacts: artifacts ? task.artifacts : [], history };
      },
    }),
  },
  {
    id: 'MEM-52',
    fault: 'a task that is passed is the stored one',
    breaks: ['STORE-2'],
    store: withParts({ copyIn: (task) => task }),
  },
  {
    id: 'MEM-54',
    fault: 'tasks are kept in a plain object',
    // Under the ids of what every object inherits, tasks stand that nobody created.
    breaks: ['STORE-3', 'SNAP-2', 'COUNT-1'],
    store: withParts({ newRecords: objectRecords }),
  },
];
