/** Pages of a large table, with the plans with which the store's own statements really ran. */
import type { PagesAct, PagesSight, PlannedPage } from '../history/database.ts';
import type { PostgresTaskStore } from '../store/postgres.ts';
import { quoteIdentifier } from '../store/postgres-parts.ts';
import { TaskState } from '../task/task.ts';
import { pageTokenV1 } from '../token/page-token.ts';
import type { PostgresActs } from './postgres-acts.ts';
import { openPlanSource, type PlanSource } from './postgres-plan-source.ts';
import { MICROS, sightIndexes, TABLE } from './postgres-sight.ts';

/** A table that is loaded, and a store on it. */
export interface LoadedTable {
  readonly schema: string;
  readonly plans: PlanSource;
  readonly store: PostgresTaskStore;
}

/** The context of every second task. */
const CONTEXT = 'half';
/** Rows that one statement loads. */
const SLICE = 100_000;

/** How often the updated task is written: as often as there are tasks, as far as that takes seconds. */
export function updatesOf(tasks: number): number {
  return Math.min(tasks, 100_000);
}
/** PostgreSQL may plan a prepared statement anew for every value from its sixth execution on. */
const REPEATS = 6;

/** Performs the act. */
export async function performPages(act: PagesAct, acts: PostgresActs): Promise<PagesSight> {
  const table = await acts.loaded(act.shape, act.tasks);
  const pages: PlannedPage[] = [];
  const options = { pageSize: act.pageSize, includeTotalSize: false, ...(act.context ? { contextId: CONTEXT } : {}) };
  const ask = async (place: number, pageToken: string): Promise<string> => {
    try {
      const page = await table.store.list({ ...options, pageToken });
      pages.push({ place, tasks: page.tasks.length, plans: await table.plans.take() });
      return page.nextPageToken;
    } catch (error) {
      pages.push({ place, tasks: 0, error: (error as Error).message, plans: [] });
      await table.plans.take();
      return '';
    }
  };
  const walk = async (from: number, token: string, pages: number): Promise<void> => {
    let next = token;
    for (let place = from; place < from + pages && (place === 0 || next !== ''); place++) next = await ask(place, next);
  };
  for (let repeat = 1; repeat < REPEATS; repeat++) await ask(0, '');
  await walk(0, '', act.pages);
  const total = Math.floor((act.context ? act.tasks / 2 : act.tasks) / act.pageSize);
  for (const place of [Math.floor(total / 2), total - 2]) {
    await walk(place, await tokenAt(acts, table.schema, act, place * act.pageSize - 1), 2);
  }
  const indexes = await acts.withClient((client) => sightIndexes(client, table.schema));
  return { seen: 'pages', indexes, pages };
}

/** Loads a table with the store's own migration, vacuums it and opens a store whose connection tells its plans. */
export async function loadTable(acts: PostgresActs, shape: PagesAct['shape'], tasks: number): Promise<LoadedTable> {
  const schema = acts.newSchema();
  await acts.migrate(schema);
  const name = `${quoteIdentifier(schema)}.${TABLE}`;
  await acts.withClient(async (client) => {
    const start = `timestamptz '2024-01-01 00:00:00+00'`;
    const time = shape === 'one time' ? start : `${start} + i * interval '1 ms'`;
    const order = shape === 'scattered' ? 'ORDER BY md5(i::text)' : 'ORDER BY i';
    // In slices, each of which takes no longer than a statement may.
    for (let from = 1; from <= tasks; from += SLICE)
      await client.query(`INSERT INTO ${name} (id, context_id, updated_at, status_state)
        SELECT md5('task ' || i), CASE WHEN i % 2 = 0 THEN '${CONTEXT}' ELSE 'other ' || i % 97 END, ${time},
               CASE WHEN i % 10 = 0 THEN ${TaskState.TASK_STATE_COMPLETED} ELSE ${TaskState.TASK_STATE_WORKING} END
          FROM generate_series(${from}, ${Math.min(tasks, from + SLICE - 1)}) AS i ${order}`);
    if (shape === 'one task updated') {
      // Within one transaction each update would step over all the dead rows before it.
      await client.query(`DO $$ BEGIN FOR i IN 1..${updatesOf(tasks)} LOOP
        UPDATE ${name} SET updated_at = ${start} + interval '1 day' + i * interval '1 microsecond' WHERE id = md5('task 2');
        IF i % 20 = 0 THEN COMMIT; END IF;
        END LOOP; END $$`);
    }
    await client.query(`VACUUM ANALYZE ${name}`);
  });
  const plans = await openPlanSource(acts.place.connection, TABLE);
  return { schema, plans, store: acts.newStore(plans.pool, schema) };
}

/** The v1 token of the task that so many come before, in the whole list or in that of the context. */
export async function tokenAt(
  acts: PostgresActs,
  schema: string,
  act: Pick<PagesAct, 'context'>,
  place: number,
): Promise<string> {
  const rows = await acts.withClient(async (client) => {
    const { rows } = await client.query<{ id: string; micros: string }>(
      `SELECT id, ${MICROS} AS micros FROM ${quoteIdentifier(schema)}.${TABLE}
        ${act.context ? `WHERE context_id = '${CONTEXT}'` : ''} ORDER BY updated_at DESC, id COLLATE "C" DESC OFFSET ${place} LIMIT 1`,
    );
    return rows;
  });
  const [row] = rows;
  return row === undefined ? '' : pageTokenV1.encode({ id: row.id, lastUpdatedMicros: BigInt(row.micros) });
}
