/** What can be certified: a factory of fresh stores, with a declaration of what they support. */
import type { Scope } from '../../spec/contract.ts';
import type { DatabaseAct, DatabaseSight, IndexSight, PagesAct, StatementPlan } from '../history/database.ts';
import type {
  Message,
  Projection,
  StoredTask,
  StoreListPage,
  StoreListRequest,
  Task,
  TaskCursor,
} from '../task/task.ts';

export type { Scope };

/** Who calls. Absent caller: the store is driven without authorization. */
export interface CallContext {
  /** A name that the subject's policy knows; only where `capabilities.callers` is declared. */
  readonly caller?: string;
  /** Which of the concurrent clients calls, from 0; a subject may give each a connection of its own. */
  readonly client: number;
  /** Aborts when the harness stops waiting. */
  readonly signal?: AbortSignal;
}

/** What a successful write answers. Every field is optional: what is absent is judged from lists and reads alone. */
export interface WriteReply {
  /** The task's last-update time after the write, signed 64-bit microseconds. */
  readonly lastUpdatedMicros?: bigint;
  /** The task's revision after the write, an opaque text. */
  readonly revision?: string;
  /** Appends only: true where the message id stood already and nothing was written. */
  readonly deduplicated?: boolean;
  /** What the task is after the write, where the subject decides it; what was asked for where absent. */
  readonly task?: Task;
}

/** What a read answers. */
export interface ReadReply {
  readonly task: Task;
  readonly lastUpdatedMicros?: bigint;
  readonly revision?: string;
}

/** What a list answers; `taskCursors` only from a subject that declares boundaries. */
export interface ListReply {
  readonly tasks: readonly Task[];
  readonly taskCursors?: readonly TaskCursor[];
  readonly nextPageToken: string;
  readonly pageSize?: number;
  readonly totalSize?: number;
  /** The transport that carried the answer, where the subject has several. */
  readonly via?: string;
}

/**
 * Stands between a dispatcher and what it stands on. Each method sees one call of the dispatcher to its store or its
 * policy and gives the answer; `next` asks the real one.
 */
export interface Interceptor {
  list(request: StoreListRequest, next: (request: StoreListRequest) => Promise<StoreListPage>): Promise<StoreListPage>;
  get(
    taskId: string,
    projection: Projection | undefined,
    next: () => Promise<StoredTask | undefined>,
  ): Promise<StoredTask | undefined>;
  scope(caller: string, next: () => unknown): unknown;
  access(caller: string, task: Task, next: () => unknown): unknown;
}

/** The place between a dispatcher and what it stands on; without it the dispatcher is judged by its answers alone. */
export interface Beneath {
  /** Puts an interceptor there; undefined takes it away. */
  intercept(interceptor: Interceptor | undefined): void;
  /** Has the policy ask for this much of each task from now on; a fresh store's asks for `light`. */
  setProjection(projection: Projection): void;
  /** Milliseconds after which an answer of the policy is late; absent where the dispatcher waits for ever. */
  readonly policyLimitMs?: number;
}

/** The database beneath a store, for what only a database has. */
export interface Database {
  /** Does one thing there and says what was seen; bounds its own waits. */
  perform(act: DatabaseAct): Promise<DatabaseSight>;
  /** Loads a table of this shape past the store, vacuums it, and opens the store on it. */
  load?(shape: PagesAct['shape'], tasks: number): Promise<LargeStore>;
}

/** A store on a table that was loaded whole, and what only its database can tell of it. */
export interface LargeStore {
  readonly store: Pick<SubjectStore, 'create' | 'replace' | 'append' | 'list'>;
  /** How often the updated task was written, where the shape has one. */
  readonly updates?: number;
  readonly indexes: readonly IndexSight[];
  idAt(place: number): string;
  /** The token of the task that so many come before, in the whole list or in that of the context `half`. */
  tokenAt(place: number, context: boolean): Promise<string>;
  counters(): Counters;
  /** The plans with which the statements since the last time ran. */
  takePlans(): Promise<readonly StatementPlan[]>;
  /** Closes the store and drops its table. */
  close(): Promise<void>;
}

/** What can go wrong around a store, on purpose. */
export interface Faults {
  /** Every kind that can happen here, in words such as `connections killed`. */
  readonly kinds: readonly string[];
  /** Lets one fault happen and pass; resolves when it is over. False where it could not be brought about. */
  inject(kind: string): Promise<boolean>;
}

/** A page of a task's push-notification configurations, by their ids. */
export interface PushPage {
  readonly configs: readonly string[];
  readonly nextPageToken: string;
}

/** Push-notification configurations, as far as their pagination and their access go. */
export interface PushMethods {
  set(taskId: string, configId: string, call: CallContext): Promise<void>;
  get(taskId: string, configId: string, call: CallContext): Promise<void>;
  list(
    taskId: string,
    page: { readonly pageSize?: number; readonly pageToken?: string },
    call: CallContext,
  ): Promise<PushPage>;
  delete(taskId: string, configId: string, call: CallContext): Promise<void>;
}

/** A request whose fields go out as they are, right or wrong. */
export interface RawRequest {
  readonly transport: string;
  readonly method: 'ListTasks' | 'GetTask' | 'CancelTask';
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What came back, before any client has mended it. */
export interface RawReply {
  /** HTTP status; the status code of gRPC. */
  readonly status: number;
  /** The code of an error in its transport's own spelling. */
  readonly code?: string | number;
  readonly message?: string;
  /** JSON text of the result or of the error; of gRPC the decoded message, with numbers of unknown fields as `unknown`. */
  readonly body: string;
}

/** Named counts since the store was opened, such as `visits`; only differences between two readings are judged. */
export type Counters = Readonly<Record<string, number>>;

/**
 * One open store. `create` and `list` are required; each other method selects the rules that need it.
 * A rejected operation throws. An error's `code` (see `ErrorCode`) says which; an error without one is read through
 * `Subject.classifyError`, and where that gives nothing it counts as `unclassified`.
 */
export interface SubjectStore {
  create(task: Task, call: CallContext): Promise<WriteReply | undefined>;
  replace?(task: Task, options: { readonly ifRevision?: string }, call: CallContext): Promise<WriteReply | undefined>;
  append?(taskId: string, message: Message, call: CallContext): Promise<WriteReply | undefined>;
  /** `timestamp` is the status time to write; an external store may write its own. */
  cancel?(taskId: string, options: { readonly timestamp?: string }, call: CallContext): Promise<WriteReply | undefined>;
  delete?(taskId: string, call: CallContext): Promise<void>;
  get?(taskId: string, call: CallContext): Promise<ReadReply | undefined>;
  list(request: StoreListRequest, call: CallContext): Promise<ListReply>;

  /** Sets the store's clock, which then stands still until it is set again. Only with `capabilities.clock`. */
  setClock?(micros: bigint): Promise<void> | void;
  /** Lets `caller` access a task, or not. Only with `capabilities.callers`. */
  setAccess?(caller: string, taskId: string, allowed: boolean): Promise<void> | void;
  /** Narrows the lists of `caller` to these contexts; `'all'` lifts it. Only with `capabilities.callers`. */
  setScope?(caller: string, contextIds: readonly string[] | 'all'): Promise<void> | void;
  /** The place between the dispatcher and its store. */
  readonly beneath?: Beneath;
  readonly push?: PushMethods;
  /** The database beneath the store; only with `capabilities.database`. */
  readonly database?: Database;
  /** What can go wrong around the store; only where the subject was made for it. */
  readonly faults?: Faults;
  /** Sends a request as it is. Rejects with the code `unknown-outcome` where no answer came. */
  raw?(request: RawRequest, call: CallContext): Promise<RawReply>;
  /** Closes the store and opens it again on the same data, as a new process would. */
  restart?(): Promise<void>;
  /** Reads the subject's counters. */
  counters?(): Counters;
  close?(): Promise<void> | void;
}

/** Which tasks a store can hold under an id: `nul` where U+0000 is kept, `maxBytes` the longest id in UTF-8 bytes. */
export interface IdLimits {
  readonly nul: boolean;
  readonly maxBytes: number;
}

/** What a subject says of itself. A declaration selects rules; it never excuses a failure. */
export interface Capabilities {
  /** Scope letters of `spec/contract.ts` that are judged; `['X']` for an external store. */
  readonly scope: readonly Scope[];
  /** A replace may name the revision it expects. */
  readonly revisions: boolean;
  /** `setClock` works. */
  readonly clock: boolean;
  /** The earliest time that `setClock` takes, in microseconds; any where absent. */
  readonly clockFrom?: bigint;
  /** Two tasks may have one last-update time; false for a clock that strictly increases over all tasks. */
  readonly ties: boolean;
  /** Lists carry `taskCursors`. */
  readonly boundaries: boolean;
  /** `v1` where page tokens are the contract's v1 codec; `opaque` for a format of the store's own. */
  readonly tokens: 'v1' | 'opaque';
  /** `reject` where a create of a standing id fails with `already-exists`, `upsert` where it replaces. */
  readonly create: 'reject' | 'upsert';
  /** An append with a message id that stands in the history changes nothing and succeeds. */
  readonly deduplicates: boolean;
  /** A page's `totalSize` is meaningful. */
  readonly totals: boolean;
  /** Page sizes outside 1 to 100 are refused by the subject itself. */
  readonly validatesPageSize: boolean;
  /** Several callers with `setAccess`. */
  readonly callers: boolean;
  /** Stores have a `database`. */
  readonly database?: boolean;
  /** The transports that calls take in turn; absent where there is no wire. */
  readonly transports?: readonly string[];
  /**
   * A running agent of others, driven by messages: it chooses ids, states, times and contents itself, and the answers
   * to writes carry the task.
   */
  readonly agent?: boolean;
  readonly ids: IdLimits;
}

/** Waits until the harness lets the caller go on. */
export type Pause = () => Promise<void>;

/** Whose turn it is, where the harness decides that. */
export interface Turns {
  /** The client that was let go on last; undefined before the first. */
  readonly current: number | undefined;
  /** Resolves when it is this client's turn. */
  hold(client: number): Promise<void>;
}

/** Where the requests of a store to its server can be held until their turn comes, whatever the store is written in. */
export interface RequestGate {
  /** How many requests have waited for a turn. */
  readonly held: number;
  /** From now on requests wait for their turns, as the requests of who was let go on last; undefined lets all pass. */
  control(turns: Turns | undefined): void;
  /**
   * Resolves when nobody goes on any more: who was let go on waits for a turn (`isAtRest` says so of what the gate does
   * not see), is blocked by a lock in the server, or waits inside the store. Bounded.
   */
  settled(isAtRest: () => boolean): Promise<void>;
  /** What each connection that is not idle is at, a clause each. */
  describe(): readonly string[];
}

/** An open store, and the gate that its requests pass. */
export interface GatedStore {
  readonly store: SubjectStore;
  readonly gate: RequestGate;
}

/** A boundary beneath a subject's own, as a subject of its own over the very same parts. */
export interface Layer {
  /** `store`, `dispatcher`, or a transport. */
  readonly name: string;
  /** Layers of one level stand side by side. */
  readonly level: 'store' | 'dispatcher' | 'transport';
  readonly subject: Subject;
}

/** What can be certified. */
export interface Subject {
  readonly name: string;
  readonly capabilities: Capabilities;
  /** Opens a fresh, empty store; called many times in a run. */
  open(): Promise<SubjectStore>;
  /** How many stores may be open at once, none seeing another's tasks; 1 where absent. A run then drives so many at once. */
  readonly lanes?: number;
  /**
   * Opens a fresh store that awaits `pause` wherever it awaits anything (for an I/O client that is injected: before each
   * request), and nothing else. The harness then decides every interleaving, and can show it again.
   */
  openScheduled?(pause: Pause): Promise<SubjectStore>;
  /**
   * Opens a fresh store whose requests to its server pass a gate. The harness then decides in which order requests
   * reach the server, and can show it again; the store needs no change.
   */
  openGated?(): Promise<GatedStore>;
  /** Gives the contract's code for an error of the subject's own, undefined where it has none. */
  classifyError?(error: unknown): string | undefined;
  /** Prepares what all stores share (a server, say) once before the first `open`. */
  start?(): Promise<void>;
  /** Releases what `start` prepared. */
  stop?(): Promise<void>;
  /**
   * The boundaries beneath this one, lowest first: a program that fails here is run at each of them, to see which layer
   * it fails at first. They are used between `start` and `stop`.
   */
  layers?(): readonly Layer[];
  /** What the reader of a certificate should know of how this subject was driven, one sentence each. */
  notes?(): readonly string[];
}

/** What an external store supports where its subject says nothing: the careful minimum. */
export const externalDefaults: Capabilities = {
  scope: ['X'],
  revisions: false,
  clock: false,
  ties: true,
  boundaries: false,
  tokens: 'opaque',
  create: 'upsert',
  deduplicates: false,
  totals: true,
  validatesPageSize: false,
  callers: false,
  ids: { nul: false, maxBytes: 255 },
};

/** A subject as a user writes it: capabilities that are not named take `externalDefaults`. */
export interface SubjectDefinition extends Omit<Subject, 'capabilities'> {
  readonly capabilities?: Partial<Capabilities>;
}

/** Completes a user's definition; the result is what `pagecheck certify` takes as a module's default export. */
export function defineSubject(definition: SubjectDefinition): Subject {
  return { ...definition, capabilities: { ...externalDefaults, ...definition.capabilities } };
}
