/** Stores that are right for one client and wrong for several. */
import { compareKeys } from '../../models/key.ts';
import type { ListReply, SubjectStore } from '../subject/subject.ts';
import { MAX_TIME_MICROS } from '../task/clock.ts';
import { RevisionConflictError, TaskNotFoundError } from '../task/errors.ts';
import type { StoreListRequest, Task, TaskCursor } from '../task/task.ts';
import { decodePageToken, encodePageToken } from '../token/page-token.ts';
import type { WaitingStore } from './waiting-memory.ts';

/** A fault in how the operations of a waiting store overlap. */
export interface RaceStoreFault {
  readonly id: string;
  readonly fault: string;
  readonly breaks: readonly string[];
  methods(store: WaitingStore): Partial<SubjectStore>;
}

const one = { client: 0 } as const;

/** A list whose total and page are read one after the other, in the order given, with a wait between. */
function inTwoStatements(store: WaitingStore, countFirst: boolean): Partial<SubjectStore> {
  const count = async (request: StoreListRequest) =>
    (await store.at.list({ ...request, pageToken: '' }, one)).totalSize;
  const page = (request: StoreListRequest) => store.at.list({ ...request, includeTotalSize: false }, one);
  return {
    async list(request) {
      if (request.includeTotalSize === false) return page(request);
      // The token is judged before anything is read, as in the right store.
      if (request.pageToken) decodePageToken(request.pageToken);
      const before = countFirst ? await count(request) : undefined;
      const tasks = countFirst ? undefined : await page(request);
      await store.pause();
      const reply = tasks ?? (await page(request));
      const totalSize = before ?? (await count(request));
      return { ...reply, ...(totalSize === undefined ? {} : { totalSize }) };
    },
  };
}

/** In the order of their rows. */
export const raceStoreFaults: readonly RaceStoreFault[] = [
  {
    id: 'RACE-01-memory',
    fault: 'a list counts first, then reads the page, in two states',
    breaks: ['SNAP-1'],
    methods: (store) => inTwoStatements(store, true),
  },
  {
    id: 'RACE-02',
    fault: 'page and count come over two connections, one after the other',
    breaks: ['SNAP-1'],
    methods: (store) => inTwoStatements(store, false),
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
  {
    id: 'RACE-08',
    fault: 'a conditional replace compares the revision, waits, and writes',
    breaks: ['SNAP-2'],
    methods: (store) => ({
      async replace(task, { ifRevision }) {
        if (ifRevision === undefined) return store.locked(() => store.at.replace(task, {}, one));
        const before = await store.at.get(task.id, one);
        if (before === undefined) throw new TaskNotFoundError();
        if (before.revision !== ifRevision) throw new RevisionConflictError();
        await store.pause();
        return store.locked(() => store.at.replace(task, {}, one));
      },
    }),
  },
  {
    id: 'RACE-09',
    fault: 'an append reads the history, waits, and writes the whole task',
    breaks: ['SNAP-2'],
    methods: (store) => ({
      async append(taskId, message) {
        const before = await store.at.get(taskId, one);
        if (before === undefined) throw new TaskNotFoundError();
        const { task, ...times } = before;
        if (task.history.some(({ messageId }) => messageId === message.messageId))
          return { ...times, deduplicated: true };
        await store.pause();
        const reply = await store.at.replace({ ...task, history: [...task.history, message] }, {}, one);
        return { ...reply, deduplicated: false };
      },
    }),
  },
  {
    id: 'RACE-11',
    fault: 'an append that meets a conflict tries again with the contents of its first attempt',
    breaks: ['SNAP-2'],
    methods: (store) => ({
      async append(taskId, message) {
        const first = await store.at.get(taskId, one);
        if (first === undefined) throw new TaskNotFoundError();
        const { task, ...times } = first;
        if (task.history.some(({ messageId }) => messageId === message.messageId))
          return { ...times, deduplicated: true };
        const changed = { ...task, history: [...task.history, message] };
        let { revision } = first;
        for (;;) {
          await store.pause();
          try {
            const reply = await store.at.replace(changed, revision === undefined ? {} : { ifRevision: revision }, one);
            return { ...reply, deduplicated: false };
          } catch (error) {
            if (!(error instanceof RevisionConflictError)) throw error;
            revision = (await store.at.get(taskId, one))?.revision;
          }
        }
      },
    }),
  },
  {
    id: 'RACE-14',
    fault: 'totals are kept, and forgotten a moment after the write that changes them',
    breaks: ['SNAP-1', 'COUNT-1'],
    methods(store) {
      const totals = new Map<string, number>();
      const forgetting =
        <A extends unknown[], T>(work: (...given: A) => Promise<T>) =>
        (...given: A): Promise<T> =>
          store.locked(async () => {
            const result = await work(...given);
            await store.pause();
            totals.clear();
            return result;
          });
      return {
        create: forgetting(store.at.create),
        replace: forgetting(store.at.replace),
        cancel: forgetting(store.at.cancel),
        delete: forgetting(store.at.delete),
        async list(request) {
          const page = await store.at.list(request, one);
          if (page.totalSize === undefined) return page;
          const key = JSON.stringify([request.contextId, request.status, request.statusTimestampAfter]);
          const totalSize = totals.get(key) ?? page.totalSize;
          totals.set(key, totalSize);
          return { ...page, totalSize };
        },
      };
    },
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
