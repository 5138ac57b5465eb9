/** A task store in PostgreSQL 14 or later. */
import pg from 'pg';
import { MAX_TIME_MICROS } from '../task/clock.ts';
import {
  InternalError,
  RevisionConflictError,
  TaskAlreadyExistsError,
  TaskNotCancelableError,
  TaskNotFoundError,
} from '../task/errors.ts';
import {
  isTerminal,
  type Message,
  type Projection,
  type StoredTask,
  type StoreListPage,
  type StoreListRequest,
  type Task,
  TaskState,
} from '../task/task.ts';
import type { AppendResult, TaskStore } from '../task/task-store.ts';
import { PostgresConnection, type PostgresCounters } from './postgres-connection.ts';
import { decodeRow, encodeMessage, encodeStatus, encodeTask, type Row } from './postgres-document.ts';
import { checkTaskId } from './postgres-ids.ts';
import { readListRequest } from './postgres-list-request.ts';
import { type PostgresParts, postgresParts } from './postgres-parts.ts';
import { createStatements, type Statements } from './postgres-statements.ts';
import { createSchema, requireSchema } from './schema.ts';
import { lightTask, wholeTask } from './task-copy.ts';

/** Where a store's tasks are. */
export interface PostgresStoreOptions {
  /** A pool of the caller's, which stays open when the store closes; with `pipeline: true` a list takes one round trip. */
  readonly pool?: pg.Pool;
  /** How to connect where there is no pool: the store makes one and ends it. `statement_timeout` and the like belong here. */
  readonly connection?: pg.PoolConfig;
  /** The schema of the table `a2a_tasks`; `public` where absent. */
  readonly schema?: string;
  /** Gives the status timestamp of a cancel that names none; the current time where absent. Never orders anything. */
  readonly now?: () => string;
  /** Pieces that replace the store's own. */
  readonly parts?: Partial<PostgresParts>;
}

/** A task store in PostgreSQL, with its counts. */
export interface PostgresTaskStore extends TaskStore {
  readonly counters: Readonly<PostgresCounters>;
}

/**
 * Opens a store on a schema that stands, without looking at it. Ids and context ids are well-formed text without NUL of
 * at most 1,000 UTF-8 bytes; all other text of a task survives whatever it holds.
 */
export function createPostgresTaskStore(options: PostgresStoreOptions = {}): PostgresTaskStore {
  return new PostgresStore(options);
}

/**
 * Opens a store after its schema was seen to: `managed` creates or upgrades it (`createSchema`), `external` only looks
 * and throws a `SchemaError` that names every missing or different piece (SCHEMA-2).
 */
export async function openPostgresTaskStore(
  options: PostgresStoreOptions & { readonly schemaMode: 'managed' | 'external' },
): Promise<PostgresTaskStore> {
  const store = new PostgresStore(options);
  try {
    await (options.schemaMode === 'managed' ? createSchema : requireSchema)(store.pool, options.schema);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

// Each repetition needs another writer who came in between; so many in a row is a fault.
const UPDATE_ATTEMPTS = 100;

class PostgresStore implements PostgresTaskStore {
  readonly pool: pg.Pool;
  readonly #ownsPool: boolean;
  readonly #connection: PostgresConnection;
  readonly #parts: PostgresParts;
  readonly #statements: Statements;
  readonly #now: () => string;

  constructor({
    pool,
    connection,
    schema = 'public',
    now = () => new Date().toISOString(),
    parts,
  }: PostgresStoreOptions) {
    this.#ownsPool = pool === undefined;
    this.pool =
      pool ?? new pg.Pool({ pipeline: true, connectionTimeoutMillis: 10_000, ...connection } as pg.PoolConfig);
    this.#parts = { ...postgresParts, ...parts };
    this.#connection = new PostgresConnection(this.pool, this.#parts);
    this.#statements = createStatements(schema, this.#parts);
    this.#now = now;
  }

  get counters(): Readonly<PostgresCounters> {
    return this.#connection.counters;
  }

  async create(task: Task): Promise<StoredTask> {
    const { id, values, copy } = encodeTask(task);
    const [row] = await this.#connection.write(this.#statements.create, [this.#parts.sentId(id), ...values]);
    if (row === undefined) throw new TaskAlreadyExistsError();
    return this.#stamped(copy, row);
  }

  async replace(task: Task, { ifRevision }: { readonly ifRevision?: number } = {}): Promise<StoredTask> {
    const { id, values, copy } = encodeTask(task);
    const sent = [this.#parts.sentId(id), ...values];
    if (ifRevision === undefined) {
      return this.#update(
        id,
        () => this.#connection.write(this.#statements.replace, sent),
        (row) => this.#stamped(copy, row),
      );
    }
    // No task has the revision 0: what is no revision at all conflicts with each.
    const expected = Number.isSafeInteger(ifRevision) ? ifRevision : 0;
    return this.#update(
      id,
      () => this.#connection.write(this.#statements.replaceIfRevision, [...sent, expected]),
      (row) => this.#stamped(copy, row),
      (current) => {
        if (current.revision !== expected) throw new RevisionConflictError();
        return undefined;
      },
    );
  }

  async append(taskId: string, message: Message): Promise<AppendResult> {
    checkTaskId(taskId);
    const { line, key } = encodeMessage(message, taskId);
    return this.#update<AppendResult>(
      taskId,
      () => this.#connection.write(this.#statements.append, [this.#parts.sentId(taskId), line, key]),
      (row) => ({ stored: this.#decode(row), deduplicated: false }),
      (stored) =>
        stored.task.history.some(({ messageId }) => messageId === message.messageId)
          ? { stored, deduplicated: true }
          : undefined,
    );
  }

  async cancel(taskId: string, { timestamp = this.#now() }: { readonly timestamp?: string } = {}): Promise<StoredTask> {
    checkTaskId(taskId);
    const status = { state: TaskState.TASK_STATE_CANCELED, message: undefined, timestamp };
    const [state, ...values] = encodeStatus(status, { id: taskId, contextId: undefined });
    return this.#update(
      taskId,
      () => this.#connection.write(this.#statements.cancel, [this.#parts.sentId(taskId), state, ...values]),
      (row) => this.#decode(row),
      ({ task }) => {
        if (isTerminal(task.status?.state)) throw new TaskNotCancelableError();
        return undefined;
      },
    );
  }

  async delete(taskId: string): Promise<void> {
    checkTaskId(taskId);
    const [row] = await this.#connection.write(this.#statements.delete, [this.#parts.sentId(taskId)]);
    if (row === undefined) throw new TaskNotFoundError();
  }

  async get(taskId: string, projection: Projection = 'full'): Promise<StoredTask | undefined> {
    checkTaskId(taskId);
    const extent = projection === 'light' ? lightTask : wholeTask;
    const [row] = await this.#connection.read(this.#statements.get(extent), [this.#parts.sentId(taskId)]);
    this.#connection.counters.rows += row === undefined ? 0 : 1;
    return row === undefined ? undefined : decodeRow(row, extent, this.#parts.readMicros);
  }

  async list(request: StoreListRequest): Promise<StoreListPage> {
    const { shape, filterValues, boundary, extent, pageSize, counted, nothing } = readListRequest(request, this.#parts);
    if (nothing)
      return { tasks: [], taskCursors: [], nextPageToken: '', pageSize, ...(counted ? { totalSize: 0 } : {}) };

    const values = [...filterValues, ...boundary];
    const page = [this.#statements.page(shape, extent), [...values, pageSize + this.#parts.lookAhead]] as const;
    let rows: Row[];
    let totalSize: number | undefined;
    if (counted) {
      this.#connection.counters.counts++;
      const [counts, found] = await this.#connection.readTogether([[this.#statements.count(shape), values], page]);
      totalSize = Number(counts?.[0]?.[0]);
      rows = found ?? [];
    } else {
      // One statement reads one state by itself: a transaction around it would only add to what is sent.
      rows = await this.#connection.read(...page);
    }
    this.#connection.counters.rows += rows.length;

    const stored = rows.slice(0, pageSize).map((row) => decodeRow(row, extent, this.#parts.readMicros));
    const taskCursors = stored.map(({ task, lastUpdatedMicros }) => ({ id: task.id, lastUpdatedMicros }));
    const last = taskCursors.at(-1);
    const more = rows.length >= pageSize + this.#parts.lookAhead;
    return {
      tasks: stored.map(({ task }) => task),
      taskCursors,
      nextPageToken: more && last !== undefined ? this.#parts.tokens.encode(last) : '',
      pageSize,
      ...(totalSize === undefined ? {} : { totalSize }),
    };
  }

  async close(): Promise<void> {
    this.#connection.detach();
    if (!this.#ownsPool) return;
    // Clients can still fail while they say goodbye.
    this.pool.on('error', () => {});
    await this.pool.end();
  }

  /**
   * Writes a row whose condition is part of the statement, so that it holds under the row's lock, and where no row was
   * written looks why: it is gone, can't advance, or `refusal` throws or gives a result. Where the row that is seen now
   * would have been written, it came or changed in between, and the write is tried again.
   */
  async #update<T>(
    id: string,
    write: () => Promise<Row[]>,
    accept: (row: Row) => T,
    refusal: (current: StoredTask) => T | undefined = () => undefined,
  ): Promise<T> {
    for (let attempt = 1; attempt <= UPDATE_ATTEMPTS; attempt++) {
      const [written] = await write();
      if (written !== undefined) return accept(written);
      const current = await this.get(id);
      if (current === undefined) throw new TaskNotFoundError();
      const refused = refusal(current);
      if (refused) return refused;
      if (current.lastUpdatedMicros >= MAX_TIME_MICROS) throw new InternalError("The time of the task can't advance");
    }
    throw new InternalError('The task keeps changing');
  }

  #stamped(task: Task, row: Row): StoredTask {
    const [revision, micros] = row as [string, string];
    return { task, revision: Number(revision), lastUpdatedMicros: this.#parts.readMicros(micros) };
  }

  #decode(row: Row): StoredTask {
    return decodeRow(row, wholeTask, this.#parts.readMicros);
  }
}
