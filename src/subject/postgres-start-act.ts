/** Stores that start on what an older release, or somebody else, left: what they said, and what stands afterwards. */
import { readFileSync } from 'node:fs';
import type pg from 'pg';
import type { StartAct, StartOutcome, StartSight, TableSight } from '../history/database.ts';
import { quoteIdentifier } from '../store/postgres-parts.ts';
import { createSchema, requireSchema, type SchemaError } from '../store/schema.ts';
import type { Task } from '../task/task.ts';
import type { PostgresActs } from './postgres-acts.ts';
import { sightTable, TABLE } from './postgres-sight.ts';
import { untilAllWait } from './postgres-waits.ts';

/** Performs the act in a schema of its own, which is dropped. Throws what the server says where a fixture can't be made. */
export async function performStart(act: StartAct, acts: PostgresActs): Promise<StartSight> {
  const reference = await acts.reference();
  const schema = acts.newSchema();
  return acts.withClient(async (client) => {
    try {
      await makeFixture(client, act, schema);
      const before = await sightTable(client, schema);
      const starts = await startAll(act, acts, client, schema);
      const again = await start(act, acts, 0, schema);
      const after = await sightTable(client, schema);
      const started = act.mode === 'managed' && again.started;
      return {
        seen: 'start',
        reference,
        ...(before === undefined ? {} : { before }),
        ...(after === undefined ? {} : { after }),
        starts,
        again,
        ...(started ? { serves: await serves(acts, client, schema) } : {}),
      };
    } finally {
      await client.query(`RESET search_path; DROP SCHEMA IF EXISTS ${quoteIdentifier(schema)} CASCADE`);
    }
  });
}

/** The table that the shipped SQL makes in a schema of its own. */
export async function sightReference(acts: PostgresActs): Promise<TableSight> {
  const schema = acts.newSchema();
  return acts.withClient(async (client) => {
    await client.query(`CREATE SCHEMA ${quoteIdentifier(schema)}`);
    try {
      await client.query(shippedSql('create', schema));
      return (await sightTable(client, schema)) as TableSight;
    } finally {
      await client.query(`ROLLBACK; DROP SCHEMA ${quoteIdentifier(schema)} CASCADE`);
    }
  });
}

async function makeFixture(client: pg.ClientBase, { fixture, apply }: StartAct, schema: string): Promise<void> {
  if (fixture === 'nothing' && apply === undefined) return;
  const name = quoteIdentifier(schema);
  const made = fixture === 'nothing' ? '' : readSql(`fixtures/${fixture}.sql`);
  await client.query(`CREATE SCHEMA ${name}; SET search_path = ${name}; ${made}; RESET search_path`);
  if (apply !== undefined) await client.query(shippedSql(apply, schema));
}

/** The SQL that ships for schemas of others, told another schema as its comments say. */
function shippedSql(name: 'create' | 'migrate', schema: string): string {
  return readSql(`${name}.sql`).replaceAll(`public.${TABLE}`, `${quoteIdentifier(schema)}.${TABLE}`);
}

function readSql(path: string): string {
  return readFileSync(new URL(`../../spec/sql/${path}`, import.meta.url), 'utf8');
}

/** Starts all at once; beside a busy writer, which ends once each of them waits or has ended. */
async function startAll(
  act: StartAct,
  acts: PostgresActs,
  client: pg.ClientBase,
  schema: string,
): Promise<StartOutcome[]> {
  const isBusy = act.busy === true && (await sightTable(client, schema)) !== undefined;
  if (isBusy) await client.query(`BEGIN; LOCK TABLE ${quoteIdentifier(schema)}.${TABLE} IN ROW EXCLUSIVE MODE`);
  try {
    const starts = Array.from({ length: act.starters }, (_, number) => start(act, acts, number, schema));
    if (isBusy) await untilAllWait(acts, starts);
    if (isBusy) await client.query('COMMIT');
    return await Promise.all(starts);
  } finally {
    if (isBusy) await client.query('ROLLBACK');
  }
}

async function start(act: StartAct, acts: PostgresActs, number: number, schema: string): Promise<StartOutcome> {
  const pool = acts.starter(number);
  try {
    if (act.mode === 'managed') await createSchema(pool, schema, acts.options.schemaParts);
    else await requireSchema(pool, schema, acts.options.schemaParts);
    return { started: true };
  } catch (error) {
    const { message, problems } = error as Partial<SchemaError>;
    const pieces = problems?.map(({ piece, expected, found }) => `${piece}: expected ${expected}, found ${found}`);
    return { started: false, message: String(message), ...(pieces === undefined ? {} : { pieces }) };
  }
}

/** Whether a task that a store creates is in the table of its own schema. */
async function serves(acts: PostgresActs, client: pg.ClientBase, schema: string): Promise<boolean> {
  const store = acts.newStore(acts.starter(0), schema);
  try {
    await store.create(served);
    const { rowCount } = await client.query(`SELECT FROM ${quoteIdentifier(schema)}.${TABLE} WHERE id = $1`, [
      served.id,
    ]);
    return rowCount === 1;
  } catch {
    return false;
  } finally {
    await store.close();
  }
}

const served: Task = {
  id: 'served',
  contextId: 'ctx',
  status: undefined,
  artifacts: [],
  history: [],
  metadata: undefined,
};
