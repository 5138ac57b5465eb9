/** Faults in what a page holds: its rows, its cursors, its total. */

import { parseInstant } from '../../store/instant.ts';
import type { ListReply, SubjectStore } from '../../subject/subject.ts';
import type { StoreListRequest } from '../../task/task.ts';
import { answering, asking, type FaultWrapper, hasFilter, type Row, rowsOf, withRows } from './wrapper.ts';

const swapped = ([first, second, ...rest]: readonly Row[]): Row[] =>
  first === undefined || second === undefined ? [] : [second, first, ...rest];

const onRows = (change: (rows: Row[]) => readonly Row[]) =>
  answering((reply) => (reply.tasks.length < 2 ? reply : withRows(reply, change(rowsOf(reply)))));

/** Every second list is changed. */
function everySecond(change: (reply: ListReply) => ListReply): FaultWrapper['wrap'] {
  return (store) => {
    let lists = 0;
    return answering((reply) => (++lists % 2 === 0 ? change(reply) : reply))(store);
  };
}

/** On a page of two and more the last row of the page before stands first; the store is asked for one row less. */
function repeating(store: SubjectStore): Partial<SubjectStore> {
  const lasts = new Map<string, Row>();
  return {
    list: async (request, call) => {
      const repeated = lasts.get(request.pageToken ?? '');
      const size = request.pageSize ?? 50;
      const isRepeated = repeated !== undefined && size > 1;
      const reply = await store.list(isRepeated ? { ...request, pageSize: size - 1 } : request, call);
      const rows = isRepeated ? [repeated, ...rowsOf(reply)] : rowsOf(reply);
      const last = rows.at(-1);
      if (last !== undefined && reply.nextPageToken !== '') lasts.set(reply.nextPageToken, last);
      return withRows(reply, rows);
    },
  };
}

/** A list keeps showing what a task was when it was created. */
function showingFirst(store: SubjectStore): Partial<SubjectStore> {
  const created = new Map<string, Row['task']>();
  return {
    create: async (task, call) => {
      const kept = structuredClone(task);
      const reply = await store.create(task, call);
      created.set(task.id, kept);
      return reply;
    },
    list: answering((reply) =>
      withRows(
        reply,
        rowsOf(reply).map((row) => ({ ...row, task: structuredClone(created.get(row.task.id) ?? row.task) })),
      ),
    )(store).list!,
  };
}

const unfiltered = ({ contextId: _, status: __, statusTimestampAfter: ___, ...request }: StoreListRequest) => request;

/** The status time that was asked for, given to none of the tasks at that very instant. */
const afterStrictly = answering((reply, { request }) => {
  const from = parseInstant(request.statusTimestampAfter ?? '');
  if (from === undefined) return reply;
  const later = ({ task }: Row) => {
    const at = parseInstant(task.status?.timestamp ?? '');
    return at?.seconds !== from.seconds || at.nanos !== from.nanos;
  };
  return withRows(reply, rowsOf(reply).filter(later));
});

const cursors = (change: (cursors: NonNullable<ListReply['taskCursors']>) => ListReply['taskCursors']) =>
  answering((reply) => {
    const { taskCursors, ...rest } = reply;
    const changed = taskCursors === undefined ? undefined : change(taskCursors);
    return changed === undefined ? rest : { ...rest, taskCursors: changed };
  });

const total = (change: (total: number, reply: ListReply, token: string) => number) =>
  answering((reply, { token }) =>
    reply.totalSize === undefined ? reply : { ...reply, totalSize: change(reply.totalSize, reply, token) },
  );

const withBoundaries: FaultWrapper['needs'] = ({ boundaries }) => boundaries;
const withTotals: FaultWrapper['needs'] = ({ totals }) => totals;

export const rowWrappers: readonly FaultWrapper[] = [
  {
    id: 'row-dropped',
    fault: 'a page of two and more leaves out a task in its midst',
    rule: 'WALK-3',
    wrap: onRows((rows) => rows.filter((_, position) => position !== rows.length - 2)),
  },
  {
    id: 'page-one-short',
    fault: 'a page that goes on leaves out the task that its token stands for',
    rule: 'WALK-3',
    wrap: answering((reply) =>
      reply.nextPageToken !== '' && reply.tasks.length > 1 ? withRows(reply, rowsOf(reply).slice(0, -1)) : reply,
    ),
  },
  { id: 'row-repeated', fault: 'a page starts with the last task of the one before', rule: 'WALK-1', wrap: repeating },
  { id: 'rows-swapped', fault: 'the first two tasks of a page change places', rule: 'ORDER-1', wrap: onRows(swapped) },
  {
    id: 'rows-backwards',
    fault: 'each page runs backwards',
    rule: 'WALK-2',
    needs: withBoundaries,
    wrap: onRows((rows) => rows.reverse()),
  },
  {
    id: 'order-unstable',
    fault: 'in every second list the first two tasks change places',
    rule: 'ORDER-2',
    wrap: everySecond((reply) => (reply.tasks.length < 2 ? reply : withRows(reply, swapped(rowsOf(reply))))),
  },
  {
    id: 'row-stale',
    fault: 'lists show a task as it was created',
    rule: 'SNAP-2',
    methods: ['replace'],
    wrap: showingFirst,
  },
  {
    id: 'total-off-by-one',
    fault: 'the total is one too great',
    rule: 'COUNT-1',
    needs: withTotals,
    wrap: total((all) => all + 1),
  },
  {
    id: 'total-of-page',
    fault: 'from the second page on the total is the number of tasks on the page',
    rule: 'COUNT-1',
    needs: withTotals,
    wrap: total((all, { tasks }, token) => (token === '' ? all : tasks.length)),
  },
  {
    id: 'total-unfiltered',
    fault: 'the total counts what the filters leave out',
    rule: 'COUNT-1',
    needs: withTotals,
    wrap: (store) => ({
      list: async (request, call) => {
        const reply = await store.list(request, call);
        if (!hasFilter(request) || reply.totalSize === undefined) return reply;
        const { totalSize } = await store.list({ ...unfiltered(request), pageToken: '' }, call);
        return totalSize === undefined ? reply : { ...reply, totalSize };
      },
    }),
  },
  {
    id: 'cursors-shifted',
    fault: 'each task has the cursor of the one before it',
    rule: 'STORE-1',
    needs: withBoundaries,
    wrap: cursors((all) => all.map((_, position) => all.at(position - 1)!)),
  },
  {
    id: 'cursor-missing',
    fault: 'the last task of a page has no cursor',
    rule: 'STORE-1',
    needs: withBoundaries,
    wrap: cursors((all) => all.slice(0, -1)),
  },
  {
    id: 'cursors-absent',
    fault: 'a page comes without its cursors',
    rule: 'STORE-1',
    needs: withBoundaries,
    wrap: cursors(() => undefined),
  },
  {
    id: 'cursor-times-misaligned',
    fault: 'each cursor holds the time of the task before it',
    rule: 'STORE-1',
    needs: withBoundaries,
    wrap: cursors((all) =>
      all.map((cursor, position) => ({ ...cursor, lastUpdatedMicros: all.at(position - 1)!.lastUpdatedMicros })),
    ),
  },
  {
    id: 'filter-ignored',
    fault: 'the context that is asked for selects nothing',
    rule: 'FILTER-1',
    wrap: asking(({ contextId: _, ...request }) => request),
  },
  {
    id: 'status-filter-ignored',
    fault: 'the status that is asked for selects nothing',
    rule: 'FILTER-1',
    wrap: asking(({ status: _, ...request }) => request),
  },
  {
    id: 'filter-exclusive',
    fault: 'the status time that is asked for is left out itself',
    rule: 'FILTER-1',
    wrap: afterStrictly,
  },
  {
    id: 'page-size-ignored',
    fault: 'a page holds one task more than asked for',
    rule: 'WIRE-5',
    wrap: asking((request) =>
      request.pageSize !== undefined && request.pageSize >= 1 && request.pageSize < 100
        ? { ...request, pageSize: request.pageSize + 1 }
        : request,
    ),
  },
  {
    id: 'page-size-unchecked',
    fault: 'a page size that is none is taken for the default',
    rule: 'WIRE-5',
    needs: ({ validatesPageSize }) => validatesPageSize,
    wrap: (store) => ({
      list: (request, call) => {
        const { pageSize = 50, ...rest } = request;
        const isValid = Number.isInteger(pageSize) && pageSize >= 1 && pageSize <= 100;
        return store.list(isValid ? request : rest, call);
      },
    }),
  },
];
