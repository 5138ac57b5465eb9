/** A task store as a user would write it: one Map, sorted anew for each list, paged by a cursor over the sort key. */
import { type ListTasksRequest, type Message, type Task, TaskState } from '@a2a-js/sdk';

/** A task with what the store knows of it; `updatedMicros` is strictly increasing over all writes. */
export type Row = { readonly task: Task; readonly version: number; readonly updatedMicros: number };

/** Refused, with the reason in `code`. */
export class MapStoreError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Keeps tasks in memory. Every row that it takes or gives is a copy. */
export class MapStore {
  readonly #rows = new Map<string, Row>();
  #lastMicros = 0;

  create(task: Task): Row {
    if (!canKeep(task)) throw new MapStoreError('invalid-argument');
    if (this.#rows.has(task.id)) throw new MapStoreError('already-exists');
    return this.#write(task, 1);
  }

  replace(task: Task, expectedVersion?: number): Row {
    if (!canKeep(task)) throw new MapStoreError('invalid-argument');
    const { version } = this.#find(task.id);
    if (expectedVersion !== undefined && expectedVersion !== version) throw new MapStoreError('revision-conflict');
    return this.#write(task, version + 1);
  }

  /** Gives undefined, and writes nothing, where the message stands in the history already. */
  append(id: string, message: Message): Row | undefined {
    const { task, version } = this.#find(id);
    if (task.history.some(({ messageId }) => messageId === message.messageId)) return undefined;
    return this.#write({ ...task, history: [...task.history, message] }, version + 1);
  }

  cancel(id: string, timestamp: string): Row {
    const { task, version } = this.#find(id);
    if (terminal.has(task.status?.state)) throw new MapStoreError('not-cancelable');
    const status = { state: TaskState.TASK_STATE_CANCELED, message: undefined, timestamp };
    return this.#write({ ...task, status }, version + 1);
  }

  delete(id: string): void {
    this.#find(id);
    this.#rows.delete(id);
  }

  get(id: string): Row | undefined {
    return structuredClone(this.#rows.get(id));
  }

  /** Lists the last written first. The cursor is a place in that order: its task may have moved on, or be gone. */
  list(query: Partial<ListTasksRequest>): { rows: Row[]; nextPageToken: string; totalSize: number } {
    const { pageSize = 50, historyLength = Number.MAX_SAFE_INTEGER } = query;
    if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > 100) throw new MapStoreError('invalid-argument');
    if (!Number.isInteger(historyLength) || historyLength < 0) throw new MapStoreError('invalid-argument');
    const cursor = query.pageToken ? decodeCursor(query.pageToken) : undefined;
    const from = query.statusTimestampAfter ? toNanos(query.statusTimestampAfter) : undefined;
    const matching = [...this.#rows.values()].filter(
      ({ task: { contextId, status } }) =>
        (!query.contextId || contextId === query.contextId) &&
        (!query.status || status?.state === query.status) &&
        (from === undefined || (status?.timestamp !== undefined && toNanos(status.timestamp) >= from)),
    );
    const rest = matching.filter((row) => !cursor || compare(keyOf(row), cursor) > 0);
    rest.sort((a, b) => compare(keyOf(a), keyOf(b)));
    const rows = structuredClone(rest.slice(0, pageSize));
    for (const { task } of rows) {
      task.history.splice(0, task.history.length - historyLength);
      if (!query.includeArtifacts) task.artifacts = [];
    }
    const last = rows.at(-1);
    const nextPageToken = last && rest.length > rows.length ? encodeCursor(keyOf(last)) : '';
    return { rows, nextPageToken, totalSize: matching.length };
  }

  #find(id: string): Row {
    const row = this.#rows.get(id);
    if (!row) throw new MapStoreError('not-found');
    return row;
  }

  #write(task: Task, version: number): Row {
    this.#lastMicros = Math.max(Date.now() * 1000, this.#lastMicros + 1);
    const row = structuredClone({ task, version, updatedMicros: this.#lastMicros });
    this.#rows.set(task.id, row);
    return structuredClone(row);
  }
}

const terminal: ReadonlySet<TaskState | undefined> = new Set([
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
]);

type Key = readonly [updatedMicros: number, id: string];

const keyOf = ({ updatedMicros, task }: Row): Key => [updatedMicros, task.id];

/** The newest first; then by the bytes of the id, descending (`<` would compare UTF-16 code units). */
const compare = (a: Key, b: Key): number => b[0] - a[0] || Buffer.compare(Buffer.from(b[1]), Buffer.from(a[1]));

const encodeCursor = (key: Key): string => Buffer.from(JSON.stringify(key)).toString('base64url');

/** Takes exactly what `encodeCursor` gives: a decoder that forgives would take tokens that nobody issued. */
function decodeCursor(token: string): Key {
  try {
    const [micros, id] = JSON.parse(Buffer.from(token, 'base64url').toString());
    const isKey = Number.isSafeInteger(micros) && isText(id) && id !== '';
    if (isKey && encodeCursor([micros, id]) === token) return [micros, id];
  } catch {}
  throw new MapStoreError('invalid-argument');
}

/** Nanoseconds since the Unix epoch: Date keeps only the first three digits of a fraction. */
function toNanos(timestamp: string): bigint {
  const millis = Date.parse(timestamp);
  if (Number.isNaN(millis)) throw new MapStoreError('invalid-argument');
  const fraction = /\.(\d+)/.exec(timestamp)?.[1] ?? '';
  return BigInt(millis) * 1_000_000n + BigInt(fraction.padEnd(9, '0').slice(3, 9));
}

/** Text with lone surrogates is no Unicode: two different ids would become the same bytes in a cursor. */
const isText = (text: unknown): boolean => typeof text === 'string' && Buffer.from(text).toString() === text;

const canKeep = ({ id, contextId }: Task): boolean =>
  id !== '' && Buffer.byteLength(id) <= 4096 && isText(id) && isText(contextId);
