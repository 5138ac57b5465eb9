/** Rows RACE and PG that show where the requests of several clients to PostgreSQL meet, some of them at a lock. */
import type pg from 'pg';
import { createPostgresTaskStore, type PostgresTaskStore } from '../store/postgres.ts';
import type { PostgresParts } from '../store/postgres-parts.ts';
import { quoteIdentifier } from '../store/postgres-parts.ts';
import { methodsOf, type PostgresFault } from './postgres-fault.ts';

const microsecond = `interval '1 microsecond'`;

/** In the order of their rows. */
export const postgresRaceFaults: readonly PostgresFault[] = [
  {
    id: 'PG-04-lock',
    fault: 'a replace reads the time before from a state before it waited for the lock; appends lock their row first',
    breaks: ['TIME-2', 'WALK-1', 'WALK-2', 'WALK-3', 'WALK-4', 'SNAP-2', 'TOKEN-5'],
    wrap: (store, pool, schema) => {
      const table = tableOf(schema);
      const stale = `(SELECT GREATEST(clock_timestamp(), o.updated_at + ${microsecond}) FROM ${table} AS o WHERE o.id = t.id)`;
      const replacing = createPostgresTaskStore({ pool, schema, parts: { replaceTime: stale } });
      const locking = lockingAppends(store, pool, schema);
      return {
        ...methodsOf(locking),
        replace: (task, options) => replacing.replace(task, options),
        close: async () => {
          await replacing.close();
          await locking.close();
        },
      };
    },
  },
  {
    id: 'RACE-07-postgres',
    fault: 'a replace reads the time before in a statement of its own, without the lock',
    breaks: ['TIME-2', 'WALK-1', 'WALK-2', 'WALK-3', 'WALK-4', 'SNAP-2', 'TOKEN-5'],
    wrap: (store, pool, schema) => ({
      ...methodsOf(store),
      replace: async (task, options) => {
        const { rows } = await pool.query<{ time: string }>(
          `SELECT updated_at::text AS time FROM ${tableOf(schema)} WHERE id = $1`,
          [task.id],
        );
        const before = rows[0]?.time;
        if (before === undefined) return store.replace(task, options);
        const replaceTime = `GREATEST(clock_timestamp(), timestamptz '${before}' + ${microsecond})`;
        return withStore({ pool, schema, parts: { replaceTime } }, (stale) => stale.replace(task, options));
      },
    }),
  },
];

/** A right store whose appends are a transaction of several requests, which locks the row before it writes. */
export function lockingAppends(store: PostgresTaskStore, pool: pg.Pool, schema: string): PostgresTaskStore {
  return {
    ...methodsOf(store),
    append: (taskId, message) =>
      inTransaction(pool, async (client) => {
        await client.query(`SELECT FROM ${tableOf(schema)} WHERE id = $1 FOR UPDATE`, [taskId]);
        return withStore({ pool: poolOf(client), schema, parts: insideTransaction }, (held) =>
          held.append(taskId, message),
        );
      }),
  };
}

/** A store for one call. */
async function withStore<T>(
  options: Parameters<typeof createPostgresTaskStore>[0],
  call: (store: PostgresTaskStore) => Promise<T>,
): Promise<T> {
  const store = createPostgresTaskStore(options);
  try {
    return await call(store);
  } finally {
    await store.close();
  }
}

async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failed = true;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    failed = false;
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    failed = false;
    throw error;
  } finally {
    client.release(failed);
  }
}

/** The transaction is somebody else's to end. */
const insideTransaction: Partial<PostgresParts> = { takesClient: () => true, keepsClient: () => true };

/** A pool of one client, which stays where it is. */
function poolOf(client: pg.PoolClient): pg.Pool {
  const held = { query: client.query.bind(client), release: () => undefined };
  const pool = { on: () => pool, off: () => pool, connect: async () => held };
  return pool as unknown as pg.Pool;
}

function tableOf(schema: string): string {
  return `${quoteIdentifier(schema)}.a2a_tasks`;
}
