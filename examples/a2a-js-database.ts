/**
 * The database store of the released SDK, on PostgreSQL: its tables are made by the SDK's own migrations, and all that it
 * is given is a connection string. `npx pagecheck certify examples/a2a-js-database.ts --profile a2a-1.0`; another server
 * than the embedded one by `PAGECHECK_POSTGRES_URL`.
 */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseTaskStore } from '@a2a-js/sdk/server/database';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Subject } from '../src/index.ts';
import { createA2aJsSubject } from '../src/subject/a2a-js.ts';
import { openPostgresDatabase, type PostgresDatabase } from '../src/subject/postgres-database.ts';

let database: PostgresDatabase | undefined;
let connection: Kysely<unknown> | undefined;

async function start(): Promise<void> {
  database = await openPostgresDatabase();
  await migrate(database.url);
  const pool = new pg.Pool({ connectionString: database.url, max: 8 });
  // An idle connection that breaks is an event of the pool; without a listener it ends the process.
  pool.on('error', () => {});
  connection = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
}

/** Runs `a2a-db upgrade`, as an operator would. */
async function migrate(url: string): Promise<void> {
  const entry = createRequire(import.meta.url).resolve('@a2a-js/sdk');
  const program = join(dirname(entry), 'cli/a2a_db.js');
  const env = { ...process.env, DATABASE_URL: url };
  await promisify(execFile)(process.execPath, [program, 'upgrade', '--store', 'tasks'], { env });
}

async function stop(): Promise<void> {
  await connection?.destroy();
  await database?.stop();
  connection = undefined;
  database = undefined;
}

const store: Subject = createA2aJsSubject({
  name: '@a2a-js/sdk 1.3.0 DatabaseTaskStore on PostgreSQL',
  createStore: async () => {
    if (connection === undefined) throw new Error('the subject is not started');
    await sql`DELETE FROM tasks`.execute(connection);
    return new DatabaseTaskStore(connection);
  },
  // Its id is a varchar(36); a text of PostgreSQL holds no NUL.
  capabilities: { ids: { nul: false, maxBytes: 36 } },
});

const subject: Subject = { ...store, start, stop };
export default subject;
