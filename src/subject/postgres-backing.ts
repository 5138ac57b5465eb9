/** PostgreSQL stores to put a dispatcher or an agent on, in one place of the run's own on one server. */
import pg from 'pg';
import { choosePostgresProvider, type PostgresProvider, type PostgresServer } from '../run/postgres-provider.ts';
import { openPostgresTaskStore, type PostgresTaskStore } from '../store/postgres.ts';
import { quoteIdentifier } from '../store/postgres-parts.ts';
import { POSTGRES_LANES, postgresCapabilities } from './postgres.ts';
import { makePlace, type PostgresPlace } from './postgres-place.ts';
import type { StoreBacking } from './store-backing.ts';

interface Started {
  readonly server: PostgresServer;
  readonly place: PostgresPlace;
  readonly pool: pg.Pool;
}

/**
 * Backs with PostgreSQL stores, each in a schema of its own while it is open. A schema is emptied and used again when its
 * store is closed: that takes 4 ms, a fresh schema tens. `stop` removes all that was made.
 */
export function postgresBacking(provider: PostgresProvider = choosePostgresProvider()): StoreBacking {
  const { clock, ties, ids } = postgresCapabilities;
  const free: string[] = [];
  let made = 0;
  let starting: Promise<Started> | undefined;

  async function start(): Promise<Started> {
    const server = await provider.start();
    try {
      const place = await makePlace(server, provider.name, false);
      const pool = new pg.Pool({ ...place.connection, max: 16, pipeline: true } as pg.PoolConfig);
      pool.on('error', () => {});
      return { server, place, pool };
    } catch (error) {
      await server.stop();
      throw error;
    }
  }
  const started = (): Promise<Started> => {
    starting ??= start();
    return starting;
  };

  return {
    name: 'postgres',
    capabilities: { clock, ties, ids },
    lanes: POSTGRES_LANES,
    start: async () => {
      await started();
    },
    async open() {
      const { place, pool } = await started();
      const schema = free.pop() ?? place.schema(made++);
      const openStore = (): Promise<PostgresTaskStore> =>
        openPostgresTaskStore({ pool, schema, schemaMode: 'managed' });
      let store = await openStore();
      let closed = false;
      return {
        store,
        counters: () => ({ ...store.counters }),
        async reopen() {
          await store.close();
          store = await openStore();
          return store;
        },
        async close() {
          if (closed) return;
          closed = true;
          await store.close();
          await pool.query(`TRUNCATE ${quoteIdentifier(schema)}.a2a_tasks`);
          free.push(schema);
        },
      };
    },
    async stop() {
      const running = await starting?.catch(() => undefined);
      starting = undefined;
      free.length = 0;
      made = 0;
      if (running === undefined) return;
      // A pool ends when its last call has; a call that hangs ends when its place is removed.
      const ended = running.pool.end();
      await running.place.remove();
      await ended;
      await running.server.stop();
    },
  };
}
