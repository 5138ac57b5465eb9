/** The PostgreSQL store as a subject: over a real server, in a place of its own. */
import pg from 'pg';
import { EnvironmentError } from '../run/environment-error.ts';
import { choosePostgresProvider, type PostgresProvider, type PostgresServer } from '../run/postgres-provider.ts';
import { ScheduleProxy } from '../run/schedule-proxy.ts';
import { createPostgresTaskStore, type PostgresTaskStore } from '../store/postgres.ts';
import { MAX_POSTGRES_ID_BYTES } from '../store/postgres-ids.ts';
import { type PostgresParts, quoteIdentifier } from '../store/postgres-parts.ts';
import { EARLIEST_TIMESTAMPTZ_MICROS } from '../store/postgres-time.ts';
import { createSchema, type SchemaParts } from '../store/schema.ts';
import { PostgresActs } from './postgres-acts.ts';
import { createClock, setClock } from './postgres-clock.ts';
import { createPostgresFaults, shortenDeadlocks } from './postgres-faults.ts';
import { loadLargeStore } from './postgres-large-store.ts';
import { makePlace, type PostgresPlace } from './postgres-place.ts';
import type { Capabilities, Counters, Subject, SubjectStore } from './subject.ts';
import { storeMethods } from './task-store-methods.ts';

/** What the PostgreSQL store supports by itself; its clock is the database's. */
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

/** What the subject supports: the same, with a clock that the harness sets, as far back as PostgreSQL's times go. */
const withClock: Capabilities = {
  ...postgresCapabilities,
  clock: true,
  clockFrom: EARLIEST_TIMESTAMPTZ_MICROS,
  database: true,
};

/** How the subject is made. */
export interface PostgresSubjectOptions {
  /** `postgres` where absent. */
  readonly name?: string;
  /** Gives the server; an embedded one, or that of `PAGECHECK_POSTGRES_URL`, where absent. */
  readonly provider?: PostgresProvider;
  /** Keeps what was acknowledged across a crash (synchronous commit), at the price of speed. */
  readonly durable?: boolean;
  /** Durable, with limits on waits, and with a place where faults can happen. */
  readonly faults?: boolean;
  /** Pieces that replace the store's own. */
  readonly parts?: Partial<PostgresParts>;
  /** Steps that replace the migration's own. */
  readonly schemaParts?: Partial<SchemaParts>;
  /** Prepares a schema before the store's own migration runs on it, such as an older release's table. */
  readonly prepare?: (pool: pg.Pool, schema: string) => Promise<void>;
  /** Changes a store after it was made. */
  readonly wrap?: (store: PostgresTaskStore, pool: pg.Pool, schema: string) => PostgresTaskStore;
}

/** How many stores are driven at once, each with a schema of its own: beyond four, two cores have nothing left to give. */
export const POSTGRES_LANES = 4;

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
  const {
    name = 'postgres',
    faults = false,
    durable = faults,
    provider = choosePostgresProvider({ durable }),
  } = options;
  let server: PostgresServer | undefined;
  let place: PostgresPlace | undefined;
  let acts: PostgresActs | undefined;
  let slots = 0;
  let proxy: Promise<ScheduleProxy> | undefined;
  const free: Slot[] = [];
  const freeGated: Slot[] = [];
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
      if (faults) await shortenDeadlocks(place);
    } catch (error) {
      await server.stop();
      throw error;
    }
  };
  /** Opens a store on an empty slot; one whose connections lead through the proxy where there is one. */
  const openSlot = async (gate?: ScheduleProxy): Promise<SubjectStore> => {
    const unused = gate === undefined ? free : freeGated;
    const slot = unused.pop() ?? newSlot(started(place), slots++, options, gate?.url);
    all.add(slot);
    await slot.reset();
    acts ??= new PostgresActs(started(place), options);
    const around = faults ? { faults: createPostgresFaults(started(server), started(place), slot) } : {};
    return { ...openStore(slot, options, acts, () => unused.push(slot)), ...around };
  };
  return {
    name,
    capabilities: withClock,
    lanes: POSTGRES_LANES,
    notes: () => [...(acts?.notes ?? [])],
    server: () => started(server),
    place: () => started(place),
    start,
    open: async () => {
      await start();
      return openSlot();
    },
    openGated: async () => {
      await start();
      proxy ??= listenBefore(started(place));
      const gate = await proxy;
      return { store: await openSlot(gate), gate };
    },
    stop: async () => {
      // A pool ends when its last call has; a call that hangs ends when its place is removed.
      const ended = [...[...all].map((slot) => slot.end()), acts?.end()];
      acts = undefined;
      all.clear();
      free.length = 0;
      freeGated.length = 0;
      const gate = await proxy?.catch(() => undefined);
      proxy = undefined;
      await gate?.close();
      await place?.remove();
      await Promise.all(ended);
      place = undefined;
      await server?.stop();
      server = undefined;
    },
  };
}

/** Stands before a place's database; there deadlocks end soon, since under a schedule nobody else waits for them. */
async function listenBefore(place: PostgresPlace): Promise<ScheduleProxy> {
  await shortenDeadlocks(place);
  return ScheduleProxy.listen(String(place.connection.connectionString));
}

/** One schema, its clock and its connections; used by one open store at a time. */
export interface Slot {
  readonly schema: string;
  /** The store's own connections, which see the clock that the harness sets. */
  pool: pg.Pool;
  /** Ends the store's connections and makes new ones, as a new process would, with the schema managed again. */
  reconnect(): Promise<void>;
  /** Empties the table and lets the clock run; makes both first where this is the slot's first use. */
  reset(): Promise<void>;
  setClock(micros: bigint): Promise<void>;
  end(): Promise<void>;
}

/** How the connections of a slot's pool differ. */
interface SlotPool {
  readonly more?: string;
  readonly connectionTimeoutMillis?: number;
  readonly through?: pg.PoolConfig;
}

// Dead rows at the newest end of the index are what every first page must step over.
const DEAD_ROWS_LIMIT = 2_000;

function newSlot(place: PostgresPlace, index: number, options: PostgresSubjectOptions, proxyUrl?: string): Slot {
  const schema = place.schema(2 * index);
  const clock = place.schema(2 * index + 1);
  const table = `${quoteIdentifier(schema)}.a2a_tasks`;
  let dead = DEAD_ROWS_LIMIT;
  let made = false;
  let clockSet = false;
  const newPool = (
    max: number,
    searchPath: string,
    { more = '', connectionTimeoutMillis = 10_000, through = {} }: SlotPool = {},
  ): pg.Pool => {
    const settings = `${place.connection.options} -c search_path=${searchPath}${more}`;
    const bounds = { max, connectionTimeoutMillis, pipeline: true };
    const pool = new pg.Pool({ ...place.connection, ...through, ...bounds, options: settings } as pg.PoolConfig);
    pool.on('error', () => {});
    return pool;
  };
  // The schema is made outside the store's sessions: the default that it installs is PostgreSQL's own clock.
  const admin = newPool(1, place.decoy);
  const path = `${clock},${place.decoy},pg_catalog`;
  // Under faults, waits end before the fault does: as an operator would set them, only shorter.
  const newStorePool = (): pg.Pool =>
    options.faults
      ? newPool(4, path, { more: ' -c statement_timeout=400', connectionTimeoutMillis: 400 })
      : proxyUrl === undefined
        ? newPool(8, path)
        : newPool(16, path, { through: { connectionString: proxyUrl } });
  const slot: Slot = {
    schema,
    pool: newStorePool(),
    reconnect: async () => {
      await slot.pool.end();
      await createSchema(admin, schema, options.schemaParts);
      slot.pool = newStorePool();
    },
    reset: async () => {
      if (!made) {
        await options.prepare?.(admin, schema);
        await createSchema(admin, schema, options.schemaParts);
        await createClock(admin, clock);
        made = true;
      }
      if (clockSet) await setClock(admin, clock);
      clockSet = false;
      if (dead >= DEAD_ROWS_LIMIT) {
        await admin.query(`TRUNCATE ${table}`);
        dead = 0;
      } else {
        const { rowCount } = await admin.query(`DELETE FROM ${table}`);
        dead += rowCount ?? 0;
      }
    },
    setClock: async (micros) => {
      clockSet = true;
      await setClock(admin, clock, micros);
    },
    end: async () => {
      await Promise.all([slot.pool.end(), admin.end()]);
    },
  };
  return slot;
}

function openStore(
  slot: Slot,
  { parts, wrap }: PostgresSubjectOptions,
  acts: PostgresActs,
  giveBack: () => void,
): SubjectStore {
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
    setClock: (micros) => slot.setClock(micros),
    database: {
      perform: (act) => acts.perform(act, methods, slot.schema),
      load: (shape, tasks) => loadLargeStore(acts, shape, tasks),
    },
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
