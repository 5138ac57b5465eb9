/**
 * Rows of our own, MEM-71 and on: most faults break several rules at once, and each of these breaks one alone, so that no
 * check could be left out unnoticed.
 */
import { createMemoryTaskStore } from '../store/memory.ts';
import { selectPage } from '../store/page-selection.ts';
import { comparePositions, type Position } from '../store/position.ts';
import type { TaskRecord } from '../store/task-table.ts';
import { InvalidArgumentError, TaskAlreadyExistsError } from '../task/errors.ts';
import { advance, type MemoryFault, withMethods, withParts } from './memory-fault.ts';

/** The number of the tasks that a store has made so far, by boundary: what a page token of v1 can't hold. */
function creations() {
  const numbers = new Map<string, number>();
  const since = new Map<string, number>();
  const keyOf = ({ micros, id }: Position): string => `${micros} ${id}`;
  return {
    /** Counts a task that is made. */
    made: (id: string): void => void numbers.set(id, numbers.size),
    /** Whether a task was made after this walk began; no walk is known to begin at a boundary that no page gave. */
    isLater: (after: Position, { id }: TaskRecord): boolean =>
      (numbers.get(id) ?? 0) >= (since.get(keyOf(after)) ?? Number.POSITIVE_INFINITY),
    /** Hands the walk's beginning on from one boundary to the next. */
    handOn(after: Position | undefined, boundary: Position): void {
      const start = after === undefined ? numbers.size : since.get(keyOf(after));
      if (start !== undefined) since.set(keyOf(boundary), start);
    },
  };
}

/** In the order of the rules. */
export const loneMemoryFaults: readonly MemoryFault[] = [
  {
    id: 'MEM-71',
    fault: 'a new task takes the time of its status for its own, where that is the earlier',
    breaks: ['TIME-1'],
    store: withParts({
      advance(now, change) {
        const stamp = change.kind === 'create' ? change.task.status?.timestamp : undefined;
        const millis = stamp === undefined ? Number.NaN : Date.parse(stamp);
        if (Number.isNaN(millis) || BigInt(millis) * 1000n >= now) return advance(now, change);
        return BigInt(millis) * 1000n;
      },
    }),
  },
  {
    id: 'MEM-72',
    fault: 'a deduplicated append answers with the next revision',
    breaks: ['TIME-3'],
    store(clock) {
      const store = createMemoryTaskStore({ clock });
      return withMethods(store, {
        async append(taskId, message) {
          const result = await store.append(taskId, message);
          if (!result.deduplicated) return result;
          return { ...result, stored: { ...result.stored, revision: result.stored.revision + 1 } };
        },
      });
    },
  },
  {
    id: 'MEM-73',
    fault: 'an append of a message that is there already is refused',
    breaks: ['TIME-4'],
    store(clock) {
      const store = createMemoryTaskStore({ clock });
      return withMethods(store, {
        async append(taskId, message) {
          const result = await store.append(taskId, message);
          if (result.deduplicated) throw new TaskAlreadyExistsError();
          return result;
        },
      });
    },
  },
  {
    id: 'MEM-74',
    fault: 'what was created after the page of the boundary comes first on the next page',
    breaks: ['WALK-2'],
    store: withParts(() => {
      const walks = creations();
      const records = new Map<string, TaskRecord>();
      return {
        newRecords: () => records,
        advance(now, change) {
          if (change.kind === 'create') walks.made(change.task.id);
          return advance(now, change);
        },
        select(table, query) {
          const { after, pageSize } = query;
          const page = selectPage(table, query);
          const last = page.records.at(-1);
          if (last !== undefined) walks.handOn(undefined, last);
          if (after === undefined || pageSize < 2) return page;
          const isNew = [...records.values()].filter(
            (record) =>
              record.micros > after.micros &&
              walks.isLater(after, record) &&
              (query.contexts?.includes(record.contextId) ?? true) &&
              (query.matches?.(record.task) ?? true),
          );
          const [newest] = isNew.sort(comparePositions);
          if (newest === undefined) return page;
          return { records: [newest, ...page.records.slice(0, pageSize - 1)], next: page.records[pageSize - 1] };
        },
      };
    }),
  },
  {
    id: 'MEM-75',
    fault: 'a page after a task was deleted, other than its boundary, leaves out its first task',
    breaks: ['WALK-3'],
    store: withParts(() => {
      let size = 0;
      return {
        select(table, query) {
          const { after, pageSize } = query;
          const isShrunk = table.records.size < size;
          size = table.records.size;
          if (!isShrunk || after === undefined || table.records.get(after.id) === undefined)
            return selectPage(table, query);
          const { records, next } = selectPage(table, { ...query, pageSize: pageSize + 1 });
          return { records: records.slice(1), next };
        },
      };
    }),
  },
  {
    id: 'MEM-76',
    fault: 'a walk shows nothing that was created since it began',
    breaks: ['WALK-7'],
    store: withParts(() => {
      const walks = creations();
      return {
        advance(now, change) {
          if (change.kind === 'create') walks.made(change.task.id);
          return advance(now, change);
        },
        select(table, query) {
          const { after, matches = () => true } = query;
          const isOld = (record: TaskRecord): boolean => after === undefined || !walks.isLater(after, record);
          const page = selectPage(table, {
            ...query,
            matches: (task) => matches(task) && isOld(table.records.get(task.id)!),
          });
          const last = page.records.at(-1);
          if (last !== undefined) walks.handOn(after, last);
          return page;
        },
      };
    }),
  },
  {
    id: 'MEM-77',
    fault: 'a list of a context and a status is refused',
    breaks: ['FILTER-1'],
    store(clock) {
      const store = createMemoryTaskStore({ clock });
      return withMethods(store, {
        async list(request) {
          if (request.contextId && request.status && !request.pageToken)
            throw new InvalidArgumentError('One filter at a time');
          return store.list(request);
        },
      });
    },
  },
  {
    id: 'MEM-78',
    fault: 'a last page that is not full has a token where its boundary has moved',
    breaks: ['TOKEN-5'],
    store: withParts({
      select(table, query) {
        const { after, pageSize } = query;
        const page = selectPage(table, query);
        const last = page.records.at(-1);
        const isMoved = after !== undefined && table.records.get(after.id)?.micros !== after.micros;
        return isMoved && last !== undefined && page.records.length < pageSize ? { ...page, next: last } : page;
      },
    }),
  },
];
