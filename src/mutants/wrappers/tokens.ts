/** Faults in what a store makes of page tokens. */
import type { CallContext, ListReply, SubjectStore } from '../../subject/subject.ts';
import type { StoreListRequest } from '../../task/task.ts';
import {
  answering,
  asking,
  type FaultWrapper,
  following,
  hasFilter,
  refusal,
  rowsOf,
  withMessage,
  withRows,
} from './wrapper.ts';

/** What a page is known by: the id of its last task. */
interface Issued {
  readonly boundary: string;
  readonly request: StoreListRequest;
  readonly caller: string | undefined;
}

type Lister = (request: StoreListRequest, call: CallContext, issued: Issued | undefined) => Promise<ListReply>;

/** Tells `list` for which page the token was given that it is sent, if for any. */
function knowing(list: (store: SubjectStore) => Lister): FaultWrapper['wrap'] {
  return (store) => {
    const pages = new Map<string, Issued>();
    const ours = list(store);
    return {
      list: async (request, call) => {
        const reply = await ours(request, call, pages.get(request.pageToken ?? ''));
        const boundary = reply.tasks.at(-1)?.id;
        if (reply.nextPageToken !== '' && boundary !== undefined)
          pages.set(reply.nextPageToken, { boundary, request, caller: call.caller });
        return reply;
      },
    };
  };
}

const first = (request: StoreListRequest): StoreListRequest => ({ ...request, pageToken: '' });

/** A page without tasks, as long as the list has any. */
async function emptyPage(store: SubjectStore, request: StoreListRequest, call: CallContext): Promise<ListReply> {
  return { ...withRows(await store.list(first(request), call), []), nextPageToken: '' };
}

/** A token whose boundary task was written since it was given is taken for something else. */
function whereBoundaryMoved(instead: (store: SubjectStore) => Lister): FaultWrapper['wrap'] {
  return (store, capabilities) => {
    const moved = new Set<string>();
    const given = new Map<string, string>();
    const tokens = knowing((inner) => async (request, call, issued) => {
      const isMoved = issued !== undefined && moved.has(request.pageToken ?? '');
      const reply = isMoved ? await instead(inner)(request, call, issued) : await inner.list(request, call);
      const boundary = reply.tasks.at(-1)?.id;
      if (boundary !== undefined && reply.nextPageToken !== '') {
        given.set(reply.nextPageToken, boundary);
        moved.delete(reply.nextPageToken);
      }
      return reply;
    });
    const changed = (id: string): void => {
      for (const [token, boundary] of given) if (boundary === id) moved.add(token);
    };
    return { ...following(store, changed), ...tokens(store, capabilities) };
  };
}

/** Changes the error that refuses a token which the store did not give. */
function refusing(message: (token: string, store: SubjectStore, call: CallContext) => string | Promise<string>) {
  return (store: SubjectStore): Partial<SubjectStore> => ({
    list: async (request, call) => {
      try {
        return await store.list(request, call);
      } catch (error) {
        const token = request.pageToken ?? '';
        throw token === '' ? error : withMessage(error, await message(token, store, call));
      }
    },
  });
}

/** Swallows the refusal of a token that the store did not give. */
const swallowing = knowing((store) => async (request, call, issued) => {
  try {
    return await store.list(request, call);
  } catch (error) {
    if (issued !== undefined || (request.pageToken ?? '') === '') throw error;
    return emptyPage(store, request, call);
  }
});

/** The page that follows is asked for with the filters of the page that gave the token. */
const sticking = knowing((store) => (request, call, issued) => {
  if (issued === undefined) return store.list(request, call);
  const { contextId, status, statusTimestampAfter } = issued.request;
  const { contextId: _, status: __, statusTimestampAfter: ___, ...rest } = request;
  return store.list(
    {
      ...rest,
      ...(contextId === undefined ? {} : { contextId }),
      ...(status === undefined ? {} : { status }),
      ...(statusTimestampAfter === undefined ? {} : { statusTimestampAfter }),
    },
    call,
  );
});

function isSameFilter(a: StoreListRequest, b: StoreListRequest): boolean {
  return (
    (a.contextId ?? '') === (b.contextId ?? '') &&
    (a.status ?? 0) === (b.status ?? 0) &&
    (a.statusTimestampAfter ?? '') === (b.statusTimestampAfter ?? '')
  );
}

const END = 'after-the-end';

/** After the last page comes `END`, which gives an empty page; with a token of its own where it goes on for ever. */
function goingOn(when: (reply: ListReply, request: StoreListRequest) => boolean, next: string): FaultWrapper['wrap'] {
  return (store) => ({
    list: async (request, call) => {
      if (request.pageToken === END) return { ...(await emptyPage(store, request, call)), nextPageToken: next };
      const reply = await store.list(request, call);
      return reply.nextPageToken === '' && when(reply, request) ? { ...reply, nextPageToken: END } : reply;
    },
  });
}

/** Refuses tokens that it gave before some event. */
function forgetting(forgets: (forget: () => void, store: SubjectStore) => Partial<SubjectStore>): FaultWrapper['wrap'] {
  return (store, capabilities) => {
    let valid = new Set<string>();
    const list = knowing((inner) => async (request, call, issued) => {
      if (issued !== undefined && !valid.has(request.pageToken ?? ''))
        throw refusal('invalid-argument', 'The page token is no longer valid');
      const reply = await inner.list(request, call);
      valid.add(reply.nextPageToken);
      return reply;
    });
    const forget = (): void => {
      valid = new Set();
    };
    return { ...forgets(forget, store), ...list(store, capabilities) };
  };
}

const isOpaque: FaultWrapper['needs'] = ({ tokens }) => tokens === 'opaque';

export const tokenWrappers: readonly FaultWrapper[] = [
  {
    id: 'numeric-token-accepted',
    fault: 'a token that is a number starts the list again',
    rule: 'TOKEN-3',
    wrap: asking((request) => (/^[0-9]+$/.test(request.pageToken ?? '') ? first(request) : request)),
  },
  {
    id: 'bad-token-swallowed',
    fault: 'a token that nobody gave gets an empty page',
    rule: 'TOKEN-4',
    wrap: swallowing,
  },
  {
    id: 'error-echoes-token',
    fault: 'the error of a wrong token tells the token',
    rule: 'TOKEN-4',
    wrap: refusing((token) => `Invalid page token: ${JSON.stringify(token)}`),
  },
  {
    id: 'error-tells-contents',
    fault: 'the error of a wrong token tells whether any task is there',
    rule: 'TOKEN-4',
    wrap: refusing(async (_, store, call) =>
      (await store.list({ pageSize: 1 }, call)).tasks.length === 0 ? 'No tasks' : 'Invalid page token',
    ),
  },
  {
    id: 'token-of-wrong-type',
    fault: 'the list ends with no token instead of an empty one',
    rule: 'TOKEN-1',
    wrap: answering((reply) =>
      reply.nextPageToken === '' ? ({ ...reply, nextPageToken: undefined } as never) : reply,
    ),
  },
  {
    id: 'token-refused-after-write',
    fault: 'a write makes every token invalid',
    rule: 'TOKEN-1',
    wrap: forgetting((forget, store) => following(store, forget)),
  },
  {
    id: 'token-single-use',
    fault: 'a token works once',
    rule: 'TOKEN-2',
    wrap: (store) => {
      const used = new Set<string>();
      return {
        list: async (request, call) => {
          const token = request.pageToken ?? '';
          if (used.has(token)) throw refusal('invalid-argument', 'The page token was used before');
          const reply = await store.list(request, call);
          if (token !== '') used.add(token);
          used.delete(reply.nextPageToken);
          return reply;
        },
      };
    },
  },
  {
    id: 'token-loses-id',
    fault: 'a token whose boundary id holds a delimiter starts the list again',
    rule: 'TOKEN-2',
    needs: isOpaque,
    wrap: knowing(
      (store) => (request, call, issued) =>
        store.list(issued !== undefined && /[|:_,/. ]/.test(issued.boundary) ? first(request) : request, call),
    ),
  },
  {
    id: 'token-forgotten',
    fault: 'a restart makes every token invalid',
    rule: 'TOKEN-2',
    methods: ['restart'],
    wrap: forgetting((forget, store) => ({
      restart: async () => {
        await store.restart?.();
        forget();
      },
    })),
  },
  {
    id: 'boundary-moved-ends',
    fault: 'where the boundary task was written or deleted meanwhile, the list ends',
    rule: 'TOKEN-5',
    wrap: whereBoundaryMoved((store) => (request, call) => emptyPage(store, request, call)),
  },
  {
    id: 'boundary-moved-restarts',
    fault: 'where the boundary task was written or deleted meanwhile, the list starts again',
    rule: 'WALK-1',
    wrap: whereBoundaryMoved((store) => (request, call) => store.list(first(request), call)),
  },
  {
    id: 'boundary-deleted-loses',
    fault: 'where the boundary task was written or deleted meanwhile, the first task after it is lost',
    rule: 'WALK-3',
    wrap: whereBoundaryMoved((store) => async (request, call) => {
      const reply = await store.list(request, call);
      return withRows(reply, rowsOf(reply).slice(1));
    }),
  },
  {
    id: 'token-ends-early',
    fault: 'the second page carries no token',
    rule: 'WALK-3',
    wrap: answering((reply, { token }) => (token === '' ? reply : { ...reply, nextPageToken: '' })),
  },
  {
    id: 'empty-page-with-token',
    fault: 'after the last page come empty ones without end',
    rule: 'WALK-5',
    wrap: goingOn(({ tasks }) => tasks.length > 0, END),
  },
  {
    id: 'token-on-full-last-page',
    fault: 'a full last page has a token',
    rule: 'WALK-6',
    wrap: goingOn(({ tasks }, { pageSize = 50 }) => tasks.length === pageSize, ''),
  },
  {
    id: 'filter-after-cut',
    fault: 'the context is looked for on the page that was cut without it',
    rule: 'TOKEN-6',
    wrap: (store) => ({
      list: async (request, call) => {
        const { contextId, ...rest } = request;
        if (!contextId) return store.list(request, call);
        const reply = await store.list(rest, call);
        return withRows(
          reply,
          rowsOf(reply).filter(({ task }) => task.contextId === contextId),
        );
      },
    }),
  },
  {
    id: 'token-bound-to-filter',
    fault: 'a token with other filters starts the list again',
    rule: 'TOKEN-8',
    wrap: knowing(
      (store) => (request, call, issued) =>
        store.list(issued !== undefined && !isSameFilter(issued.request, request) ? first(request) : request, call),
    ),
  },
  {
    id: 'token-keeps-filter',
    fault: "a token's own filters go before those of the request",
    rule: 'TOKEN-8',
    wrap: sticking,
  },
  {
    id: 'token-bound-to-caller',
    fault: 'a token of another caller starts the list again',
    rule: 'TOKEN-8',
    needs: ({ callers }) => callers,
    wrap: knowing(
      (store) => (request, call, issued) =>
        store.list(issued !== undefined && issued.caller !== call.caller ? first(request) : request, call),
    ),
  },
  {
    id: 'page-size-changes-list',
    fault: 'pages of one leave out the last task',
    rule: 'WALK-6',
    wrap: answering((reply, { request, token }) =>
      request.pageSize === 1 && token !== '' && !hasFilter(request) && reply.nextPageToken === ''
        ? withRows(reply, [])
        : reply,
    ),
  },
];
