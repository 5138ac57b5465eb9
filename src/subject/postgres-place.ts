/** The place on a server that a run makes for itself, and removes: a database, or schemas where it may make none. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { EnvironmentError } from '../run/environment-error.ts';
import type { PostgresServer } from '../run/postgres-provider.ts';
import { quoteIdentifier } from '../store/postgres-parts.ts';

/** A session time zone far from UTC, off the hour, since faults hide in UTC. */
const TIME_ZONE = 'Asia/Kathmandu';

/** Where a run's tables are. */
export interface PostgresPlace {
  /** How to connect: also the session's settings. */
  readonly connection: pg.PoolConfig;
  /** Gives the name of a schema that nobody else has; it may not stand yet. */
  schema(index: number): string;
  /** A schema that comes first in the search path; it may not stand. */
  readonly decoy: string;
  /** Removes what the run made, and nothing else. */
  remove(): Promise<void>;
}

/**
 * Makes a database of a random name, with `en-US` of ICU as its default collation, and in it another schema with a table
 * of our table's name, first in the search path: a statement that leaves the schema out finds that one. Where the
 * server is somebody else's and its user may not create databases, the run gets schemas of random names in the URL's
 * own database, with that database's collation. Throws an `EnvironmentError` where it may make neither.
 */
export async function makePlace(server: PostgresServer, description: string, durable: boolean): Promise<PostgresPlace> {
  const name = `pagecheck_${randomBytes(4).toString('hex')}`;
  try {
    if (!(await createDatabase(server.url, name))) return await schemasIn(server.url, name, durable);
  } catch (error) {
    if (error instanceof EnvironmentError) throw error;
    throw refusal(description, error as Error & { code?: string });
  }
  const own = new URL(server.url);
  own.pathname = `/${name}`;
  const remove = (): Promise<unknown> => ask(server.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  try {
    await ask(own.href, `CREATE SCHEMA decoy; CREATE TABLE decoy.a2a_tasks (id text PRIMARY KEY)`);
    await ask(own.href, `ALTER DATABASE ${name} SET search_path = decoy`);
  } catch (error) {
    await remove();
    throw refusal(description, error as Error & { code?: string });
  }
  return {
    connection: connectionTo(own.href, name, durable),
    schema: (index) => `pagecheck_${index}`,
    decoy: 'decoy',
    remove: async () => {
      await remove();
    },
  };
}

/** Gives false where the user may not. The locale of the C library only matters to what ICU does not cover. */
async function createDatabase(url: string, name: string): Promise<boolean> {
  const icu = `LOCALE_PROVIDER icu ICU_LOCALE 'en-US'`;
  const attempts = [`${icu} LOCALE 'C.UTF-8'`, `${icu} LOCALE 'C'`, ''];
  for (const locale of attempts) {
    try {
      await ask(url, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' ${locale}`);
      return true;
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === '42501') return false;
      // No such locale on the server's system, no ICU in its build, or a release before 15.
      if (!['22023', '0A000', '42601', '42704', '42809'].includes(code ?? '') || locale === '') throw error;
    }
  }
  return false;
}

async function schemasIn(url: string, name: string, durable: boolean): Promise<PostgresPlace> {
  const schema = (index: number): string => (index === 0 ? name : `${name}_${index}`);
  // Made now, to know whether we may: the message belongs to the start of a run.
  await ask(url, `CREATE SCHEMA ${schema(0)}`);
  return {
    connection: connectionTo(url, name, durable),
    schema,
    decoy: 'public',
    remove: async () => {
      // A statement that hangs would keep its table from being dropped.
      await ask(url, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [name]);
      const own = `^${name}(_[0-9]+)?$`;
      const schemas = await ask(url, 'SELECT nspname FROM pg_catalog.pg_namespace WHERE nspname ~ $1', [own]);
      for (const row of schemas)
        await ask(url, `DROP SCHEMA IF EXISTS ${quoteIdentifier(String(row.nspname))} CASCADE`);
    },
  };
}

function connectionTo(url: string, name: string, durable: boolean): pg.PoolConfig {
  const commit = durable ? 'on' : 'off';
  return {
    connectionString: url,
    application_name: name,
    options: `-c TimeZone=${TIME_ZONE} -c synchronous_commit=${commit}`,
  };
}

async function ask(url: string, text: string, values?: unknown[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'pagecheck',
    connectionTimeoutMillis: 10_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query(values === undefined ? { text } : { text, values });
    return rows ?? [];
  } finally {
    await client.end().catch(() => {});
  }
}

function refusal(description: string, error: Error & { code?: string }): EnvironmentError {
  const reason =
    error.code === '42501'
      ? 'its user may create neither a database nor a schema: grant CREATEDB, or CREATE on the database'
      : error.code === '25006'
        ? 'it is read-only: give the URL of the primary'
        : `no database could be made for the run: ${error.message}`;
  return new EnvironmentError(`PostgreSQL ${description}: ${reason}. Nothing was left behind.`, { cause: error });
}
