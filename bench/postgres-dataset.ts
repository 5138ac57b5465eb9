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

/**
 * `bare`: id, context, state and status time, stored in the order of their times. `full`: the tasks of the other datasets,
 * about a kilobyte each as JSON. `scattered`: full ones, stored as they were created and last written in another order.
 */
export type TaskKind = 'bare' | 'full' | 'scattered';

const START_MS = 1_700_000_000_000;
const START = `timestamptz 'epoch' + ${START_MS} * interval '1 ms'`;
/** As `idAt` of the in-memory datasets spells it. */
const id = `'task-' || lpad(i::text, 8, '0')`;
/** Neighbours in time lie so far apart where tasks are scattered. It has no divisor in common with a power of ten. */
const STRIDE = 7_919;
const context = `'context-' || i / 100`;

/** Makes a schema with `n` tasks, a millisecond apart, and vacuums it. */
export async function loadOwnTable(pool: pg.Pool, schema: string, n: number, kind: TaskKind): Promise<void> {
  await createSchema(pool, schema);
  const store = createPostgresTaskStore({ pool, schema });
  await store.create(template(kind));
  const copied = documentColumns.filter((column) => column !== 'context_id').join(', ');
  await pool.query(`UPDATE ${schema}.a2a_tasks SET updated_at = ${START}`);
  await pool.query(`INSERT INTO ${schema}.a2a_tasks (id, context_id, updated_at, ${copied})
    SELECT ${id}, ${context}, ${START} + ${placeOf(n, kind)} * interval '1 ms', ${copied}
      FROM generate_series(1, ${n - 1}) AS i, (SELECT ${copied} FROM ${schema}.a2a_tasks) AS template`);
  await pool.query(`VACUUM ANALYZE ${schema}.a2a_tasks`);
}

/** The token after which a tenth of `n` tasks is left. */
export function ownDeepToken(n: number, kind: TaskKind): string {
  const place = Math.floor(n / 10);
  return encodePageToken({ lastUpdatedMicros: BigInt(START_MS + place) * 1000n, id: taskAtPlace(place, n, kind) });
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
    SELECT ${id}, ${context}, ${START_MS} + ${placeOf(n, kind)}, ${copied}
      FROM generate_series(1, ${n - 1}) AS i, (SELECT ${copied} FROM tasks) AS template`);
  await pool.query('VACUUM ANALYZE tasks');
}

/** The SDK's token at the same place, in its own spelling. */
export function sdkDeepToken(n: number, kind: TaskKind): string {
  const place = Math.floor(n / 10);
  return Buffer.from(`${new Date(START_MS + place).toISOString()}|${taskAtPlace(place, n, kind)}`).toString('base64');
}

/** SQL for the place of task `i` of `n` in time. */
function placeOf(n: number, kind: TaskKind): string {
  return kind === 'scattered' ? `(i * ${STRIDE}::bigint % ${n})` : 'i';
}

/** The task at a place in time. */
function taskAtPlace(place: number, n: number, kind: TaskKind): string {
  if (kind !== 'scattered') return idAt(place);
  let number = 0;
  while ((number * STRIDE) % n !== place) number++;
  return idAt(number);
}

function template(kind: TaskKind): Task {
  const task = taskAt(0);
  if (kind !== 'bare') return task;
  const status = { state: TaskState.TASK_STATE_WORKING, message: undefined, timestamp: task.status?.timestamp };
  return { ...task, status, history: [], artifacts: [], metadata: undefined };
}
