/** Stores that are right for one client and wrong for several, wherever their waits are. */
import type { SubjectStore } from '../subject/subject.ts';
import type { StoreMethods } from '../subject/task-store-methods.ts';
import { RevisionConflictError, TaskNotFoundError } from '../task/errors.ts';
import type { StoreListRequest } from '../task/task.ts';
import { decodePageToken } from '../token/page-token.ts';

/** What a faulty method has at hand. */
export interface WaitingStore {
  /** The right store's methods. */
  readonly at: StoreMethods;
  /** Waits, as for a round trip. */
  pause(): Promise<void>;
  /** Does a piece of work that no other one of these overlaps, where the store has such a lock. */
  locked<T>(work: () => Promise<T>): Promise<T>;
}

/** A fault in how the operations of a store overlap. */
export interface RaceStoreFault<Store extends WaitingStore = WaitingStore> {
  readonly id: string;
  readonly fault: string;
  readonly breaks: readonly string[];
  methods(store: Store): Partial<SubjectStore>;
}

const one = { client: 0 } as const;

/** A list whose total and page are read one after the other, in the order given, with a wait between. */
export function inTwoStatements(store: WaitingStore, countFirst: boolean): Partial<SubjectStore> {
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
    id: 'RACE-02',
    fault: 'page and count come over two connections, one after the other',
    breaks: ['SNAP-1'],
    methods: (store) => inTwoStatements(store, false),
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
