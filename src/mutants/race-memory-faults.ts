/** Faults in how the operations of an in-memory store overlap. */
import { compareKeys } from '../../models/key.ts';
import type { ListReply } from '../subject/subject.ts';
import { MAX_TIME_MICROS } from '../task/clock.ts';
import type { StoreListRequest, Task, TaskCursor } from '../task/task.ts';
import { decodePageToken, encodePageToken } from '../token/page-token.ts';
import { inTwoStatements, type RaceStoreFault } from './race-store-faults.ts';
import type { WaitingMemoryStore } from './waiting-memory.ts';

const one = { client: 0 } as const;

/** In the order of their rows. */
export const raceMemoryFaults: readonly RaceStoreFault<WaitingMemoryStore>[] = [
  {
    id: 'RACE-01-memory',
    fault: 'a list counts first, then reads the page, in two states',
    breaks: ['SNAP-1'],
    methods: (store) => inTwoStatements(store, true),
  },
  {
    id: 'RACE-04',
    fault: 'between the insert of the new index entry and the removal of the old one lists see both',
    breaks: ['SNAP-2', 'WALK-1'],
    methods(store) {
      const old = new Map<string, { task: Task; cursor: TaskCursor }>();
      return {
        replace: (task, options) =>
          store.locked(async () => {
            const before = await store.at.get(task.id, one);
            const reply = await store.at.replace(task, options, one);
            if (before?.lastUpdatedMicros !== undefined)
              old.set(task.id, {
                task: before.task,
                cursor: { id: task.id, lastUpdatedMicros: before.lastUpdatedMicros },
              });
            await store.pause();
            old.delete(task.id);
            return reply;
          }),
        list: async (request) => withOldEntries(await store.at.list(request, one), [...old.values()], request),
      };
    },
  },
  {
    id: 'RACE-05',
    fault: 'a list reads its tasks one by one, with others writing between',
    breaks: ['SNAP-2'],
    methods: (store) => ({
      async list(request) {
        const page = await store.at.list(request, one);
        const tasks: Task[] = [];
        for (const task of page.tasks) {
          await store.pause();
          const now = await store.at.get(task.id, one);
          const { history, status, metadata } = now?.task ?? task;
          tasks.push({ ...task, history: task.history.length === 0 ? [] : history, status, metadata });
        }
        return { ...page, tasks };
      },
    }),
  },
  {
    id: 'RACE-07',
    fault: 'the time before is read outside of the lock, so that two writes get one time',
    breaks: ['TIME-2', 'WALK-1', 'WALK-2', 'WALK-3', 'WALK-4', 'SNAP-2'],
    methods: (store) => ({
      async replace(task, options) {
        const before = await store.at.get(task.id, one);
        await store.pause();
        return store.locked(async () => {
          const last = before?.lastUpdatedMicros;
          // A task at the end of time is refused as ever.
          if (last !== undefined && last < MAX_TIME_MICROS) store.force(store.now() > last ? store.now() : last + 1n);
          return store.at.replace(task, options, one);
        });
      },
    }),
  },
];

/** The page that an index with these old entries beside the others gives; bounded by the page size, as every page. */
function withOldEntries(
  page: ListReply,
  old: readonly { task: Task; cursor: TaskCursor }[],
  request: StoreListRequest,
): ListReply {
  const after = request.pageToken ? decodePageToken(request.pageToken) : undefined;
  const position = ({ id, lastUpdatedMicros }: TaskCursor) => ({ id, micros: lastUpdatedMicros });
  const last = page.taskCursors?.at(-1);
  const fitting = old.filter(({ task, cursor }) => {
    const below = after === undefined || compareKeys(position(after), position(cursor)) < 0;
    const above = page.nextPageToken === '' || last === undefined || compareKeys(position(cursor), position(last)) < 0;
    return below && above && (!request.contextId || request.contextId === task.contextId) && !request.status;
  });
  if (fitting.length === 0) return page;
  const rows = page.tasks.map((task, at) => ({ task, cursor: page.taskCursors![at]! }));
  const all = [...rows, ...fitting].sort((a, b) => compareKeys(position(a.cursor), position(b.cursor)));
  const shown = all.slice(0, request.pageSize ?? 50);
  const more = page.nextPageToken !== '' || all.length > shown.length;
  return {
    ...page,
    tasks: shown.map(({ task }) => ({ ...task, artifacts: request.includeArtifacts ? task.artifacts : [] })),
    taskCursors: shown.map(({ cursor }) => cursor),
    nextPageToken: more ? encodePageToken(shown.at(-1)!.cursor) : '',
  };
}
