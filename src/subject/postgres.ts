/** The PostgreSQL store as a subject: over a real server, in a place of its own. */
import pg from 'pg';
import { EnvironmentError } from '../run/environment-error.ts';
import { choosePostgresProvider, type PostgresProvider, type PostgresServer } from '../run/postgres-provider.ts';
import { createPostgresTaskStore, type PostgresTaskStore } from '../store/postgres.ts';
import { MAX_POSTGRES_ID_BYTES } from '../store/postgres-ids.ts';
import { type PostgresParts, quoteIdentifier } from '../store/postgres-parts.ts';
import { createSchema, type SchemaParts } from '../store/schema.ts';
import { makePlace, type PostgresPlace } from './postgres-place.ts';
import type { Capabilities, Counters, Subject, SubjectStore } from './subject.ts';
import { storeMethods } from './task-store-methods.ts';

/** What the PostgreSQL store supports; its clock is the database's. */
export const postgresCapabilities: Capabilities = {
  scope: ['P'],
  revisions: true,
  clock: false,
  ties: true,
  boundaries: true,
  tokens: 'v1',
  create: 'reject',
  deduplicates: true,
  totals: true,
  validatesPageSize: true,
  callers: false,
  ids: { nul: false, maxBytes: MAX_POSTGRES_ID_BYTES },
};

/** How the subject is made. */
export interface PostgresSubjectOptions {
  /** `postgres` where absent. */
  readonly name?: string;
  /** Gives the server; an embedded one, or that of `PAGECHECK_POSTGRES_URL`, where absent. */
  readonly provider?: PostgresProvider;
  /** Keeps what was acknowledged across a crash (synchronous commit), at the price of speed. */
  readonly durable?: boolean;
  /** Pieces that replace the store's own. */
  readonly parts?: Partial<PostgresParts>;
  /** Steps that replace the migration's own. */
  readonly schemaParts?: Partial<SchemaParts>;
  /** Prepares a schema before the store's own migration runs on it, such as an older release's table. */
  readonly prepare?: (pool: pg.Pool, schema: string) => Promise<void>;
  /** Changes a store after it was made. */
  readonly wrap?: (store: PostgresTaskStore, pool: pg.Pool, schema: string) => PostgresTaskStore;
}

/** A subject on PostgreSQL, with what only a database has, between `start` and `stop`. */
export interface PostgresSubject extends Subject {
  /** The server in use; throws before `start`. */
  server(): PostgresServer;
  /** The place in use; throws before `start`. */
  place(): PostgresPlace;
}

/**
 * Makes the subject. `start` gets the server and makes the run's place on it; each `open` is an empty table, reset by
 * DELETE (0.2 ms) while few rows are dead and by TRUNCATE (4 ms) else; stores that are open at once have schemas of
 * their own. `stop` removes the place.
 */
export function createPostgresSubject(options: PostgresSubjectOptions = {}): PostgresSubject {
  const { name = 'postgres', durable = false, provider = choosePostgresProvider({ durable }) } = options;
  let server: PostgresServer | undefined;
  let place: PostgresPlace | undefined;
  let slots = 0;
  const free: Slot[] = [];
  const all = new Set<Slot>();

  const started = <T>(value: T | undefined): T => {
    if (value === undefined) throw new EnvironmentError(`${name}: the subject is not started`);
    return value;
  };
  const start = async (): Promise<void> => {
    if (place !== undefined) return;
    server = await provider.start();
    try {
      place = await makePlace(server, provider.name, durable);
    } catch (error) {
      await server.stop();
      throw error;
    }
  };
  return {
    name,
    capabilities: postgresCapabilities,
    server: () => started(server),
    place: () => started(place),
    start,
    open: async () => {
      await start();
      const slot = free.pop() ?? newSlot(started(place), slots++, options);
      all.add(slot);
      await slot.reset();
      return openStore(slot, options, () => free.push(slot));
    },
    stop: async () => {
      // A pool ends when its last call has; a call that hangs ends when its place is removed.
      const ended = [...all].map((slot) => slot.pool.end());
      all.clear();
      free.length = 0;
      await place?.remove();
      await Promise.all(ended);
      place = undefined;
      await server?.stop();
      server = undefined;
    },
  };
}

/** One schema and its connections; used by one open store at a time. */
interface Slot {
  readonly schema: string;
  pool: pg.Pool;
  /** Ends the connections and makes new ones, as a new process would, with the schema managed again. */
  reconnect(): Promise<void>;
  /** Empties the table; makes it first where this is the slot's first use. */
  reset(): Promise<void>;
}

// Dead rows at the newest end of the index are what every first page must step over.
const DEAD_ROWS_LIMIT = 2_000;

function newSlot(place: PostgresPlace, index: number, options: PostgresSubjectOptions): Slot {
  const schema = place.schema(index);
  const table = `${quoteIdentifier(schema)}.a2a_tasks`;
  let dead = DEAD_ROWS_LIMIT;
  let made = false;
  const newPool = (): pg.Pool => {
    const pool = new pg.Pool({
      ...place.connection,
      pipeline: true,
      max: 8,
      connectionTimeoutMillis: 10_000,
    } as pg.PoolConfig);
    pool.on('error', () => {});
    return pool;
  };
  const slot: Slot = {
    schema,
    pool: newPool(),
    reconnect: async () => {
      await slot.pool.end();
      slot.pool = newPool();
      await createSchema(slot.pool, schema, options.schemaParts);
    },
    reset: async () => {
      if (!made) {
        await options.prepare?.(slot.pool, schema);
        await createSchema(slot.pool, schema, options.schemaParts);
        made = true;
      }
      if (dead >= DEAD_ROWS_LIMIT) {
        await slot.pool.query(`TRUNCATE ${table}`);
        dead = 0;
      } else {
        const { rowCount } = await slot.pool.query(`DELETE FROM ${table}`);
        dead += rowCount ?? 0;
      }
    },
  };
  return slot;
}

function openStore(slot: Slot, { parts, wrap }: PostgresSubjectOptions, giveBack: () => void): SubjectStore {
  const before: Record<string, number> = { statements: 0, counts: 0, rows: 0 };
  const newStore = (): PostgresTaskStore => {
    const store = createPostgresTaskStore({ pool: slot.pool, schema: slot.schema, ...(parts ? { parts } : {}) });
    return wrap === undefined ? store : wrap(store, slot.pool, slot.schema);
  };
  let store = newStore();
  let methods = storeMethods(store);
  let underWay = 0;
  const counted = async <T>(work: Promise<T>): Promise<T> => {
    underWay++;
    try {
      return await work;
    } finally {
      underWay--;
    }
  };
  return {
    create: (...args) => counted(methods.create(...args)),
    replace: (...args) => counted(methods.replace(...args)),
    append: (...args) => counted(methods.append(...args)),
    cancel: (...args) => counted(methods.cancel(...args)),
    delete: (...args) => counted(methods.delete(...args)),
    get: (...args) => counted(methods.get(...args)),
    list: (...args) => counted(methods.list(...args)),
    restart: async () => {
      const last = store.counters;
      for (const [key, count] of Object.entries(last)) before[key] = (before[key] ?? 0) + count;
      await store.close();
      await slot.reconnect();
      store = newStore();
      methods = storeMethods(store);
    },
    counters: (): Counters =>
      Object.fromEntries(Object.entries(store.counters).map(([key, count]) => [key, (before[key] ?? 0) + count])),
    close: async () => {
      await store.close();
      // A call that nobody waits for any more may still write: its table is not used again.
      if (underWay === 0) giveBack();
    },
  };
}
