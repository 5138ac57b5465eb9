/**
 * Stores that keep the contract in unusual ways: each is one small right store with a few traits of its own. Whatever
 * a check finds on them is a false alarm.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes, randomUUID } from 'node:crypto';
import { type Message, Task, TaskState } from '@a2a-js/sdk';
import {
  type Capabilities,
  defineSubject,
  type ListReply,
  type ReadReply,
  type Subject,
  type SubjectStore,
  type WriteReply,
} from '../src/subject/subject.ts';
import type { StoreListRequest } from '../src/task/task.ts';

/** Where a row stands in a list; `primary` descends, then `tie` as the order says. */
interface Position {
  readonly primary: bigint;
  readonly tie: string;
}

interface Row {
  readonly task: Task;
  readonly micros: bigint;
  readonly revision: string;
  readonly created: number;
}

/** What makes one right store unlike another; what is absent is as in the plain one. */
export interface Traits {
  readonly capabilities?: Partial<Capabilities>;
  /** The next last-update time of a task, from the store's clock, the task's time before and the latest of all. */
  readonly advance?: (now: bigint, own: bigint | undefined, latest: bigint) => bigint;
  /** The clock can be set from outside. */
  readonly settable?: boolean;
  readonly revisionOf?: (task: Task, micros: bigint, count: number) => string;
  /** What a write answers. */
  readonly reply?: (row: Row) => WriteReply | undefined;
  readonly readReply?: (row: Row) => ReadReply;
  /** What is kept of a task. */
  readonly keep?: (task: Task) => Task;
  readonly positionOf?: (row: Row) => Position;
  readonly comparePositions?: (a: Position, b: Position) => number;
  readonly encode?: (position: Position, request: StoreListRequest) => string;
  readonly decode?: (token: string) => Position | undefined;
  /** How many tasks a page holds at most. */
  readonly limit?: (pageSize: number, rest: readonly Row[]) => number;
  /** Changes a page before it is given. */
  readonly page?: (page: ListReply, request: StoreListRequest) => ListReply;
  readonly keepsId?: (id: string) => boolean;
  /** Makes the error of a refusal. */
  readonly refuse?: (code: string) => Error;
  readonly classifyError?: Subject['classifyError'];
  readonly createOver?: boolean;
  /** A replace of a task that does not stand creates it. */
  readonly replaceCreates?: boolean;
  readonly deduplicates?: boolean;
  /** A get of a task that does not stand throws. */
  readonly getThrows?: boolean;
  /** The status time that a cancel writes. */
  readonly cancelTime?: (asked: string | undefined) => string;
  /** Methods that the store has not. */
  readonly without?: readonly (keyof SubjectStore)[];
  /** Changes the whole store once it is made. */
  readonly wrap?: (store: SubjectStore) => SubjectStore;
}

/** Makes the subject of a right store with these traits. */
export function unusual(name: string, traits: Traits): Subject {
  return defineSubject({
    name,
    capabilities: {
      clock: traits.settable ?? false,
      deduplicates: traits.deduplicates ?? true,
      create: traits.createOver === true ? 'upsert' : 'reject',
      revisions: true,
      ...traits.capabilities,
    },
    open: async () => open(traits),
    ...(traits.classifyError === undefined ? {} : { classifyError: traits.classifyError }),
  });
}

const coded = (code: string): Error => Object.assign(new Error(code), { code });
const isWellFormed = (text: string): boolean => Buffer.from(text).toString() === text;
const ended = new Set([
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
]);

/** Newest first, then by the bytes of the id, descending. */
function storageOrder(a: Position, b: Position): number {
  return a.primary === b.primary
    ? Buffer.compare(Buffer.from(b.tie), Buffer.from(a.tie))
    : a.primary > b.primary
      ? -1
      : 1;
}

function encodeJson({ primary, tie }: Position): string {
  return Buffer.from(JSON.stringify([String(primary), tie])).toString('base64url');
}

function decodeJson(token: string): Position | undefined {
  try {
    const [primary, tie] = JSON.parse(Buffer.from(token, 'base64url').toString());
    const position = { primary: BigInt(primary), tie: String(tie) };
    return encodeJson(position) === token ? position : undefined;
  } catch {
    return undefined;
  }
}

function open(traits: Traits): SubjectStore {
  const rows = new Map<string, Row>();
  const {
    advance = (now, own) => (own === undefined || now > own ? now : own + 1n),
    revisionOf = (_, __, count) => String(count),
    reply = ({ micros, revision }) => ({ revision, lastUpdatedMicros: micros }),
    readReply = (row) => ({ task: row.task, revision: row.revision, lastUpdatedMicros: row.micros }),
    keep = (task) => structuredClone(task),
    positionOf = (row) => ({ primary: row.micros, tie: row.task.id }),
    comparePositions = storageOrder,
    encode = encodeJson,
    decode = decodeJson,
    limit = (pageSize) => pageSize,
    page: change = (page) => page,
    keepsId = (id) => id !== '' && isWellFormed(id) && !id.includes('\0') && Buffer.byteLength(id) <= 255,
    refuse = coded,
    cancelTime = (asked) => asked ?? new Date().toISOString(),
  } = traits;
  let clock: bigint | undefined;
  let latest = -(2n ** 63n);
  let count = 0;

  const write = (task: Task, before: Row | undefined): WriteReply | undefined => {
    const now = clock ?? BigInt(Date.now()) * 1000n;
    const micros = advance(now, before?.micros, latest);
    if (micros > latest) latest = micros;
    count++;
    const kept = keep(task);
    const row = { task: kept, micros, revision: revisionOf(kept, micros, count), created: before?.created ?? count };
    rows.set(task.id, row);
    return reply(row);
  };
  const find = (id: string): Row => {
    const row = rows.get(id);
    if (row === undefined) throw refuse('not-found');
    return row;
  };
  const door = (task: Task): void => {
    if (!keepsId(task.id) || (task.contextId !== '' && !keepsId(task.contextId))) throw refuse('invalid-argument');
  };

  const store: SubjectStore = {
    async create(task) {
      door(task);
      const before = rows.get(task.id);
      if (before !== undefined && traits.createOver !== true) throw refuse('already-exists');
      return write(task, before);
    },
    async replace(task, { ifRevision }) {
      door(task);
      const before = rows.get(task.id);
      if (ifRevision !== undefined && before?.revision !== ifRevision) throw refuse('revision-conflict');
      if (before === undefined && traits.replaceCreates !== true) throw refuse('not-found');
      return write(task, before);
    },
    async append(id, message: Message) {
      const row = find(id);
      const known = row.task.history.some(({ messageId }) => messageId === message.messageId);
      if (known && traits.deduplicates !== false) return { deduplicated: true };
      return write({ ...row.task, history: [...row.task.history, message] }, row);
    },
    async cancel(id, { timestamp }) {
      const row = find(id);
      if (ended.has(row.task.status?.state ?? 0)) throw refuse('not-cancelable');
      const state = TaskState.TASK_STATE_CANCELED;
      return write({ ...row.task, status: { state, message: undefined, timestamp: cancelTime(timestamp) } }, row);
    },
    async delete(id) {
      find(id);
      rows.delete(id);
    },
    async get(id) {
      const row = rows.get(id);
      if (row === undefined && traits.getThrows === true) throw refuse('not-found');
      return row && readReply({ ...row, task: keep(row.task) });
    },
    async list(request) {
      const after = request.pageToken ? decode(request.pageToken) : undefined;
      if (request.pageToken && after === undefined) throw refuse('invalid-argument');
      const matching = [...rows.values()].filter(({ task }) => selects(request, task));
      const rest = matching
        .map((row) => ({ row, position: positionOf(row) }))
        .filter(({ position }) => after === undefined || comparePositions(after, position) < 0)
        .sort((a, b) => comparePositions(a.position, b.position));
      const size = limit(
        request.pageSize ?? 50,
        rest.map(({ row }) => row),
      );
      const shown = rest.slice(0, size);
      const last = shown.at(-1);
      const tasks = shown.map(({ row }) => cut(keep(row.task), request));
      const page = {
        tasks,
        taskCursors: shown.map(({ row }) => ({ id: row.task.id, lastUpdatedMicros: row.micros })),
        nextPageToken: last !== undefined && rest.length > shown.length ? encode(last.position, request) : '',
        totalSize: matching.length,
      };
      return change(page, request);
    },
    ...(traits.settable === true
      ? {
          setClock: (micros: bigint) => {
            clock = micros;
          },
        }
      : {}),
  };
  for (const method of traits.without ?? []) delete store[method];
  return traits.wrap?.(store) ?? store;
}

const writes = ['create', 'replace', 'append', 'cancel', 'delete'] as const;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Every operation waits before it takes effect, and after. */
function pausing(store: SubjectStore): SubjectStore {
  const paused = { ...store };
  for (const name of [...writes, 'get', 'list'] as const) {
    const method = store[name] as (...given: unknown[]) => Promise<unknown>;
    (paused as Record<string, unknown>)[name] = async (...given: unknown[]) => {
      await turn();
      try {
        return await method(...given);
      } finally {
        await turn();
      }
    };
  }
  return paused;
}

/** Every fifth write loses its answer: it was done, or never is, or is done a little later. */
function losing(store: SubjectStore): SubjectStore {
  const lossy = { ...store };
  let count = 0;
  for (const name of writes) {
    const method = store[name] as (...given: unknown[]) => Promise<unknown>;
    (lossy as Record<string, unknown>)[name] = async (...given: unknown[]) => {
      count++;
      if (count % 5 !== 0) return method(...given);
      const done = () => method(...given).catch(() => undefined);
      if (count % 15 === 0) await done();
      if (count % 15 === 5) void turn().then(turn).then(done);
      throw coded('unknown-outcome');
    };
  }
  return lossy;
}

function selects(request: StoreListRequest, { contextId, status }: Task): boolean {
  const from = request.statusTimestampAfter ? nanosOf(request.statusTimestampAfter) : undefined;
  return (
    (!request.contextId || request.contextId === contextId) &&
    (!request.status || request.status === status?.state) &&
    (from === undefined || (status?.timestamp !== undefined && nanosOf(status.timestamp) >= from))
  );
}

/** Nanoseconds since the Unix epoch; Date keeps three digits of a fraction. */
export function nanosOf(timestamp: string): bigint {
  const fraction = /\.(\d+)/.exec(timestamp)?.[1] ?? '';
  return BigInt(Date.parse(timestamp)) * 1_000_000n + BigInt(fraction.padEnd(9, '0').slice(3, 9));
}

function cut(task: Task, { historyLength, includeArtifacts }: StoreListRequest): Task {
  if (historyLength !== undefined) task.history = historyLength > 0 ? task.history.slice(-historyLength) : [];
  if (includeArtifacts !== true) task.artifacts = [];
  return task;
}

const boundaries = { boundaries: true } as const;
const key = randomBytes(32);

/** A token that nobody reads, and that is never the same twice. */
function seal(text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

function unseal(token: string): string | undefined {
  try {
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.toString('base64url') !== token) return undefined;
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString();
  } catch {
    return undefined;
  }
}

const sealed: Traits = {
  encode: (position) => seal(encodeJson(position)),
  decode: (token) => {
    const text = unseal(token);
    return text === undefined ? undefined : decodeJson(text);
  },
};

const strictly = (now: bigint, _: bigint | undefined, latest: bigint): bigint => (now > latest ? now : latest + 1n);
const inMillis = (now: bigint, own: bigint | undefined): bigint => {
  const floor = now - (((now % 1000n) + 1000n) % 1000n);
  return own === undefined || floor > own ? floor : own + 1000n;
};
const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
const asJson = (task: Task): Task => Task.fromJSON(JSON.parse(JSON.stringify(Task.toJSON(task))));
/** Protobuf keeps the instant of a timestamp, and writes it in one way. */
const asProtobuf = (task: Task): Task => {
  const copy = asJson(task);
  if (copy.status?.timestamp) copy.status.timestamp = new Date(copy.status.timestamp).toISOString();
  return copy;
};

/** Tokens that mean something only to the process that gave them. */
function handles(): Traits {
  const known = new Map<string, Position>();
  return {
    encode: (position) => {
      const handle = `handle-${known.size}`;
      known.set(handle, position);
      return handle;
    },
    decode: (token) => known.get(token),
  };
}

/** The stores of profile 0.6. */
export const unusualStores: readonly Subject[] = [
  unusual('plain', { capabilities: boundaries }),
  unusual('plain-settable', { settable: true, capabilities: boundaries }),
  unusual('strictly-increasing', { settable: true, advance: strictly, capabilities: { ...boundaries, ties: false } }),
  unusual('strictly-increasing-on-the-wall', { advance: strictly, capabilities: { ties: false } }),
  unusual('millisecond-times', { advance: inMillis, capabilities: boundaries }),
  unusual('millisecond-times-unseen', { advance: inMillis, reply: () => undefined }),
  unusual('millisecond-times-settable', { settable: true, advance: inMillis, capabilities: boundaries }),
  unusual('fewer-than-asked', { limit: (size) => Math.ceil(size / 2), capabilities: boundaries }),
  unusual('at-most-two', { settable: true, limit: (size) => Math.min(size, 2), capabilities: boundaries }),
  unusual('as-many-as-fit', {
    limit: (size, rest) => {
      let room = 600;
      const fits = rest.findIndex(({ task }, position) => {
        room -= JSON.stringify(task).length;
        return position > 0 && room < 0;
      });
      return Math.min(size, fits < 0 ? size : fits);
    },
  }),
  unusual('now-and-then-fewer', { limit: (size) => 1 + Math.floor(Math.random() * size), capabilities: boundaries }),
  unusual('etags-of-contents', { revisionOf: (task) => sha(JSON.stringify(task)) }),
  unusual('etags-of-chance', { revisionOf: () => `"${randomUUID()}"`, capabilities: boundaries }),
  unusual('silent-writes', {
    reply: () => undefined,
    readReply: ({ task }) => ({ task }),
    page: ({ tasks, nextPageToken, totalSize }) => ({ tasks, nextPageToken, totalSize: totalSize ?? 0 }),
  }),
  unusual('silent-writes-with-read-revisions', { reply: () => undefined }),
  unusual('list-and-create-only', {
    reply: () => undefined,
    page: ({ tasks, nextPageToken }) => ({ tasks, nextPageToken }),
    without: ['replace', 'append', 'cancel', 'delete', 'get'],
    capabilities: { totals: false, revisions: false, deduplicates: false },
  }),
  unusual('refuses-long-ids', {
    keepsId: (id) => id !== '' && isWellFormed(id) && !id.includes('\0') && Buffer.byteLength(id) <= 36,
    refuse: (code) => new Error(code === 'invalid-argument' ? 'bad request' : code),
    classifyError: (error) =>
      /^[a-z]+-[a-z-]+$/.test((error as Error).message) ? (error as Error).message : undefined,
    capabilities: { ids: { nul: false, maxBytes: 36 } },
  }),
  unusual('keeps-more-than-it-says', { keepsId: (id) => id !== '' && isWellFormed(id) }),
  unusual('sealed-tokens', { ...sealed, capabilities: boundaries }),
  unusual('sealed-tokens-settable', { ...sealed, settable: true, capabilities: boundaries }),
  unusual('sealed-tokens-fewer', { ...sealed, limit: (size) => Math.ceil(size / 2) }),
  unusual('no-totals', {
    capabilities: { totals: false },
    page: ({ tasks, nextPageToken }) => ({ tasks, nextPageToken }),
  }),
  unusual('filter-in-token', {
    encode: (position, { contextId, status }) =>
      Buffer.from(JSON.stringify([encodeJson(position), contextId, status])).toString('base64url'),
    decode: (token) => {
      try {
        return decodeJson(JSON.parse(Buffer.from(token, 'base64url').toString())[0]);
      } catch {
        return undefined;
      }
    },
    capabilities: boundaries,
  }),
  unusual('frozen-answers', {
    readReply: ({ task, revision }) => ({ task: deepFreeze(task), revision }),
    page: ({ tasks, ...page }) => deepFreeze({ ...page, tasks }),
  }),
  unusual('saves-and-lists-only', {
    createOver: true,
    reply: () => undefined,
    page: ({ tasks, nextPageToken }) => ({ tasks, nextPageToken }),
    without: ['replace', 'append', 'cancel', 'delete', 'get'],
    capabilities: { totals: false, revisions: false, deduplicates: false },
  }),
  unusual('upserts', { createOver: true, replaceCreates: true }),
  unusual('upserts-by-create-alone', { createOver: true }),
  unusual('upserts-undeclared-reject', { capabilities: { create: 'upsert' } }),
  unusual('deduplicates-undeclared', { capabilities: { deduplicates: false } }),
  unusual('appends-twice', { deduplicates: false }),
  unusual('short-history-in-lists', {
    page: (page) => ({ ...page, tasks: page.tasks.map((task) => ({ ...task, history: task.history.slice(-1) })) }),
  }),
  unusual('no-history-in-lists', {
    page: (page) => ({ ...page, tasks: page.tasks.map((task) => ({ ...task, history: [] })) }),
  }),
  unusual('kept-as-json', { keep: asJson, capabilities: boundaries }),
  unusual('kept-as-protobuf', { keep: asProtobuf, capabilities: boundaries }),
  unusual('get-throws', { getThrows: true }),
  unusual('get-throws-unclassified', {
    getThrows: true,
    refuse: (code) => new Error(`the backend said ${code}`),
  }),
  unusual('errors-with-request-ids', {
    refuse: (code) =>
      Object.assign(new Error(`${code} (request ${randomUUID()}, ${new Date().toISOString()})`), { code }),
  }),
  unusual('errors-without-codes', {
    refuse: (code) => `${code === 'invalid-argument' ? 'bad request' : code}` as never,
  }),
  unusual('pauses', { wrap: pausing, capabilities: boundaries }),
  unusual('pauses-unseen', { wrap: pausing, reply: () => undefined }),
  unusual('loses-answers', { wrap: losing, capabilities: boundaries }),
  unusual('token-handles', { ...handles(), capabilities: boundaries }),
  unusual('settable-unseen', { settable: true, reply: () => undefined, readReply: ({ task }) => ({ task }) }),
  unusual('times-in-lists-only', {
    reply: () => undefined,
    readReply: ({ task }) => ({ task }),
    capabilities: boundaries,
  }),
  unusual('restarts', { wrap: (store) => ({ ...store, restart: turn }), settable: true, capabilities: boundaries }),
  unusual('ten-at-most', { limit: (size) => Math.min(size, 10), capabilities: boundaries }),
  unusual('absent-arrays', {
    page: (page) => ({
      ...page,
      tasks: page.tasks.map((task) => ({
        ...task,
        artifacts: task.artifacts.length > 0 ? task.artifacts : (undefined as never),
      })),
    }),
  }),
  unusual('cancels-now', { cancelTime: () => new Date().toISOString() }),
];

const statusMillis = ({ task }: Row): bigint =>
  task.status?.timestamp === undefined ? -(2n ** 63n) : nanosOf(task.status.timestamp) / 1_000_000n;

/** Stores that A2A 1.0 alone allows: they list by status time, or by last update with ties as they come. */
export const unusualA2aStores: readonly Subject[] = [
  unusual('by-status-time-then-id', {
    positionOf: (row) => ({ primary: statusMillis(row), tie: row.task.id }),
    comparePositions: (a, b) =>
      a.primary === b.primary ? (a.tie < b.tie ? -1 : a.tie > b.tie ? 1 : 0) : a.primary > b.primary ? -1 : 1,
  }),
  unusual('by-status-time-then-creation', {
    positionOf: (row) => ({ primary: statusMillis(row), tie: String(row.created).padStart(9, '0') }),
    comparePositions: (a, b) =>
      a.primary === b.primary ? (a.tie < b.tie ? -1 : a.tie > b.tie ? 1 : 0) : a.primary > b.primary ? -1 : 1,
  }),
  unusual('by-status-time-then-first-updated', {
    positionOf: (row) => ({
      primary: statusMillis(row),
      tie: `${String(row.micros).padStart(20, '0')} ${row.task.id}`,
    }),
    comparePositions: (a, b) =>
      a.primary === b.primary ? (a.tie < b.tie ? -1 : a.tie > b.tie ? 1 : 0) : a.primary > b.primary ? -1 : 1,
  }),
  unusual('by-status-time-then-last-updated', {
    positionOf: (row) => ({
      primary: statusMillis(row),
      tie: `${String(row.micros).padStart(20, '0')} ${row.task.id}`,
    }),
  }),
  unusual('by-last-update', { advance: strictly }),
  unusual('by-last-update-fewer', { advance: strictly, limit: (size) => Math.ceil(size / 2) }),
];

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}
