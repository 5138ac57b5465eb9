/** Stores that answer right and pay too much: rows COST of the catalogue that an in-memory store can show. */
import { createMemoryTaskStore } from '../store/memory.ts';
import { countMatching, selectPage } from '../store/page-selection.ts';
import { comparePositions } from '../store/position.ts';
import { copyTask } from '../store/task-copy.ts';
import type { TaskRecord } from '../store/task-table.ts';
import { indexWith, type MemoryFault, withIndex, withMethods, withParts } from './memory-fault.ts';
import { sortedArray } from './sorted-array.ts';
import { unbalancedTree } from './unbalanced-tree.ts';

/** In the order of their rows. */
export const memoryCostFaults: readonly MemoryFault[] = [
  {
    id: 'COST-02',
    fault: 'the boundary is searched from the start of the list',
    breaks: ['COST-2'],
    store: withIndex((index, counters) => ({
      scan(after, limit, accept = () => true) {
        if (after === undefined) return index.scan(after, limit, accept);
        return index.scan(undefined, limit, (entry) => {
          counters.comparisons++;
          return comparePositions(entry, after) > 0 && accept(entry);
        });
      },
    })),
  },
  {
    id: 'COST-03',
    fault: 'every task is copied before the page is cut',
    breaks: ['COST-2'],
    store: withParts({
      select(table, query) {
        table.index.scan(undefined, Number.POSITIVE_INFINITY, ({ task }) => copyTask(task) === undefined);
        return selectPage(table, query);
      },
    }),
  },
  {
    id: 'COST-05',
    fault: 'an update searches its old index entry one by one',
    breaks: ['COST-1'],
    store: withParts({
      newIndex(counters) {
        const index = sortedArray(counters, comparePositions);
        const remove = (entry: TaskRecord): boolean => {
          const { visits } = counters;
          for (const other of index.scan(undefined, Number.POSITIVE_INFINITY)) {
            counters.comparisons++;
            counters.indexSteps++;
            if (other === entry) break;
          }
          counters.visits = visits;
          return index.remove(entry);
        };
        return indexWith(index, {
          remove,
          replace(old, entry) {
            remove(old);
            index.insert(entry);
          },
        });
      },
    }),
  },
  {
    id: 'COST-06',
    fault: 'a write marks the list as unsorted, and the next page sorts it',
    breaks: ['COST-2'],
    store: withParts({
      newIndex(counters) {
        const entries = new Set<TaskRecord>();
        let sorted: ReturnType<typeof sortedArray> | undefined;
        const changing = <T>(result: T): T => {
          sorted = undefined;
          return result;
        };
        return {
          get size() {
            return entries.size;
          },
          insert: (entry) => changing(void entries.add(entry)),
          remove: (entry) => changing(entries.delete(entry)),
          replace(old, entry) {
            entries.delete(old);
            changing(entries.add(entry));
          },
          scan(after, limit, accept) {
            if (sorted === undefined) {
              sorted = sortedArray(counters, comparePositions);
              for (const entry of [...entries].sort(comparePositions)) sorted.insert(entry);
            }
            return sorted.scan(after, limit, accept);
          },
        };
      },
    }),
  },
  {
    id: 'COST-07',
    fault: 'the tree is not balanced, and times arrive in order',
    breaks: ['COST-1', 'COST-2'],
    store: withParts({ newIndex: unbalancedTree }),
  },
  {
    id: 'COST-09',
    fault: 'a total without filters looks at every task',
    breaks: ['COST-2'],
    store: withParts({
      count: (table, query) => countMatching(table, { ...query, matches: query.matches ?? (() => true) }),
    }),
  },
  {
    id: 'COST-17',
    fault: 'the boundary is looked up in the index before the page, and not used',
    breaks: ['COST-2'],
    store: withIndex((index) => ({
      scan(after, limit, accept) {
        // Just before the boundary: whatever is found there first is the boundary, where it still stands.
        if (after !== undefined) index.scan({ ...after, idBytes: `${after.idBytes}\0` }, 1);
        return index.scan(after, limit, accept);
      },
    })),
  },
  {
    id: 'COST-26',
    fault: 'a total that is not asked for is counted all the same',
    breaks: ['COUNT-2'],
    store(clock) {
      const store = createMemoryTaskStore({ clock });
      return withMethods(store, {
        async list(request) {
          const { totalSize, ...page } = await store.list({ ...request, includeTotalSize: true });
          return request.includeTotalSize === false ? page : { ...page, totalSize: totalSize! };
        },
      });
    },
  },
];
