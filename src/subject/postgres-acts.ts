/** What a run does to the database beneath the PostgreSQL store: connections of its own, schemas of its own. */
import pg from 'pg';
import type { DatabaseAct, DatabaseSight, PagesAct, TableSight } from '../history/database.ts';
import { formatAct } from '../history/database-notation.ts';
import { createPostgresTaskStore, type PostgresTaskStore } from '../store/postgres.ts';
import { createSchema } from '../store/schema.ts';
import type { PostgresSubjectOptions } from './postgres.ts';
import { performHeldRow } from './postgres-held-row-act.ts';
import { type LoadedTable, loadTable, performPages } from './postgres-pages-act.ts';
import type { PostgresPlace } from './postgres-place.ts';
import { performStart, sightReference } from './postgres-start-act.ts';
import type { StoreMethods } from './task-store-methods.ts';

/** Far from the numbers that open stores take. */
const FIRST_SCHEMA = 1_000_000;

/** No act waits longer than this for one statement. */
const STATEMENT_LIMIT_MS = 30_000;

/** Refusals of a server that say what this user or build can't do, and nothing of the store. */
const CANNOT: ReadonlySet<string> = new Set(['42501', '0A000', '58P01', '42704', '22023']);

/** Makes acts possible on one place; its connections are made when they are first needed. */
export class PostgresActs {
  readonly place: PostgresPlace;
  readonly options: PostgresSubjectOptions;
  /** What could not be done, each once, for the reader of a certificate. */
  readonly notes: Set<string> = new Set();
  readonly #pools: pg.Pool[] = [];
  readonly #starters: pg.Pool[] = [];
  readonly #tables = new Map<string, Promise<LoadedTable>>();
  #own: pg.Pool | undefined;
  #reference: Promise<TableSight> | undefined;
  #made = 0;

  constructor(place: PostgresPlace, options: PostgresSubjectOptions) {
    this.place = place;
    this.options = options;
  }

  /** Does one thing; `store` and its schema are those under test. */
  async perform(act: DatabaseAct, store: StoreMethods, schema: string): Promise<DatabaseSight> {
    try {
      if (act.act === 'held-row') return await performHeldRow(act, this, store, schema);
      return act.act === 'start' ? await performStart(act, this) : await performPages(act, this);
    } catch (error) {
      const { code, message } = error as Error & { code?: string };
      this.notes.add(`Not looked at: ${formatAct(act)}: ${message}.`);
      if (CANNOT.has(code ?? '')) return { seen: 'nothing', why: message };
      throw error;
    }
  }

  /** A number that no other act has. */
  newNumber(): number {
    return this.#made++;
  }

  /** The name of a schema that does not stand yet. */
  newSchema(): string {
    return this.place.schema(FIRST_SCHEMA + this.newNumber());
  }

  /** The table as the shipped SQL makes it. */
  reference(): Promise<TableSight> {
    this.#reference ??= sightReference(this);
    return this.#reference;
  }

  /** The table of a shape, loaded once. */
  loaded(shape: PagesAct['shape'], tasks: number): Promise<LoadedTable> {
    const key = `${shape} ${tasks}`;
    const known = this.#tables.get(key) ?? loadTable(this, shape, tasks);
    this.#tables.set(key, known);
    known.then(({ plans: { pool } }) => this.#pools.includes(pool) || this.#pools.push(pool)).catch(() => {});
    return known;
  }

  /** Makes a schema as the subject's own schemas are made. */
  async migrate(schema: string): Promise<void> {
    await this.options.prepare?.(this.starter(0), schema);
    await createSchema(this.starter(0), schema, this.options.schemaParts);
  }

  /** A store under test on a schema. */
  newStore(pool: pg.Pool, schema: string): PostgresTaskStore {
    const { parts, wrap } = this.options;
    const store = createPostgresTaskStore({ pool, schema, ...(parts ? { parts } : {}) });
    return wrap === undefined ? store : wrap(store, pool, schema);
  }

  /** The connection of one of several starters. */
  starter(number: number): pg.Pool {
    this.#starters[number] ??= this.#newPool(1);
    return this.#starters[number];
  }

  /** Works with a connection of the run's own. */
  async withClient<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    this.#own ??= this.#newPool(4);
    const client = await this.#own.connect();
    try {
      return await work(client);
    } finally {
      client.release();
    }
  }

  /** How many sessions of the run wait for a lock now. */
  async waiting(): Promise<number> {
    return this.withClient(async (client) => {
      const { rows } = await client.query<{ waiting: number }>(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity
          WHERE application_name = $1 AND datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
        [this.place.connection.application_name],
      );
      return rows[0]?.waiting ?? 0;
    });
  }

  /** Ends every connection. The schemas go with the place. */
  async end(): Promise<void> {
    await Promise.allSettled(this.#tables.values());
    const pools = [...this.#pools, ...this.#starters, ...(this.#own === undefined ? [] : [this.#own])];
    await Promise.all(pools.filter((pool) => !pool.ended).map((pool) => pool.end()));
  }

  #newPool(max: number): pg.Pool {
    const options = `${this.place.connection.options} -c statement_timeout=${STATEMENT_LIMIT_MS}`;
    const pool = new pg.Pool({ ...this.place.connection, max, options, connectionTimeoutMillis: 10_000 });
    pool.on('error', () => {});
    return pool;
  }
}
