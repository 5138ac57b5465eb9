/** Stores that cut, seek, filter or count a page wrongly. */
import { readPageSize, readPredicate } from '../store/filter.ts';
import { parseInstant } from '../store/instant.ts';
import { cursorOf } from '../store/memory-parts.ts';
import { OrderedIndex } from '../store/ordered-index.ts';
import { countMatching, type ListQuery, type PageSelection, selectPage } from '../store/page-selection.ts';
import type { Position } from '../store/position.ts';
import type { TaskRecord } from '../store/task-table.ts';
import { InvalidArgumentError } from '../task/errors.ts';
import type { Task } from '../task/task.ts';
import { indexWith, type MemoryFault, withIndex, withParts } from './memory-fault.ts';

/** The boundary's page is another than the one that its key gives, so that tasks are lost. */
const loses = ['TOKEN-2', 'TOKEN-5', 'WALK-3', 'WALK-6', 'WALK-7'];

/** The place right above one, of which the place itself is the next: no string lies between an id and the id with a NUL. */
function rightAbove(place: Position): Position {
  return { micros: place.micros, id: `${place.id}\0`, idBytes: `${place.idBytes}\0` };
}

/** A selection that remembers where the scan for it had come to. */
interface Scanned extends PageSelection {
  readonly last: TaskRecord | undefined;
}

/** Says whether a record is one that the query asks for. */
function isAskedFor({ contexts, matches }: ListQuery, { contextId, task }: TaskRecord): boolean {
  return (contexts === undefined || contexts.includes(contextId)) && (matches === undefined || matches(task));
}

/** In the order of their rows. */
export const memoryPageFaults: readonly MemoryFault[] = [
  {
    id: 'MEM-13',
    fault: 'the page starts with the boundary',
    breaks: ['TOKEN-2', 'TOKEN-5', 'WALK-1', 'WALK-2', 'WALK-4', 'WALK-5', 'WALK-6'],
    store: withIndex((index) => ({
      scan: (after, limit, accept) => index.scan(after && rightAbove(after), limit, accept),
    })),
  },
  {
    id: 'MEM-14',
    fault: 'the page starts below the time of the boundary',
    breaks: loses,
    store: withIndex((index) => ({
      scan: (after, limit, accept) => index.scan(after && { ...after, id: '', idBytes: '' }, limit, accept),
    })),
  },
  {
    id: 'MEM-16',
    fault: 'among times equal to the boundary the page takes the greater ids',
    breaks: [...loses, 'ORDER-1', 'WALK-1', 'WALK-2', 'WALK-4', 'WALK-5', 'COST-2'],
    store: withIndex((index) => ({
      scan(after, limit, accept = () => true) {
        if (after === undefined) return index.scan(after, limit, accept);
        const above = { ...after, micros: after.micros + 1n };
        return index.scan(above, limit, (entry) => {
          return (entry.micros < after.micros || entry.idBytes > after.idBytes) && accept(entry);
        });
      },
    })),
  },
  {
    id: 'MEM-17',
    fault: 'the first task from the boundary on is dropped, whether it is the boundary or not',
    breaks: ['TOKEN-5', 'WALK-3', 'WALK-7', 'COST-2'],
    store: withIndex((index) => ({
      scan(after, limit, accept) {
        if (after === undefined) return index.scan(after, limit, accept);
        return index.scan(rightAbove(after), limit + 1, accept).slice(1);
      },
    })),
  },
  {
    id: 'MEM-19',
    fault: 'the filters are applied to the page that was cut without them',
    breaks: ['TOKEN-6', 'WALK-5', 'WALK-6'],
    store: withParts({
      select(table, query): Scanned {
        const { records, next } = selectPage(table, { ...query, contexts: undefined, matches: undefined });
        return { records: records.filter((record) => isAskedFor(query, record)), next, last: records.at(-1) };
      },
      boundary: (selection) => cursorOf((selection as Scanned).last!),
    }),
  },
  {
    id: 'MEM-20',
    fault: 'whether the list goes on is asked without the filters',
    // The walk takes one page more, which WALK-5 grants; after a full last page none may come.
    breaks: ['WALK-6'],
    store: withParts({
      select(table, query) {
        const selection = selectPage(table, query);
        const last = selection.records.at(-1);
        if (last === undefined || selection.next !== undefined) return selection;
        return { ...selection, next: table.index.scan(last, 1)[0] };
      },
    }),
  },
  {
    id: 'MEM-21',
    fault: 'the total counts only what lies after the boundary',
    breaks: ['COUNT-1', 'COST-2'],
    store: withParts({
      count(table, query) {
        if (query.after === undefined) return countMatching(table, query);
        return table.index.scan(query.after, Number.POSITIVE_INFINITY, (record) => isAskedFor(query, record)).length;
      },
    }),
  },
  {
    id: 'MEM-23',
    fault: 'the total is the number of tasks on the page',
    breaks: ['COUNT-1'],
    store: withParts({ count: (_table, _query, { records }) => records.length }),
  },
  {
    id: 'MEM-55',
    fault: 'the unspecified state selects the tasks that have none',
    breaks: ['WALK-3', 'COUNT-1', 'FILTER-1', 'COST-2'],
    store: withParts({
      predicate(request) {
        const matches = readPredicate(request);
        if (request.status) return matches;
        return (task) => (task.status?.state ?? 0) === 0 && (matches === undefined || matches(task));
      },
    }),
  },
  {
    id: 'MEM-56',
    fault: 'the status timestamp asked for is not itself selected',
    breaks: ['COUNT-1', 'FILTER-1', 'WALK-3'],
    store: withParts({
      predicate(request) {
        const matches = readPredicate(request);
        const { seconds, nanos } = parseInstant(request.statusTimestampAfter ?? '') ?? {};
        if (seconds === undefined) return matches;
        return (task) => {
          const at = parseInstant(task.status?.timestamp ?? '');
          return matches!(task) && (at!.seconds !== seconds || at!.nanos !== nanos);
        };
      },
    }),
  },
  {
    id: 'MEM-58',
    fault: 'a page size of 0 gives an empty page and a token',
    breaks: ['WIRE-5', 'WALK-5', 'TOKEN-6'],
    store: withParts({
      pageSize: (requested) => (requested === 0 ? 0 : readPageSize(requested)),
      boundary: ({ records, next }) => cursorOf(records.at(-1) ?? { ...next!, ...rightAbove(next!) }),
    }),
  },
  {
    id: 'MEM-59',
    fault: 'a page size above 100 is honoured',
    breaks: ['WIRE-5'],
    store: withParts({
      pageSize(requested = 50) {
        if (!Number.isInteger(requested) || requested < 1) throw new InvalidArgumentError('The page size is too small');
        return requested;
      },
    }),
  },
  {
    id: 'MEM-61',
    fault: 'a deleted task leaves a hole in the pages',
    breaks: ['TOKEN-6', 'WALK-5', 'WALK-6'],
    store: withParts(() => {
      const holes = new Set<Task>();
      return {
        newIndex(counters) {
          const index = new OrderedIndex<TaskRecord>(counters);
          let here = 0;
          return indexWith(index, {
            get size() {
              return index.size - here;
            },
            remove(entry) {
              holes.add(entry.task);
              here++;
              return true;
            },
          });
        },
        select(table, query): Scanned {
          const { records, next } = selectPage(table, query);
          return { records: records.filter(({ task }) => !holes.has(task)), next, last: records.at(-1) };
        },
        boundary: (selection) => cursorOf((selection as Scanned).last!),
        count(table, query) {
          const { matches } = query;
          if (matches === undefined) return countMatching(table, query);
          return countMatching(table, { ...query, matches: (task) => !holes.has(task) && matches(task) });
        },
      };
    }),
  },
];
