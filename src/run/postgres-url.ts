/** Somebody else's server, looked at before anything is made on it. */
import pg from 'pg';
import { EnvironmentError } from './environment-error.ts';
import type { PostgresProvider, PostgresServer } from './postgres-provider.ts';

/** The oldest release whose `extract` is exact to the microsecond. */
const OLDEST_VERSION = 140000;
const CONNECT_LIMIT_MS = 10_000;

/** Provides the server behind a connection string. Nothing of it is touched: it is only looked at. */
export function createUrlProvider(url: string): PostgresProvider {
  const name = describeUrl(url);
  return {
    name,
    start: async (): Promise<PostgresServer> => {
      await inspect(url, name);
      return { url, own: false, stop: async () => {} };
    },
  };
}

/** Says which server and database a connection string names, without its user's password. */
export function describeUrl(url: string): string {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw new EnvironmentError(
      'Not a PostgreSQL connection string: give --postgres postgres://USER:PASSWORD@HOST:PORT/DATABASE, embedded or container.',
    );
  }
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new EnvironmentError(`Not a PostgreSQL connection string: it does not start with postgres://.`);
  }
  const user = parsed.username ? `${decodeURIComponent(parsed.username)}@` : '';
  return `postgres://${user}${parsed.host}${parsed.pathname}`;
}

async function inspect(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_LIMIT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number; readonly: boolean; tables: string[] }>(QUESTIONS);
    const [{ version, readonly, tables } = { version: 0, readonly: true, tables: [] }] = rows;
    if (version < OLDEST_VERSION) {
      throw new EnvironmentError(`${name} runs PostgreSQL ${Math.floor(version / 10000)}; 14 or later is needed.`);
    }
    if (readonly)
      throw new EnvironmentError(`${name} is read-only (a standby, or set so); give the URL of the primary.`);
    if (tables.length > 0) {
      throw new EnvironmentError(
        `${name} is not empty: it holds ${tables.join(', ')}. Nothing was touched. Give the URL of an empty database: CREATE DATABASE pagecheck_run.`,
      );
    }
  } catch (error) {
    if (error instanceof EnvironmentError) throw error;
    throw new EnvironmentError(explainConnection(name, error as Error & { code?: string }), { cause: error });
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * What is asked of a server before it is used: version, whether it takes writes, and up to three relations of somebody's.
 * Extensions' own relations don't count, nor do the schemas of runs of ours (`pagecheck_` and eight hexadecimal digits).
 */
const QUESTIONS = `
SELECT current_setting('server_version_num')::int AS version,
       pg_is_in_recovery() OR current_setting('transaction_read_only')::bool AS readonly,
       ARRAY(SELECT format('%I.%I', n.nspname, c.relname)
               FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
              WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
                AND n.nspname !~ '^(pg_|information_schema$)' AND n.nspname !~ '^pagecheck_[0-9a-f]{8}(_[0-9]+)?$'
                AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
                                 WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
              ORDER BY 1 LIMIT 3)::text[] AS tables`;

/** Says what a failed connection means and what to do about it, without repeating the connection string. */
function explainConnection(name: string, error: Error & { code?: string }): string {
  switch (error.code) {
    case '28P01':
    case '28000':
      return `${name} refuses the user or the password; check both in the URL.`;
    case '3D000':
      return `${name}: the database does not exist; create it (CREATE DATABASE …) or name another.`;
    case '42501':
      return `${name}: the user may not connect to or read this database; grant it CONNECT, or give another user.`;
    case '53300':
      return `${name} has no connection free; end some, or raise max_connections.`;
    case 'ECONNREFUSED':
      return `No PostgreSQL answers at ${name}: connection refused. Start the server, check host and port, or leave --postgres out for an embedded one.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `No PostgreSQL at ${name}: the host's name is not known. Check the URL, or leave --postgres out for an embedded one.`;
    default:
      return `No connection to ${name}: ${error.message || error.code || 'unknown error'}. Check the URL, or leave --postgres out for an embedded one.`;
  }
}
