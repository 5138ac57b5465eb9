/** Tables of any size for the PostgreSQL benchmark: one task stored by its store, then copied by SQL. */

import { ServerCallContext } from '@a2a-js/sdk/server';
import { DatabaseTaskStore } from '@a2a-js/sdk/server/database';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import { createPostgresTaskStore } from '../src/store/postgres.ts';
import { documentColumns } from '../src/store/postgres-document.ts';
import { createSchema } from '../src/store/schema.ts';
import { type Task, TaskState } from '../src/task/task.ts';
import { encodePageToken } from '../src/token/page-token.ts';
import { idAt, taskAt } from './dataset.ts';

/** `bare`: id, context, state and status time. `full`: the tasks of the other datasets, about a kilobyte each as JSON. */
export type TaskKind = 'bare' | 'full';

const START_MS = 1_700_000_000_000;
const START = `timestamptz 'epoch' + ${START_MS} * interval '1 ms'`;
/** As `idAt` of the in-memory datasets spells it. */
const id = `'task-' || lpad(i::text, 8, '0')`;
const context = `'context-' || i / 100`;

/** Makes a schema with `n` tasks, a millisecond apart, stored in the order of their times, and vacuums it. */
export async function loadOwnTable(pool: pg.Pool, schema: string, n: number, kind: TaskKind): Promise<void> {
  await createSchema(pool, schema);
  const store = createPostgresTaskStore({ pool, schema });
  await store.create(template(kind));
  const copied = documentColumns.filter((column) => column !== 'context_id').join(', ');
  await pool.query(`UPDATE ${schema}.a2a_tasks SET updated_at = ${START}`);
  await pool.query(`INSERT INTO ${schema}.a2a_tasks (id, context_id, updated_at, ${copied})
    SELECT ${id}, ${context}, ${START} + i * interval '1 ms', ${copied}
      FROM generate_series(1, ${n - 1}) AS i, (SELECT ${copied} FROM ${schema}.a2a_tasks) AS template`);
  await pool.query(`VACUUM ANALYZE ${schema}.a2a_tasks`);
}

/** The token after which a tenth of `n` tasks is left. */
export function ownDeepToken(n: number): string {
  const place = Math.floor(n / 10);
  return encodePageToken({ lastUpdatedMicros: BigInt(START_MS + place) * 1000n, id: idAt(place) });
}

/** The SDK's caller: its stores keep tasks by user. */
export const sdkContext: ServerCallContext = new ServerCallContext({
  user: { isAuthenticated: true, userName: 'bench' },
  requestedVersion: '1.0',
});

/** Fills the SDK's table likewise; its own migration has made it. */
export async function loadSdkTable(
  pool: pg.Pool,
  connection: Kysely<unknown>,
  n: number,
  kind: TaskKind,
): Promise<void> {
  await pool.query('TRUNCATE tasks');
  await new DatabaseTaskStore(connection).save(template(kind), sdkContext);
  const copied = 'tenant, owner, status_state, status, artifacts, history, metadata, protocol_version';
  await pool.query(`INSERT INTO tasks (id, context_id, status_last_updated, ${copied})
    SELECT ${id}, ${context}, ${START_MS} + i, ${copied}
      FROM generate_series(1, ${n - 1}) AS i, (SELECT ${copied} FROM tasks) AS template`);
  await pool.query('VACUUM ANALYZE tasks');
}

/** The SDK's token at the same place, in its own spelling. */
export function sdkDeepToken(n: number): string {
  const place = Math.floor(n / 10);
  return Buffer.from(`${new Date(START_MS + place).toISOString()}|${idAt(place)}`).toString('base64');
}

function template(kind: TaskKind): Task {
  const task = taskAt(0);
  if (kind === 'full') return task;
  const status = { state: TaskState.TASK_STATE_WORKING, message: undefined, timestamp: task.status?.timestamp };
  return { ...task, status, history: [], artifacts: [], metadata: undefined };
}
