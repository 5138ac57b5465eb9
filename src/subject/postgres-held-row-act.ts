/** Another session holds the row of a task, and moves its time, while the store writes that task. */
import type pg from 'pg';
import type { HeldRowAct, HeldRowSight } from '../history/database.ts';
import { quoteIdentifier } from '../store/postgres-parts.ts';
import type { Task } from '../task/task.ts';
import type { PostgresActs } from './postgres-acts.ts';
import { MICROS, TABLE } from './postgres-sight.ts';
import { untilAllWait } from './postgres-waits.ts';
import type { WriteReply } from './subject.ts';
import type { StoreMethods } from './task-store-methods.ts';

const ANSWER_LIMIT_MS = 10_000;
const call = { client: 0 };

/** Performs the act on a task of its own of an open store, and removes the task. Throws where the store can't create it. */
export async function performHeldRow(
  act: HeldRowAct,
  acts: PostgresActs,
  store: StoreMethods,
  schema: string,
): Promise<HeldRowSight> {
  const id = `held-${acts.newNumber()}`;
  const created = await store.create(taskOf(id, 'created'), call);
  return acts.withClient(async (holder) => {
    const table = `${quoteIdentifier(schema)}.${TABLE}`;
    try {
      await holder.query('BEGIN');
      const { rows } = await holder.query<{ micros: string }>(
        `SELECT ${MICROS} AS micros FROM ${table} WHERE id = $1 FOR UPDATE`,
        [id],
      );
      const before = rows[0]?.micros;
      if (before === undefined) throw new Error('the task that was created has no row');
      const works = Array.from({ length: act.writers }, (_, number) => write(store, act, id, number, created));
      const waited = await untilAllWait(acts, works);
      const held = await letGo(holder, act, table, id, before);
      const writes = await Promise.all(works);
      const read = await store.get(id, call);
      return {
        seen: 'held-row',
        created: String(created?.lastUpdatedMicros),
        waited,
        held,
        writes,
        read: String(read?.lastUpdatedMicros),
      };
    } finally {
      await holder.query('ROLLBACK');
      await holder.query(`DELETE FROM ${table} WHERE id = $1`, [id]);
    }
  });
}

/** Moves the time as a good writer does, or far ahead of every clock, or in vain, and ends; gives the time that it leaves. */
async function letGo(
  holder: pg.ClientBase,
  { holder: does }: HeldRowAct,
  table: string,
  id: string,
  before: string,
): Promise<string> {
  const advanced = `GREATEST(pg_catalog.clock_timestamp(), updated_at + interval '1 microsecond')`;
  const time = does === 'future' ? `pg_catalog.clock_timestamp() + interval '1 hour'` : advanced;
  await withoutTriggers(holder);
  const { rows } = await holder.query<{ micros: string }>(
    `UPDATE ${table} SET updated_at = ${time} WHERE id = $1 RETURNING ${MICROS} AS micros`,
    [id],
  );
  await holder.query(does === 'rolls back' ? 'ROLLBACK' : 'COMMIT');
  return does === 'rolls back' ? before : String(rows[0]?.micros);
}

/** A restore or a replication writes so. Only a superuser may; for others a trigger of the table's has its say. */
async function withoutTriggers(holder: pg.ClientBase): Promise<void> {
  await holder.query('SAVEPOINT before');
  try {
    await holder.query('SET LOCAL session_replication_role = replica');
  } catch {
    await holder.query('ROLLBACK TO before');
  }
}

async function write(
  store: StoreMethods,
  { write: kind }: HeldRowAct,
  id: string,
  number: number,
  created: WriteReply | undefined,
): Promise<HeldRowSight['writes'][number]> {
  const task = taskOf(id, `write ${number}`);
  const message = {
    messageId: `m${number}`,
    contextId: 'ctx',
    taskId: id,
    role: 1,
    parts: [],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
  const writes: Readonly<Record<HeldRowAct['write'], () => Promise<WriteReply | undefined>>> = {
    replace: () => store.replace(task, {}, call),
    'conditional replace': () => store.replace(task, { ifRevision: created?.revision ?? '' }, call),
    append: () => store.append(id, message, call),
    cancel: () => store.cancel(id, { timestamp: '2001-01-01T00:00:00.000Z' }, call),
  };
  try {
    const reply = await within(writes[kind]());
    return { micros: String(reply?.lastUpdatedMicros) };
  } catch (error) {
    return { error: String((error as { code?: unknown }).code ?? 'unclassified') };
  }
}

async function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('no answer'), { code: 'no answer' })), ANSWER_LIMIT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function taskOf(id: string, note: string): Task {
  return { id, contextId: 'ctx', status: undefined, artifacts: [], history: [], metadata: { note } };
}
