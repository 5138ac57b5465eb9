/** How a store with a right codec comes to use page tokens wrongly: a method or two of a right store, changed. */
import { MEMORY_EPOCH_MICROS } from '../subject/memory.ts';
import type { CallContext, ListReply, SubjectStore } from '../subject/subject.ts';
import type { StoreListRequest, TaskCursor } from '../task/task.ts';
import { pageTokenV1 } from '../token/page-token.ts';

/** Gives the methods of a faulty store that differ from those of this right one. */
export type TokenUse = (store: SubjectStore) => Partial<SubjectStore>;

/** What a lookup of the boundary task makes of the request. */
export type LookedUp = 'as it is' | 'first page' | 'empty page' | TaskCursor;

const REFUSED_TOKEN = 'refused';

/** Sends another token to the store than the one that came. */
export function asking(change: (token: string) => string): TokenUse {
  return (store) => ({
    list: (request, call) => store.list({ ...request, pageToken: change(request.pageToken ?? '') }, call),
  });
}

/** Looks the boundary task up first, and tells `use` its last-update time, undefined where there is no such task. */
export function lookingUp(use: (boundary: TaskCursor, nowMicros: bigint | undefined) => LookedUp): TokenUse {
  return (store) => ({
    list: async (request, call) => {
      const boundary = readToken(request.pageToken);
      if (boundary === undefined) return store.list(request, call);
      const used = use(boundary, (await store.get?.(boundary.id, call))?.lastUpdatedMicros);
      if (used === 'as it is') return store.list(request, call);
      if (used === 'empty page') return emptyPage(store, request, call);
      return store.list({ ...request, pageToken: used === 'first page' ? '' : pageTokenV1.encode(used) }, call);
    },
  });
}

/** Answers a wrong token with an empty page, in the cases that `when` names. */
export function swallowing(when: (store: SubjectStore, call: CallContext) => Promise<boolean>): TokenUse {
  return (store) => ({
    list: async (request, call) => {
      const wrong = request.pageToken !== undefined && request.pageToken !== '' && !readToken(request.pageToken);
      return wrong && (await when(store, call)) ? emptyPage(store, request, call) : store.list(request, call);
    },
  });
}

/** Pages by offset: a token is the number of tasks that come before its page in the list as it stands now. */
export const byOffset: TokenUse = (store) => ({
  list: async (request, call) => {
    const token = request.pageToken ?? '';
    if (!/^[0-9]*$/.test(token)) return store.list({ ...request, pageToken: REFUSED_TOKEN }, call);
    let pageToken = '';
    for (let left = Number(token); left > 0; ) {
      const skipped = { ...request, pageToken, pageSize: Math.min(left, 100), includeTotalSize: false };
      const reply = await store.list(skipped, call);
      left -= reply.tasks.length;
      pageToken = reply.nextPageToken;
      if (pageToken === '') return emptyPage(store, request, call);
    }
    const reply = await store.list({ ...request, pageToken }, call);
    return { ...reply, nextPageToken: reply.nextPageToken && String(Number(token) + reply.tasks.length) };
  },
});

/**
 * Keeps what it issued until it restarts, and takes a token only where `takes` likes its age by the store's clock, in
 * microseconds; undefined where it did not issue it. The data stays through a restart, as it does in a database.
 */
export function remembering(takes: (ageMicros: bigint | undefined) => boolean): TokenUse {
  return (store) => {
    const issued = new Map<string, bigint>();
    let now = MEMORY_EPOCH_MICROS;
    return {
      setClock: (micros) => {
        now = micros;
        return store.setClock?.(micros);
      },
      restart: async () => issued.clear(),
      list: async (request, call) => {
        const since = issued.get(request.pageToken ?? '');
        const refused = readToken(request.pageToken) !== undefined && !takes(since === undefined ? since : now - since);
        const reply = await store.list(refused ? { ...request, pageToken: REFUSED_TOKEN } : request, call);
        if (reply.nextPageToken !== '') issued.set(reply.nextPageToken, now);
        return reply;
      },
    };
  };
}

/** A page without tasks, with the total and page size of the first one. */
async function emptyPage(store: SubjectStore, request: StoreListRequest, call: CallContext): Promise<ListReply> {
  const first = await store.list({ ...request, pageToken: '' }, call);
  return { ...first, tasks: [], taskCursors: [], nextPageToken: '' };
}

/** Reads a token; undefined where it is empty or wrong. */
function readToken(token: string | undefined): TaskCursor | undefined {
  try {
    return pageTokenV1.decode(token ?? '');
  } catch {
    return undefined;
  }
}
