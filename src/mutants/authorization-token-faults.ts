/** Dispatchers that use page tokens wrongly between callers and filters, or lose track of who calls. */
import { dispatcherParts } from '../dispatcher/context.ts';
import type { Dispatcher } from '../dispatcher/dispatcher.ts';
import type { CallerListRequest } from '../dispatcher/list-request.ts';
import { InvalidArgumentError } from '../task/errors.ts';
import type { TaskCursor } from '../task/task.ts';
import { around, type DispatcherFault, part } from './dispatcher-fault.ts';

/** Marks a filter whose request had a bad token. */
const bad: unique symbol = Symbol('bad token');

/** Carries the boundary of a request with its filter. */
const from: unique symbol = Symbol('boundary');

/** In the order of their rows. */
export const authorizationTokenFaults: readonly DispatcherFault[] = [
  {
    id: 'TOK-40',
    fault: 'a token is looked at when the store is asked, and not where the scope left nothing to ask',
    breaks: ['TOKEN-3', 'TOKEN-4'],
    options: {
      parts: {
        checkListRequest(request) {
          try {
            return dispatcherParts.checkListRequest(request);
          } catch (error) {
            const checked = dispatcherParts.checkListRequest({ ...request, pageToken: '' });
            return { ...checked, filter: { ...checked.filter, [bad]: error } };
          }
        },
        observeTasks(context, request) {
          const { [bad]: error } = request.filter as { [bad]?: unknown };
          if (error !== undefined) throw error;
          return dispatcherParts.observeTasks(context, request);
        },
      },
    },
  },
  {
    id: 'TOK-42',
    fault: 'a token brings the filters of the request that it was given to',
    breaks: ['TOKEN-5', 'TOKEN-8', 'FILTER-1', 'COUNT-1', 'WALK-3', 'WALK-4', 'WALK-5', 'AUTH-1'],
    options: withIssued<CallerListRequest>((dispatcher, issued) => async (caller, request, signal) => {
      const { contextId, status, statusTimestampAfter } = issued.get(request.pageToken ?? '') ?? request;
      const { contextId: _, status: __, statusTimestampAfter: ___, ...rest } = request;
      const filter = {
        ...(contextId !== undefined && { contextId }),
        ...(status !== undefined && { status }),
        ...(statusTimestampAfter !== undefined && { statusTimestampAfter }),
      };
      const page = await dispatcher.list(caller, { ...rest, ...filter }, signal);
      if (page.nextPageToken !== '') issued.set(page.nextPageToken, filter);
      return page;
    }),
  },
  {
    id: 'TOK-43',
    fault: 'a token is good for the caller that it was given to, and for no other',
    breaks: ['TOKEN-8', 'TOKEN-1'],
    options: withIssued<Set<string>>((dispatcher, issued) => async (caller, request, signal) => {
      const owners = issued.get(request.pageToken ?? '');
      if (owners !== undefined && !owners.has(caller)) throw new InvalidArgumentError('Invalid page token');
      const page = await dispatcher.list(caller, request, signal);
      if (page.nextPageToken !== '')
        issued.set(page.nextPageToken, new Set([...(issued.get(page.nextPageToken) ?? []), caller]));
      return page;
    }),
  },
  {
    id: 'TOK-44',
    fault: 'a token brings the rights of the caller that it was given to',
    breaks: ['TOKEN-8', 'AUTH-2', 'AUTH-8', 'COUNT-1', 'WALK-3', 'WALK-4', 'FILTER-1', 'AUTH-1'],
    options: withIssued<string>((dispatcher, issued) => async (caller, request, signal) => {
      const page = await dispatcher.list(issued.get(request.pageToken ?? '') ?? caller, request, signal);
      if (page.nextPageToken !== '') issued.set(page.nextPageToken, caller);
      return page;
    }),
  },
  {
    id: 'TOK-53',
    fault: 'a boundary whose task is gone ends the list, and one whose task is hidden does not',
    breaks: ['TOKEN-5', 'TOKEN-8', 'AUTH-8', 'COUNT-1', 'WALK-3', 'WALK-7'],
    options: {
      parts: {
        checkListRequest(request) {
          const checked = dispatcherParts.checkListRequest(request);
          return { ...checked, filter: { ...checked.filter, [from]: checked.boundary } };
        },
        async *observeTasks(context, request) {
          const { [from]: boundary } = request.filter as { [from]?: TaskCursor };
          if (boundary === undefined || (await context.store.get(boundary.id, 'light')) !== undefined)
            yield* dispatcherParts.observeTasks(context, request);
        },
      },
    },
  },
  {
    id: 'RACE-12',
    fault: 'the token has the time that its task had at the final read',
    breaks: ['TOKEN-6', 'WALK-1'],
    options: part('rereadChosen', async (context, caller, scope, chosen) => {
      const tasks = await dispatcherParts.rereadChosen(context, caller, scope, chosen);
      const last = chosen.at(-1);
      const now = last && (await context.store.get(last.id, 'light'));
      if (last !== undefined && now !== undefined)
        (chosen as TaskCursor[])[chosen.length - 1] = { id: last.id, lastUpdatedMicros: now.lastUpdatedMicros };
      return tasks;
    }),
  },
  {
    id: 'RACE-16',
    fault: 'who calls is kept in one place for all calls under way',
    breaks: ['AUTH-2', 'AUTH-3', 'AUTH-4'],
    options: {
      parts: {
        async askScope(access, caller, filter) {
          calling.set(access, caller);
          return access.scope(caller, filter);
        },
        allows: (access, caller, scope, tasks) => access.allows(calling.get(access) ?? caller, scope, tasks),
      },
    },
  },
];

/** The one place. */
const calling = new WeakMap<object, string>();

/** Remembers something of each token that was given out; it is forgotten with the dispatcher. */
function withIssued<T>(
  list: (dispatcher: Dispatcher, issued: Map<string, T>) => Dispatcher['list'],
): DispatcherFault['options'] {
  return around((dispatcher) => ({ list: list(dispatcher, new Map<string, T>()) }));
}
