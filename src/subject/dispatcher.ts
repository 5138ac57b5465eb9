/** The authorizing dispatcher as a subject. */
import type { DispatcherParts } from '../dispatcher/context.ts';
import { createDispatcher, type Dispatcher } from '../dispatcher/dispatcher.ts';
import type { AccessPolicy } from '../dispatcher/policy.ts';
import { TaskNotFoundError } from '../task/errors.ts';
import type { Projection, StoredTask } from '../task/task.ts';
import type { TaskStore } from '../task/task-store.ts';
import { type AccessTable, createAccessTable } from './access-table.ts';
import { type BackingStore, memoryBacking, type StoreBacking } from './store-backing.ts';
import type { CallContext, Capabilities, Subject, SubjectStore, WriteReply } from './subject.ts';

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
    ...(backing.start && { start: () => backing.start!() }),
    ...(backing.stop && { stop: () => backing.stop!() }),
    open: async () => driveDispatcher(await backing.open(), options),
  };
}

/** Drives a dispatcher over an open store; calls without a caller are those of `NO_CALLER`. */
function driveDispatcher(opened: BackingStore, options: DispatcherSubjectOptions): DispatcherSubjectStore {
  const table = createAccessTable(options.projection);
  const policy = options.policy?.(table) ?? table.policy;
  const over = (store: TaskStore): Dispatcher =>
    createDispatcher({
      store: options.wrapStore?.(store) ?? store,
      policy,
      ...(options.parts && { parts: options.parts }),
      ...(options.policyTimeoutMs !== undefined && { policyTimeoutMs: options.policyTimeoutMs }),
    });
  let dispatcher = over(opened.store);
  const callerOf = ({ caller = NO_CALLER }: CallContext): string => caller;
  const { setClock, reopen } = opened;

  return {
    create: async (task, call) => reply(await dispatcher.create(callerOf(call), task)),
    replace: async (task, { ifRevision }, call) =>
      reply(
        await dispatcher.replace(
          callerOf(call),
          task,
          ifRevision === undefined ? {} : { ifRevision: numberOf(ifRevision) },
        ),
      ),
    append: async (taskId, message, call) => {
      const { stored, deduplicated } = await dispatcher.append(callerOf(call), taskId, message);
      return { ...reply(stored), deduplicated };
    },
    cancel: async (taskId, cancelOptions, call) =>
      reply(await dispatcher.cancel(callerOf(call), taskId, cancelOptions)),
    delete: (taskId, call) => dispatcher.delete(callerOf(call), taskId),
    get: async (taskId, call) => {
      try {
        const stored = await dispatcher.get(callerOf(call), taskId);
        return { task: stored.task, ...reply(stored) };
      } catch (error) {
        if (error instanceof TaskNotFoundError) return undefined;
        throw error;
      }
    },
    list: (request, call) => dispatcher.list(callerOf(call), request, call.signal),
    setAccess: (caller, taskId, allowed) => table.setAccess(caller, taskId, allowed),
    setScope: (caller, contextIds) => table.setScope(caller, contextIds),
    ...(setClock && { setClock: (micros: bigint) => setClock(micros) }),
    ...(reopen && {
      restart: async () => {
        dispatcher = over(await reopen());
      },
    }),
    counters: () => ({ ...opened.counters?.(), ...dispatcher.counters() }),
    close: () => opened.close(),
  };
}

/** Turns a revision's text back into a number; a text that no revision has gives one that no task has. */
function numberOf(revision: string): number {
  return /^[1-9][0-9]*$/.test(revision) ? Number(revision) : -1;
}

function reply(stored: StoredTask): WriteReply {
  return { lastUpdatedMicros: stored.lastUpdatedMicros, revision: String(stored.revision) };
}
