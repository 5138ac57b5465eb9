/** The schema of a PostgreSQL store: made or upgraded by us, or looked at where others manage it. */
import type pg from 'pg';
import { quoteIdentifier } from './postgres-parts.ts';
import { LATEST_TIMESTAMPTZ } from './postgres-time.ts';
import { readTable } from './schema-catalog.ts';
import { problemsOf, type SchemaProblem } from './schema-problems.ts';
import { createIndexSql, createTableSql, orderingIndexes, setDefaultSql, TABLE_NAME } from './schema-sql.ts';

export type { SchemaProblem } from './schema-problems.ts';

/** The oldest PostgreSQL whose `extract` is exact. */
const OLDEST_VERSION = 140_000;

/** A schema that a store can't stand on; nothing of it was touched. `problems` names every piece, as the message does. */
export class SchemaError extends Error {
  readonly problems: readonly SchemaProblem[];

  constructor(schema: string, problems: readonly SchemaProblem[]) {
    super(
      [`The schema "${schema}" is not what the store needs; nothing was changed:`]
        .concat(problems.map(({ piece, expected, found }) => `  ${piece}: expected ${expected}, found ${found}`))
        .join('\n'),
    );
    this.name = 'SchemaError';
    this.problems = problems;
  }
}

/** The steps of `createSchema`, as SQL; a faulty migration has one of them replaced. */
export interface SchemaParts {
  /** Keeps other starters out until the transaction ends; takes the schema's name as `$1`. */
  readonly lock: string;
  createTable(schema: string): string;
  setDefault(schema: string): string;
  createIndex(schema: string, index: { readonly name: string; readonly key: string }): string;
  /** Which problems of a standing table are seen, and mended where they can be. */
  problems: typeof problemsOf;
  /** Which problems of a table that others manage are told. */
  told: typeof problemsOf;
}

/** The steps of a right migration. */
export const schemaParts: SchemaParts = {
  lock: `SELECT pg_advisory_xact_lock(hashtextextended('pagecheck schema ' || $1, 0))`,
  createTable: createTableSql,
  setDefault: setDefaultSql,
  createIndex: createIndexSql,
  problems: problemsOf,
  told: problemsOf,
};

/**
 * Makes the schema, the table, its default and both ordering indexes where they are missing, and upgrades the table of
 * an older release, judging by definition and validity (SCHEMA-1). Touches no row (SCHEMA-3). All in one transaction
 * under an advisory lock: it may run again, and in many processes at once. A second run takes no lock on the table.
 * On a large table with writers at work, apply `spec/sql/` by hand first: an index made here keeps writers waiting.
 * Throws a `SchemaError`, and changes nothing, for what it can't mend: other columns, somebody else's relation under
 * our name, a missing key, a stray trigger, rows without a time.
 */
export async function createSchema(
  pool: pg.Pool,
  schema = 'public',
  replaced: Partial<SchemaParts> = {},
): Promise<void> {
  const parts = { ...schemaParts, ...replaced };
  await inTransaction(pool, 'BEGIN ISOLATION LEVEL READ COMMITTED', async (client) => {
    await requireVersion(client, schema);
    // Each statement after the lock sees what the holder before us committed: hence READ COMMITTED.
    await client.query({ text: parts.lock, values: parts.lock.includes('$1') ? [schema] : [] });
    if (!(await schemaExists(client, schema))) await client.query(`CREATE SCHEMA ${quoteIdentifier(schema)}`);
    if ((await readTable(client, schema, indexNames)) === undefined) await client.query(parts.createTable(schema));
    const table = await readTable(client, schema, indexNames);
    const problems = table === undefined ? [] : parts.problems(table);
    const beyondUs = problems.filter(({ repair }) => repair === undefined);
    if (beyondUs.length > 0) throw new SchemaError(schema, beyondUs);
    for (const problem of problems) await repair(client, schema, problem, parts);
  });
}

/**
 * Looks at a schema that others manage and lists what is missing or different; an empty list for one that serves
 * (SCHEMA-2, SCHEMA-4). Reads only, in a read-only transaction. Rows are looked at for times that no page can carry.
 */
export async function checkSchema(
  pool: pg.Pool,
  schema = 'public',
  { told = schemaParts.told }: Pick<Partial<SchemaParts>, 'told'> = {},
): Promise<SchemaProblem[]> {
  return inTransaction(pool, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async (client) => {
    await requireVersion(client, schema);
    const table = await readTable(client, schema, indexNames);
    if (table === undefined) return [{ piece: `table ${TABLE_NAME}`, expected: 'a table', found: 'none' }];
    const problems = told(table);
    const hasTime = table.kind === 'table' && table.columns.some(({ name }) => name === 'updated_at');
    return hasTime ? [...problems, ...(await rowProblems(client, schema))] : problems;
  });
}

/** Looks at a schema as `checkSchema` does. Throws a `SchemaError` that names every problem. */
export async function requireSchema(
  pool: pg.Pool,
  schema = 'public',
  replaced: Pick<Partial<SchemaParts>, 'told'> = {},
): Promise<void> {
  const problems = await checkSchema(pool, schema, replaced);
  if (problems.length > 0) throw new SchemaError(schema, problems);
}

const indexNames = orderingIndexes.map(({ name }) => name);

async function repair(
  client: pg.ClientBase,
  schema: string,
  problem: SchemaProblem,
  parts: SchemaParts,
): Promise<void> {
  const table = `${quoteIdentifier(schema)}.${TABLE_NAME}`;
  if (problem.repair === 'default') await client.query(parts.setDefault(schema));
  if (problem.repair === 'not-null') {
    const column = problem.piece.replace('column ', '');
    const { rowCount } = await client.query(`SELECT FROM ${table} WHERE ${column} IS NULL LIMIT 1`);
    // No value is invented for them (SCHEMA-3).
    if (rowCount !== 0) throw new SchemaError(schema, [{ ...problem, found: 'rows with NULL' }]);
    await client.query(`ALTER TABLE ${table} ALTER COLUMN ${column} SET NOT NULL`);
  }
  const index = problem.repair === 'index' && orderingIndexes.find(({ name }) => problem.piece === `index ${name}`);
  if (index) {
    // An older release's index, or one whose making was broken off, may have the name.
    if (problem.found !== 'none') await client.query(`DROP INDEX ${quoteIdentifier(schema)}.${index.name}`);
    await client.query(parts.createIndex(schema, index));
  }
}

/** Rows that no page can show: without a time, or with one that no cursor can carry. */
async function rowProblems(client: pg.ClientBase, schema: string): Promise<SchemaProblem[]> {
  const { rows } = await client.query<{ without: boolean; beyond: boolean }>(
    `SELECT EXISTS (SELECT FROM ${quoteIdentifier(schema)}.${TABLE_NAME} WHERE updated_at IS NULL) AS without,
            EXISTS (SELECT FROM ${quoteIdentifier(schema)}.${TABLE_NAME}
                     WHERE updated_at::timestamptz > timestamptz '${LATEST_TIMESTAMPTZ}' OR updated_at::timestamptz = '-infinity') AS beyond`,
  );
  const piece = 'rows';
  const problems: SchemaProblem[] = [];
  if (rows[0]?.without) problems.push({ piece, expected: 'a time in each updated_at', found: 'rows with NULL' });
  if (rows[0]?.beyond)
    problems.push({ piece, expected: 'times within signed 64-bit microseconds', found: 'rows beyond them' });
  return problems;
}

async function schemaExists(client: pg.ClientBase, schema: string): Promise<boolean> {
  // Asked first: CREATE SCHEMA IF NOT EXISTS needs the right to create even where there is nothing to do.
  const { rowCount } = await client.query('SELECT FROM pg_catalog.pg_namespace WHERE nspname = $1', [schema]);
  return rowCount === 1;
}

async function requireVersion(client: pg.ClientBase, schema: string): Promise<void> {
  const { rows } = await client.query<{ version: string }>(`SELECT current_setting('server_version_num') AS version`);
  const version = Number(rows[0]?.version);
  if (version >= OLDEST_VERSION) return;
  throw new SchemaError(schema, [
    { piece: 'server', expected: 'PostgreSQL 14 or later', found: `PostgreSQL ${Math.floor(version / 10_000)}` },
  ]);
}

async function inTransaction<T>(pool: pg.Pool, begin: string, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const ignore = (): void => {};
  client.on('error', ignore);
  let done = false;
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query('COMMIT');
    done = true;
    return result;
  } finally {
    client.off('error', ignore);
    // A failed transaction ends with its connection.
    client.release(!done);
  }
}
