/** A PostgreSQL database for a store of one's own (`pagecheck/postgres`): all that it needs is a connection string. */
import { choosePostgresProvider } from '../run/postgres-provider.ts';
import { shortenDeadlocks } from './postgres-faults.ts';
import { databaseGates } from './postgres-gates.ts';
import { makePlace } from './postgres-place.ts';
import { EXPLAINED } from './postgres-plan-source.ts';
import { databaseTap } from './postgres-tap.ts';

/** A database that is there until `stop`. */
export interface PostgresDatabase {
  /** A connection string with user and password, and with the session's settings in its `options`. */
  readonly url: string;
  /** Removes the database, and ends the server where it was started for it. */
  stop(): Promise<void>;
}

/** Where the database comes from. */
export interface PostgresDatabaseOptions {
  /** `embedded`, `container` or the URL of a server; that of `PAGECHECK_POSTGRES_URL`, else an embedded one, where absent. */
  readonly postgres?: string;
}

/**
 * Makes an empty database of a random name, or a schema where the server's user may make none, with what hides no faults:
 * `en-US` of ICU as the default collation and a session time zone far from UTC. Commits don't wait for the disk.
 * Throws an error with `status` 4 and one line that says what to do where there is no server.
 */
export async function openPostgresDatabase(options: PostgresDatabaseOptions = {}): Promise<PostgresDatabase> {
  const provider = choosePostgresProvider({ postgres: options.postgres });
  const server = await provider.start();
  try {
    const place = await makePlace(server, provider.name, false);
    const url = new URL(String(place.connection.connectionString));
    const isOwn = url.pathname !== new URL(server.url).pathname;
    const schema = isOwn ? 'public' : place.schema(0);
    const tap = server.own ? databaseTap() : undefined;
    const listened = tap === undefined ? '' : EXPLAINED.map((setting) => ` -c ${setting}`).join('');
    url.searchParams.set('options', `${place.connection.options} -c search_path=${schema}${listened}`);
    if (tap !== undefined) {
      url.port = String(await tap.lead(url.href));
      url.hostname = '127.0.0.1';
    }
    const gates = databaseGates();
    if (gates !== undefined) await shortenDeadlocks(place);
    return {
      url: gates === undefined ? url.href : await gates.lead(url.href, String(place.connection.connectionString)),
      stop: async () => {
        await place.remove();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
