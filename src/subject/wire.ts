/** The reference agent as a subject, driven over its transports by a client that mends nothing. */
import { randomUUID } from 'node:crypto';
import { Role, Task } from '@a2a-js/sdk';
import type { DispatcherParts } from '../dispatcher/context.ts';
import { createDispatcher, type Dispatcher } from '../dispatcher/dispatcher.ts';
import type { Message, StoreListRequest } from '../task/task.ts';
import type { TaskStore } from '../task/task-store.ts';
import type { AgentOptions } from '../wire/agent.ts';
import type { AgentUrls } from '../wire/agent-card.ts';
import type { WireClient } from '../wire/client.ts';
import { keepMessages } from '../wire/executor.ts';
import { defaultLimits } from '../wire/limits.ts';
import { createPushConfigs } from '../wire/push-configs.ts';
import { createRawCaller, type RawFields, type RawMethod } from '../wire/raw-call.ts';
import type { AgentBackend } from '../wire/request-handler.ts';
import { followScript, type Instruction, SCRIPT_KEY } from '../wire/script.ts';
import type { Transport } from '../wire/transport-error.ts';
import { WireError } from '../wire/wire-error.ts';
import { createAccessTable } from './access-table.ts';
import { type AgentPool, createAgentPool } from './agent-pool.ts';
import { type BeneathPlace, createBeneathPlace } from './beneath-place.ts';
import { createDispatcherSubject, dispatcherCapabilities, NO_CALLER, POLICY_TIMEOUT_MS } from './dispatcher.ts';
import { type BackingStore, memoryBacking, type StoreBacking, unmanaged } from './store-backing.ts';
import { storeLayer } from './store-subject.ts';
import type { CallContext, Layer, ListReply, ReadReply, Subject, SubjectStore } from './subject.ts';
import { anyCaller, bearerOf } from './wire-client-set.ts';
import { wirePush } from './wire-push.ts';
import { createTimestampSpellings } from './wire-timestamps.ts';

/** One transport, or all three in turn, call by call: a token of one is then sent to the next (TOKEN-7). */
export type WireChoice = Transport | 'all';

/** How the subject is made; what is absent is right. */
export interface WireSubjectOptions {
  /** `wire`, or `wire:` and the transport, where absent. */
  readonly name?: string;
  /** Parts of the dispatcher that stand in for its own. */
  readonly parts?: Partial<DispatcherParts>;
  /** Puts something between the agent and its dispatcher. */
  readonly wrapDispatcher?: (dispatcher: Dispatcher) => Dispatcher;
  /** What stands in for the agent's own between its dispatcher and the network. */
  readonly agent?: Pick<AgentOptions, 'wrapHandler' | 'intercept' | 'limits'>;
}

/** An agent over one store, as a harness drives it, with what a check of raw bytes needs. */
export interface WireSubjectStore extends SubjectStore {
  readonly urls: AgentUrls;
  /** The bearer token of a caller; of calls without a caller where absent. */
  bearer(caller?: string): string;
  /** Narrows the lists of `caller` to these contexts; `'all'` lifts it. */
  setScope(caller: string, contextIds: readonly string[] | 'all'): void;
}

/** The agent subject. */
export interface WireSubject extends Subject {
  open(): Promise<WireSubjectStore>;
}

const TRANSPORTS: readonly Transport[] = ['jsonrpc', 'http', 'grpc'];

/**
 * Makes the subject: each `open` is an agent of its own over an empty store. Neither boundaries nor revisions cross the
 * wire, and totals always do; times are chosen by the store's clock, which the harness sets behind the wire.
 */
export function createWireSubject(
  choice: WireChoice = 'all',
  backing: StoreBacking = memoryBacking(),
  options: WireSubjectOptions = {},
): WireSubject {
  const suffix = [...(choice === 'all' ? [] : [choice]), ...(backing.name === 'memory' ? [] : [backing.name])];
  const { name = ['wire', ...suffix].join(':') } = options;
  let pool: AgentPool | undefined;
  return {
    name,
    capabilities: {
      ...dispatcherCapabilities(backing.capabilities),
      scope: ['W'],
      revisions: false,
      boundaries: false,
      transports: choice === 'all' ? TRANSPORTS : [choice],
    },
    start: async () => {
      await backing.start?.();
    },
    stop: async () => {
      await pool?.close();
      pool = undefined;
      await backing.stop?.();
    },
    layers: () => layersBeneath(choice, unmanaged(backing), options),
    async open() {
      pool ??= createAgentPool({ ...options.agent, authenticate: anyCaller });
      return driveAgent(pool, await backing.open(), choice === 'all' ? TRANSPORTS : [choice], options);
    },
  };
}

/** The store, the dispatcher over it, and, of transports that take turns, each alone. */
function layersBeneath(choice: WireChoice, backing: StoreBacking, options: WireSubjectOptions): Layer[] {
  const { parts, wrapDispatcher } = options;
  const dispatcher = createDispatcherSubject(backing, {
    ...(parts && { parts }),
    ...(wrapDispatcher && { wrapDispatcher }),
  });
  const alone = choice === 'all' ? TRANSPORTS : [];
  return [
    storeLayer(backing, dispatcher.capabilities),
    { name: 'dispatcher', level: 'dispatcher', subject: dispatcher },
    ...alone.map((transport): Layer => {
      const subject = createWireSubject(transport, backing, { ...options, name: `wire:${transport}` });
      return { name: transport, level: 'transport', subject };
    }),
  ];
}

async function driveAgent(
  pool: AgentPool,
  opened: BackingStore,
  transports: readonly Transport[],
  options: WireSubjectOptions,
): Promise<WireSubjectStore> {
  const table = createAccessTable();
  let { store } = opened;
  const place = createBeneathPlace(table.policy, POLICY_TIMEOUT_MS, () => {
    backend = { ...backend, dispatcher: dispatcherOver(store, place, options) };
  });
  let backend = backendOf(dispatcherOver(store, place, options));
  const { agent, clients, release } = await pool.take({
    get dispatcher() {
      return backend.dispatcher;
    },
    get executor() {
      return backend.executor;
    },
    get pushConfigs() {
      return backend.pushConfigs;
    },
    scripted: true,
  });
  const spellings = createTimestampSpellings();
  let turn = 0;
  const nextTransport = (): Transport => {
    turn += 1;
    return transports[turn % transports.length] as Transport;
  };
  const client = ({ caller = NO_CALLER }: CallContext): WireClient => clients.of(caller, nextTransport());
  const rawCaller = createRawCaller(agent.urls);
  const send = async (transport: Transport, method: RawMethod, fields: RawFields, call: CallContext) => ({
    transport,
    ...(await rawCaller.call(transport, method, fields, bearerOf(call.caller ?? NO_CALLER))),
  });

  async function instruct(instruction: Instruction, message: Message, call: CallContext): Promise<undefined> {
    const metadata = { ...message.metadata, [SCRIPT_KEY]: instruction };
    await client(call).send({ ...message, metadata });
  }
  // A spelling counts once the write that brought it has succeeded: a rejected one leaves the task's own.
  const write = async (what: 'create' | 'replace', task: Task, call: CallContext): Promise<undefined> => {
    await instruct({ do: what, task: Task.toJSON(task) }, emptyMessage(''), call);
    spellings.remember(task.id, task.status?.timestamp);
  };
  const spelled = ({ transport }: WireClient, task: Task): Task =>
    transport === 'grpc' ? spellings.restore(task) : task;
  const { setClock, reopen } = opened;

  return {
    urls: agent.urls,
    bearer: (caller = NO_CALLER) => bearerOf(caller),
    create: (task, call) => write('create', task, call),
    replace: (task, _options, call) => write('replace', task, call),
    append: (taskId, message, call) => instruct({ do: 'append' }, { ...message, taskId }, call),
    delete: async (taskId, call) => {
      await instruct({ do: 'delete' }, emptyMessage(taskId), call);
    },
    cancel: async (taskId, { timestamp = new Date().toISOString() }, call) => {
      await client(call).cancel(taskId, { timestamp });
      spellings.remember(taskId, timestamp);
      return undefined;
    },
    async get(taskId, call): Promise<ReadReply | undefined> {
      try {
        const through = client(call);
        return { task: spelled(through, await through.get(taskId)) };
      } catch (error) {
        if (error instanceof WireError && error.code === 'not-found') return undefined;
        throw error;
      }
    },
    async list(request, call): Promise<ListReply> {
      const through = client(call);
      // What else an agent may answer with is for the checks of raw answers.
      const { tasks, nextPageToken, pageSize, totalSize } = await through.list(wireRequest(request));
      const shown = tasks.map((task) => spelled(through, task));
      return { tasks: shown, nextPageToken, pageSize, totalSize, via: through.transport };
    },
    beneath: place.beneath,
    push: wirePush((method, fields, call) => send(nextTransport(), method, fields, call)),
    raw: ({ transport, method, fields }, call) => send(transport as Transport, method, fields, call),
    setAccess: (caller, taskId, allowed) => table.setAccess(caller, taskId, allowed),
    setScope: (caller, contextIds) => table.setScope(caller, contextIds),
    ...(setClock && { setClock: (micros: bigint) => setClock(micros) }),
    ...(reopen && {
      restart: async () => {
        store = await reopen();
        backend = backendOf(dispatcherOver(store, place, options));
      },
    }),
    counters: () => ({ ...opened.counters?.(), ...backend.dispatcher.counters() }),
    close: async () => {
      rawCaller.close();
      release();
      await opened.close();
    },
  };
}

function dispatcherOver(
  store: TaskStore,
  place: BeneathPlace,
  { parts, wrapDispatcher }: WireSubjectOptions,
): Dispatcher {
  const made = createDispatcher({
    store: place.over(store),
    policy: place.policy,
    policyTimeoutMs: POLICY_TIMEOUT_MS,
    ...(parts && { parts }),
  });
  return wrapDispatcher?.(made) ?? made;
}

function backendOf(dispatcher: Dispatcher): AgentBackend {
  const pushConfigs = createPushConfigs(defaultLimits.pushConfigsPerTask);
  return { dispatcher, executor: followScript(keepMessages, pushConfigs), pushConfigs, scripted: true };
}

/** Leaves out what the wire has no field for. */
function wireRequest(request: StoreListRequest): StoreListRequest {
  const { contextId, status, pageSize, pageToken, historyLength, statusTimestampAfter, includeArtifacts } = request;
  return {
    ...(contextId !== undefined && { contextId }),
    ...(status !== undefined && { status }),
    ...(pageSize !== undefined && { pageSize }),
    ...(pageToken !== undefined && { pageToken }),
    ...(historyLength !== undefined && { historyLength }),
    ...(statusTimestampAfter !== undefined && { statusTimestampAfter }),
    ...(includeArtifacts !== undefined && { includeArtifacts }),
  };
}

function emptyMessage(taskId: string): Message {
  return {
    messageId: randomUUID(),
    contextId: '',
    taskId,
    role: Role.ROLE_USER,
    parts: [],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}
