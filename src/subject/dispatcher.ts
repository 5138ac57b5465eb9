/** The authorizing dispatcher as a subject. */
import type { DispatcherParts } from '../dispatcher/context.ts';
import { createDispatcher, type Dispatcher } from '../dispatcher/dispatcher.ts';
import type { AccessPolicy } from '../dispatcher/policy.ts';
import { TaskNotFoundError } from '../task/errors.ts';
import type { Projection } from '../task/task.ts';
import type { TaskStore } from '../task/task-store.ts';
import { type CallerPushConfigs, pushConfigsOf } from '../wire/caller-push-configs.ts';
import { defaultLimits } from '../wire/limits.ts';
import { createPushConfigs } from '../wire/push-configs.ts';
import { type AccessTable, createAccessTable } from './access-table.ts';
import { createBeneathPlace } from './beneath-place.ts';
import { type BackingStore, memoryBacking, type StoreBacking } from './store-backing.ts';
import { storeLayer } from './store-subject.ts';
import type { CallContext, Capabilities, PushMethods, Subject, SubjectStore } from './subject.ts';
import { type StoreMethods, storeMethods } from './task-store-methods.ts';
import { PUSH_URL } from './wire-push.ts';

/** How the subject is made; what is absent is right. */
export interface DispatcherSubjectOptions {
  /** `dispatcher`, or `dispatcher:` and the backing's name, where absent. */
  readonly name?: string;
  /** What the table's policy looks at; `light` where absent. */
  readonly projection?: Projection;
  /** Parts of the dispatcher that stand in for its own. */
  readonly parts?: Partial<DispatcherParts>;
  /** Makes the policy that the dispatcher asks; the table's own where absent. */
  readonly policy?: (table: AccessTable) => AccessPolicy;
  /** Puts something between the dispatcher and its store. */
  readonly wrapStore?: (store: TaskStore) => TaskStore;
  /** Puts something between the harness and the dispatcher. */
  readonly wrapDispatcher?: (dispatcher: Dispatcher) => Dispatcher;
  readonly policyTimeoutMs?: number;
}

/** A dispatcher over one store, as a harness drives it. */
export interface DispatcherSubjectStore extends SubjectStore {
  /** Narrows the lists of `caller` to these contexts; `'all'` lifts it. */
  setScope(caller: string, contextIds: readonly string[] | 'all'): void;
}

/** The dispatcher subject, whose stores know scopes too. */
export interface DispatcherSubject extends Subject {
  open(): Promise<DispatcherSubjectStore>;
}

/** Whoever calls without a name; the table never denies it anything unless it is told to. */
export const NO_CALLER = '(no caller)';

/** How long the subjects' dispatchers wait for a policy. The table answers at once: whatever takes longer is a fault that a harness has put there. */
export const POLICY_TIMEOUT_MS = 50;

/** Gives what a dispatcher supports over a store with these capabilities. */
export function dispatcherCapabilities(backing: StoreBacking['capabilities']): Capabilities {
  return {
    scope: ['D'],
    revisions: true,
    boundaries: true,
    tokens: 'v1',
    create: 'reject',
    deduplicates: true,
    totals: true,
    validatesPageSize: true,
    callers: true,
    ...backing,
  };
}

/** Makes the subject: each `open` is a dispatcher over an empty store of its own, with a table that allows everything. */
export function createDispatcherSubject(
  backing: StoreBacking = memoryBacking(),
  options: DispatcherSubjectOptions = {},
): DispatcherSubject {
  const { name = backing.name === 'memory' ? 'dispatcher' : `dispatcher:${backing.name}` } = options;
  return {
    name,
    capabilities: dispatcherCapabilities(backing.capabilities),
    ...(backing.lanes !== undefined && { lanes: backing.lanes }),
    ...(backing.start && { start: () => backing.start!() }),
    ...(backing.stop && { stop: () => backing.stop!() }),
    layers: () => [storeLayer(backing, dispatcherCapabilities(backing.capabilities), options.wrapStore)],
    open: async () => driveDispatcher(await backing.open(), options),
  };
}

/** Drives a dispatcher over an open store; calls without a caller are those of `NO_CALLER`. */
function driveDispatcher(opened: BackingStore, options: DispatcherSubjectOptions): DispatcherSubjectStore {
  const table = createAccessTable(options.projection);
  const { policyTimeoutMs = POLICY_TIMEOUT_MS } = options;
  let { store } = opened;
  const place = createBeneathPlace(options.policy?.(table) ?? table.policy, policyTimeoutMs, () => {
    dispatcher = over(store);
  });
  const pushConfigs = createPushConfigs(defaultLimits.pushConfigsPerTask);
  const over = (store: TaskStore): Dispatcher => {
    const made = createDispatcher({
      store: place.over(options.wrapStore?.(store) ?? store),
      policy: place.policy,
      policyTimeoutMs,
      ...(options.parts && { parts: options.parts }),
    });
    return options.wrapDispatcher?.(made) ?? made;
  };
  let dispatcher = over(store);
  const callerOf = ({ caller = NO_CALLER }: CallContext): string => caller;
  const as = (call: CallContext): StoreMethods => storeMethods(callerView(dispatcher, callerOf(call)));
  const { setClock, reopen } = opened;

  return {
    create: (task, call) => as(call).create(task, call),
    replace: (task, replaceOptions, call) => as(call).replace(task, replaceOptions, call),
    append: (taskId, message, call) => as(call).append(taskId, message, call),
    cancel: (taskId, cancelOptions, call) => as(call).cancel(taskId, cancelOptions, call),
    async delete(taskId, call) {
      await as(call).delete(taskId, call);
      pushConfigs.forget(taskId);
    },
    beneath: place.beneath,
    push: pushMethods((call) => pushConfigsOf(dispatcher, pushConfigs, callerOf(call))),
    get: (taskId, call) => as(call).get(taskId, call),
    list: (request, call) => as(call).list(request, call),
    setAccess: (caller, taskId, allowed) => table.setAccess(caller, taskId, allowed),
    setScope: (caller, contextIds) => table.setScope(caller, contextIds),
    ...(setClock && { setClock: (micros: bigint) => setClock(micros) }),
    ...(reopen && {
      restart: async () => {
        store = await reopen();
        dispatcher = over(store);
      },
    }),
    counters: () => ({ ...opened.counters?.(), ...dispatcher.counters() }),
    close: () => opened.close(),
  };
}

/** The configurations of a caller in the terms of a harness. */
function pushMethods(of: (call: CallContext) => CallerPushConfigs): PushMethods {
  return {
    async set(taskId, id, call) {
      await of(call).create({ tenant: '', taskId, id, url: PUSH_URL, token: '', authentication: undefined });
    },
    async get(taskId, id, call) {
      await of(call).get(taskId, id);
    },
    async list(taskId, { pageSize = 0, pageToken = '' }, call) {
      const { configs, nextPageToken } = await of(call).list(taskId, pageSize, pageToken);
      return { configs: configs.map(({ id }) => id), nextPageToken };
    },
    delete: (taskId, id, call) => of(call).delete(taskId, id),
  };
}

/** A store as one caller may see it; closing it closes nothing. */
function callerView(dispatcher: Dispatcher, caller: string): TaskStore {
  return {
    create: (task) => dispatcher.create(caller, task),
    replace: (task, options) => dispatcher.replace(caller, task, options),
    append: (taskId, message) => dispatcher.append(caller, taskId, message),
    cancel: (taskId, options) => dispatcher.cancel(caller, taskId, options),
    delete: (taskId) => dispatcher.delete(caller, taskId),
    get: async (taskId) => {
      try {
        return await dispatcher.get(caller, taskId);
      } catch (error) {
        if (error instanceof TaskNotFoundError) return undefined;
        throw error;
      }
    },
    list: (request) => dispatcher.list(caller, request),
    close: async () => {},
  };
}
