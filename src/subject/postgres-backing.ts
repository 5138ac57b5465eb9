/** PostgreSQL stores to put a dispatcher or an agent on: one server a run, a schema for each store that is open. */
import pg from 'pg';
import { choosePostgresProvider, type PostgresProvider, type PostgresServer } from '../run/postgres-provider.ts';
import { openPostgresTaskStore, type PostgresTaskStore } from '../store/postgres.ts';
import type { StoreBacking } from './store-backing.ts';

/**
 * Backs with PostgreSQL stores. A schema is emptied and used again when its store is closed: that takes a fraction of a
 * millisecond, a fresh schema tens. Everything is made in schemas named `pagecheck_…` and dropped by `stop`.
 */
export function postgresBacking(provider: PostgresProvider = choosePostgresProvider()): StoreBacking {
  const prefix = `pagecheck_${process.pid}_${Date.now().toString(36)}`;
  const free: string[] = [];
  let made = 0;
  let server: PostgresServer | undefined;
  let pool: pg.Pool | undefined;

  async function started(): Promise<pg.Pool> {
    server ??= await provider.start();
    pool ??= new pg.Pool({ connectionString: server.url, max: 16, pipeline: true } as pg.PoolConfig);
    return pool;
  }

  return {
    name: 'postgres',
    capabilities: { clock: false, ties: true, ids: { nul: false, maxBytes: 1_000 } },
    start: async () => {
      await started();
    },
    async open() {
      const shared = await started();
      const schema = free.pop() ?? `${prefix}_${made++}`;
      const openStore = (): Promise<PostgresTaskStore> =>
        openPostgresTaskStore({ pool: shared, schema, schemaMode: 'managed' });
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
          await shared.query(`DELETE FROM ${pg.escapeIdentifier(schema)}.a2a_tasks`);
          free.push(schema);
        },
      };
    },
    async stop() {
      for (let n = 0; n < made; n += 1) {
        await pool?.query(`DROP SCHEMA IF EXISTS ${pg.escapeIdentifier(`${prefix}_${n}`)} CASCADE`);
      }
      await pool?.end();
      await server?.stop();
      pool = undefined;
      server = undefined;
      free.length = 0;
      made = 0;
    },
  };
}
