/** Wraps any store with the official JavaScript SDK's `TaskStore` interface as a subject (`pagecheck/a2a-js`). */
import { type ListTasksRequest, type ListTasksResponse, type Task, TaskState } from '@a2a-js/sdk';
import { ServerCallContext } from '@a2a-js/sdk/server';
import { type ErrorCode, TaskNotCancelableError, TaskNotFoundError } from '../task/errors.ts';
import { isTerminal, type StoreListRequest } from '../task/task.ts';
import { type Capabilities, defineSubject, type ListReply, type Subject, type SubjectStore } from './subject.ts';

/** What a store may read of the SDK's `ServerCallContext`: its members that every 1.x release has. */
export type A2aJsCallContext = Pick<ServerCallContext, 'user' | 'tenant' | 'requestedVersion' | 'state'>;

/**
 * The SDK's `TaskStore` interface by shape, so that stores built on another installed release fit as well: the SDK's
 * own classes have private members and would tie the type to one copy of the package.
 */
export interface A2aJsTaskStore {
  /** Stores a task over whatever stands under its id. */
  save(task: Task, context: A2aJsCallContext): Promise<void>;
  /** Reads one task; undefined where there is none. */
  load(taskId: string, context: A2aJsCallContext): Promise<Task | undefined>;
  /** Reads one page (A2A 1.0 §3.1.4). */
  list(params: ListTasksRequest, context: A2aJsCallContext): Promise<ListTasksResponse>;
}

/** How `createA2aJsSubject` gets its stores, and what they can do. */
export interface A2aJsSubjectOptions<S extends A2aJsTaskStore> {
  readonly name: string;
  /** Makes a fresh, empty store; called once for each program of a run. */
  createStore(): S | Promise<S>;
  /** Releases a store that `createStore` made; nothing where absent. */
  dispose?(store: S): void | Promise<void>;
  /** Declared over the defaults: external, no revisions, clock or boundaries; a create overwrites; appends deduplicate. */
  readonly capabilities?: Partial<Capabilities>;
}

/**
 * Makes a subject of a store with the SDK's `TaskStore` interface. That interface has save, load and list only; the other
 * operations are put together from them as the SDK's `DefaultRequestHandler` and `ResultManager` do it: a create and
 * a replace are a save; an append and a cancel load the task, change it and save it, one at a time for each task id.
 * Two differences: a cancel of a canceled task is `not-cancelable` (the handler answers it with the task, unchanged),
 * and no message of cancellation is added. Lists get the defaults that the SDK's transports fill in, and
 * `historyLength` is applied to the answer, since the handler does that and no store needs to. What the interface
 * can't say (`contextIds`, `projection`, `includeTotalSize`) is not passed on. Every call is made by one authenticated
 * user, without a tenant.
 */
export function createA2aJsSubject<S extends A2aJsTaskStore>(options: A2aJsSubjectOptions<S>): Subject {
  return defineSubject({
    name: options.name,
    capabilities: { deduplicates: true, ...options.capabilities },
    classifyError: classifyA2aJsError,
    async open() {
      const store = await options.createStore();
      return { ...openStore(store), close: () => options.dispose?.(store) };
    },
  });
}

function openStore(store: A2aJsTaskStore): SubjectStore {
  const oneAtATime = createTaskLock();
  const load = async (taskId: string): Promise<Task> => {
    const task = await store.load(taskId, callContext());
    if (!task) throw new TaskNotFoundError();
    return task;
  };
  const save = (task: Task): Promise<undefined> =>
    oneAtATime(task.id, async () => {
      await store.save(task, callContext());
      return undefined;
    });
  return {
    create: save,
    replace: save,
    append: (taskId, message) =>
      oneAtATime(taskId, async () => {
        const task = await load(taskId);
        const history = task.history ?? [];
        if (history.some((known) => known.messageId === message.messageId)) return { deduplicated: true };
        await store.save({ ...task, history: [...history, message] }, callContext());
        return { deduplicated: false };
      }),
    cancel: (taskId, { timestamp = new Date().toISOString() }) =>
      oneAtATime(taskId, async () => {
        const task = await load(taskId);
        if (isTerminal(task.status?.state)) throw new TaskNotCancelableError();
        const status = { state: TaskState.TASK_STATE_CANCELED, message: undefined, timestamp };
        await store.save({ ...task, status }, callContext());
        return undefined;
      }),
    async get(taskId) {
      const task = await store.load(taskId, callContext());
      return task ? { task } : undefined;
    },
    async list(request) {
      const page = await store.list(toListTasksRequest(request), callContext());
      return cutHistory(page, request.historyLength);
    },
  };
}

/** The user that owns all tasks: the SDK's stores scope by `user.userName` (its `resolveUserScope`). */
const user = { isAuthenticated: true, userName: 'pagecheck' };

/** A context of its own for each call, as the transports make one for each request. */
function callContext(): ServerCallContext {
  return new ServerCallContext({ user, requestedVersion: '1.0' });
}

/** Fills in what is absent as the SDK's transports and its request handler do before a store sees the request. */
function toListTasksRequest(request: StoreListRequest): ListTasksRequest {
  return {
    tenant: '',
    contextId: request.contextId ?? '',
    status: request.status ?? TaskState.TASK_STATE_UNSPECIFIED,
    pageSize: request.pageSize ?? 50,
    pageToken: request.pageToken ?? '',
    historyLength: request.historyLength,
    statusTimestampAfter: request.statusTimestampAfter || undefined,
    includeArtifacts: request.includeArtifacts,
  };
}

/** Keeps the most recent messages. A page of the wrong shape goes through as it is: the harness says what is wrong. */
function cutHistory(page: ListReply, historyLength: number | undefined): ListReply {
  if (historyLength === undefined || !Array.isArray(page?.tasks)) return page;
  const recent = (history: Task['history']) => (historyLength <= 0 ? [] : history.slice(-historyLength));
  return { ...page, tasks: page.tasks.map((task: Task) => ({ ...task, history: recent(task.history ?? []) })) };
}

/**
 * Runs the works of one task id after each other. Without it two appends at once could lose one, which would be the
 * fault of this adapter and not of the store: the SDK has such a lock around its own load and save.
 */
function createTaskLock(): <T>(taskId: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (taskId, work) => {
    const mine = (last.get(taskId) ?? Promise.resolve()).then(work, work);
    last.set(taskId, mine);
    const forget = () => {
      if (last.get(taskId) === mine) last.delete(taskId);
    };
    mine.then(forget, forget);
    return mine;
  };
}

const codes: Readonly<Record<string, ErrorCode>> = {
  RequestMalformedError: 'invalid-argument',
  TaskNotFoundError: 'not-found',
  TaskNotCancelableError: 'not-cancelable',
  InvalidAgentResponseError: 'internal',
};

/**
 * Gives the contract's code for an error of the SDK, undefined for any other. Classes are told by the names along the
 * prototype chain: `instanceof` fails between two copies of the package, and the transports derive their own classes.
 */
export function classifyA2aJsError(error: unknown): ErrorCode | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'A2AError') return 'internal';
  for (let proto = Object.getPrototypeOf(error); proto !== null; proto = Object.getPrototypeOf(proto)) {
    const code = codes[proto.constructor?.name];
    if (code !== undefined) return code;
  }
  return undefined;
}
