/** What goes wrong around a PostgreSQL store: connections, the server, locks, settings, the pool. */
import pg from 'pg';
import type { PostgresServer } from '../run/postgres-provider.ts';
import { quoteIdentifier } from '../store/postgres-parts.ts';
import type { Slot } from './postgres.ts';
import type { PostgresPlace } from './postgres-place.ts';
import { TABLE } from './postgres-sight.ts';
import type { Faults } from './subject.ts';

/** How long a state lasts that calls must run into: longer than a store's limits on its waits. */
const LASTS_MS = 600;
/** Kills and cancels come in a row, so that some meet a call in its middle. */
const HITS = 4;
const HIT_PAUSE_MS = 15;

/** Lets faults happen to the store of a slot. What needs a server or a database of the run's own is left out without one. */
export function createPostgresFaults(
  server: PostgresServer,
  place: PostgresPlace,
  slot: Pick<Slot, 'schema' | 'pool'>,
): Faults {
  const around = new Surroundings(server, place, slot);
  const kinds: Readonly<Record<string, () => Promise<unknown>>> = {
    'connections killed': () => around.hit('pg_terminate_backend'),
    'calls canceled': () => around.hit('pg_cancel_backend'),
    'statements timed out': () => around.lockTable(),
    'pool exhausted': () => around.exhaustPool(),
    deadlocks: () => around.deadlock(),
    ...(around.database === undefined
      ? {}
      : {
          'serialization failures': () => around.withSetting('default_transaction_isolation', 'serializable'),
          'read-only mode': () => around.withSetting('default_transaction_read_only', 'on'),
        }),
    ...(server.crash === undefined || server.restart === undefined
      ? {}
      : {
          'server killed': async () => {
            await server.crash?.();
            await server.restart?.();
          },
        }),
  };
  return {
    kinds: Object.keys(kinds),
    inject: async (kind) => {
      try {
        await kinds[kind]?.();
        return kind in kinds;
      } catch (error) {
        // A role without the right; anything else is the harness's own trouble.
        if ((error as { code?: string }).code === '42501') return false;
        throw error;
      }
    },
  };
}

/** Has the run's own database look for deadlocks sooner than a store's statements time out, where the user may say so. */
export async function shortenDeadlocks({ connection }: PostgresPlace): Promise<void> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    const name = quoteIdentifier(String(client.database));
    await client.query(`ALTER DATABASE ${name} SET deadlock_timeout = '50ms'`);
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error;
  } finally {
    await client.end();
  }
}

class Surroundings {
  /** The run's own database; undefined where it works in a database of others. */
  readonly database: string | undefined;
  readonly #url: string;
  readonly #ownUrl: string;
  readonly #application: string;
  readonly #slot: Pick<Slot, 'schema' | 'pool'>;

  constructor(server: PostgresServer, place: PostgresPlace, slot: Pick<Slot, 'schema' | 'pool'>) {
    this.#url = server.url;
    this.#ownUrl = String(place.connection.connectionString);
    this.#application = String(place.connection.application_name);
    this.#slot = slot;
    const name = new URL(this.#ownUrl).pathname.slice(1);
    this.database = name === new URL(this.#url).pathname.slice(1) ? undefined : name;
  }

  /** Kills or cancels every session of the store that is at work, a few times in a row. */
  async hit(how: 'pg_terminate_backend' | 'pg_cancel_backend'): Promise<void> {
    await this.#withClient(this.#url, async (client) => {
      for (let hit = 0; hit < HITS; hit++) {
        await client.query(
          `SELECT ${how}(pid) FROM pg_stat_activity WHERE application_name = $1 AND state <> 'idle' AND query LIKE $2`,
          [this.#application, `%${TABLE}%`],
        );
        await pause(HIT_PAUSE_MS);
      }
    });
  }

  /** Another session has the whole table for itself. */
  async lockTable(): Promise<void> {
    await this.#withClient(this.#ownUrl, async (client) => {
      await client.query(`BEGIN; LOCK TABLE ${this.#table} IN ACCESS EXCLUSIVE MODE`);
      await pause(LASTS_MS);
      await client.query('ROLLBACK');
    });
  }

  /** Somebody else takes the pool's connections, each as it comes free. */
  async exhaustPool(): Promise<void> {
    const { pool } = this.#slot;
    const taken = await Promise.allSettled(Array.from({ length: pool.options.max }, () => pool.connect()));
    await pause(LASTS_MS);
    for (const client of taken) if (client.status === 'fulfilled') client.value.release();
  }

  /** Holds a row, lets a write wait for it, and asks for the whole table: each waits for the other. */
  async deadlock(): Promise<void> {
    await this.#withClient(this.#ownUrl, async (client) => {
      await client.query(`SET deadlock_timeout = '5s'`);
      await client.query(`BEGIN; SELECT FROM ${this.#table} FOR UPDATE`);
      await pause(HIT_PAUSE_MS);
      await client.query(`LOCK TABLE ${this.#table} IN ACCESS EXCLUSIVE MODE`);
      await client.query('ROLLBACK');
    });
  }

  /** New sessions of the database get a setting; those that there are end, at its begin and at its end. */
  async withSetting(name: string, value: string): Promise<void> {
    const database = quoteIdentifier(this.database ?? '');
    await this.#withClient(this.#url, async (client) => {
      await client.query(`ALTER DATABASE ${database} SET ${name} = '${value}'`);
      await this.#endSessions(client);
      await pause(LASTS_MS);
      await client.query(`ALTER DATABASE ${database} RESET ${name}`);
      await this.#endSessions(client);
    });
  }

  get #table(): string {
    return `${quoteIdentifier(this.#slot.schema)}.${TABLE}`;
  }

  async #endSessions(client: pg.Client): Promise<void> {
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [
      this.#application,
    ]);
  }

  async #withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'pagecheck faults',
      connectionTimeoutMillis: 10_000,
      statement_timeout: 10_000,
    });
    client.on('error', () => {});
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end().catch(() => {});
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
