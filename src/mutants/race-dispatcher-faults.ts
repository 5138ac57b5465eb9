/** Dispatchers that are right for one caller at a time and wrong for several. */
import { dispatcherParts } from '../dispatcher/context.ts';
import type { Dispatcher } from '../dispatcher/dispatcher.ts';
import type { DispatcherSubjectOptions } from '../subject/dispatcher.ts';
import type { TaskCursor } from '../task/task.ts';
import { encodePageToken } from '../token/page-token.ts';

/** A fault in how calls through a dispatcher overlap. `options` are made anew for each store that is opened. */
export interface RaceDispatcherFault {
  readonly id: string;
  readonly fault: string;
  readonly breaks: readonly string[];
  options(): DispatcherSubjectOptions;
}

/** In the order of their rows. */
export const raceDispatcherFaults: readonly RaceDispatcherFault[] = [
  {
    id: 'RACE-12-clients',
    fault: 'the token is built from the time of the last task at the final read',
    breaks: ['TOKEN-6', 'WALK-1', 'WALK-2'],
    options() {
      const fresh = new WeakMap<readonly TaskCursor[], TaskCursor>();
      return {
        parts: {
          async rereadChosen(context, caller, scope, chosen) {
            const store: typeof context.store = Object.create(context.store);
            store.get = async (id, projection) => {
              const stored = await context.store.get(id, projection);
              if (stored !== undefined && id === chosen.at(-1)?.id)
                fresh.set(chosen, { id, lastUpdatedMicros: stored.lastUpdatedMicros });
              return stored;
            };
            return dispatcherParts.rereadChosen({ ...context, store }, caller, scope, chosen);
          },
          nextPageToken({ more, chosen }) {
            const last = fresh.get(chosen) ?? chosen.at(-1);
            return more && last !== undefined ? encodePageToken(last) : '';
          },
        },
      };
    },
  },
  {
    id: 'RACE-15',
    fault: 'callers whose equal requests overlap share one answer',
    breaks: ['AUTH-8', 'AUTH-3', 'WALK-3', 'WALK-4', 'COUNT-1'],
    options() {
      const underWay = new Map<string, ReturnType<Dispatcher['list']>>();
      return {
        wrapDispatcher: (dispatcher) => ({
          ...dispatcher,
          list(caller, request, signal) {
            const key = JSON.stringify(request);
            const shared = underWay.get(key);
            if (shared !== undefined) return shared;
            const own = dispatcher.list(caller, request, signal).finally(() => underWay.delete(key));
            underWay.set(key, own);
            return own;
          },
        }),
      };
    },
  },
  {
    id: 'RACE-16-clients',
    fault: 'the current caller is kept in a variable of the module',
    breaks: ['AUTH-2', 'AUTH-3', 'WALK-3', 'WALK-4', 'COUNT-1'],
    options() {
      let current = '';
      return {
        wrapDispatcher: (dispatcher) =>
          new Proxy(dispatcher, {
            get(target, name) {
              const method: unknown = Reflect.get(target, name);
              if (typeof method !== 'function') return method;
              return (caller: string, ...given: unknown[]) => {
                current = caller;
                return method.call(target, caller, ...given);
              };
            },
          }),
        parts: {
          allows: (access, _caller, scope, tasks) => dispatcherParts.allows(access, current, scope, tasks),
        },
      };
    },
  },
];
