/** What the command line says of servers and databases that a run can't use, and that it leaves nothing behind there. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmbeddedProvider } from '../src/run/postgres-embedded.ts';
import type { PostgresServer } from '../src/run/postgres-provider.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

describe('pagecheck certify postgres --postgres URL', () => {
  let server: PostgresServer;
  let admin: pg.Client;

  beforeAll(async () => {
    server = await createEmbeddedProvider().start();
    admin = new pg.Client({ connectionString: server.url });
    admin.on('error', () => {});
    await admin.connect();
  });
  afterAll(async () => {
    await admin?.end();
    await server?.stop();
  });

  const certify = (url: string, more: readonly string[] = []) =>
    new Promise<{ status: number; out: string; err: string }>((resolve) => {
      const args = [
        '--import',
        'tsx',
        'src/cli/main.ts',
        'certify',
        'postgres',
        '--runs',
        '1',
        '--postgres',
        url,
        ...more,
      ];
      execFile(process.execPath, args, { cwd: root, timeout: 50_000 }, (error, out, err) => {
        resolve({ status: Number(error?.code ?? 0), out, err });
      });
    });
  const urlOf = (change: (url: URL) => void): string => {
    const url = new URL(server.url);
    change(url);
    return url.href;
  };
  const database = async (name: string, ...statements: string[]): Promise<string> => {
    await admin.query(`CREATE DATABASE ${name}`);
    const url = urlOf((one) => {
      one.pathname = `/${name}`;
    });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
    return url;
  };
  const databases = async (): Promise<string[]> =>
    (await admin.query<{ datname: string }>('SELECT datname FROM pg_database ORDER BY 1')).rows.map(
      ({ datname }) => datname,
    );

  const cases: [name: string, url: () => Promise<string>, message: RegExp][] = [
    [
      'no server there',
      async () =>
        urlOf((url) => {
          url.port = '1';
        }),
      /No PostgreSQL answers at .*: connection refused\. Start the server/,
    ],
    [
      'a wrong password',
      async () =>
        urlOf((url) => {
          url.password = 'secret-guess';
        }),
      /refuses the user or the password; check both/,
    ],
    [
      'a database that is not there',
      async () =>
        urlOf((url) => {
          url.pathname = '/nowhere';
        }),
      /the database does not exist; create it/,
    ],
    [
      'no right to create anything',
      async () => {
        const { password } = new URL(server.url);
        await admin.query(`CREATE ROLE guest LOGIN PASSWORD '${password}'`);
        await database('guests');
        return urlOf((url) => {
          url.username = 'guest';
          url.pathname = '/guests';
        });
      },
      /may create neither a database nor a schema: grant CREATEDB, or CREATE on the database/,
    ],
    [
      'a database that is not empty',
      () => database('used', 'CREATE TABLE customers (id int)'),
      /is not empty: it holds public\.customers\. Nothing was touched/,
    ],
    [
      "somebody else's table under our name",
      () => database('taken', 'CREATE TABLE a2a_tasks (number int)', 'INSERT INTO a2a_tasks VALUES (7)'),
      /is not empty: it holds public\.a2a_tasks\. Nothing was touched/,
    ],
    [
      'a database that takes no writes',
      () => database('archive', 'ALTER DATABASE archive SET default_transaction_read_only = on'),
      /is read-only/,
    ],
    [
      'no connection string',
      async () => 'localhost',
      /Not a PostgreSQL connection string: give --postgres postgres:\/\//,
    ],
  ];
  it.each(cases)('%s: one line that says what to do, exit 4, nothing left behind', async (_, make, message) => {
    const url = await make();
    const before = await databases();
    const { status, out, err } = await certify(url);
    expect({ status, out }).toStrictEqual({ status: 4, out: '' });
    expect(err.trim().split('\n')).toStrictEqual([expect.stringMatching(message)]);
    expect(err).not.toContain(new URL(server.url).password);
    expect(err).not.toContain('secret-guess');
    expect(await databases()).toStrictEqual(before);
  });

  it('leaves what somebody else has under our name as it was', async () => {
    const url = urlOf((one) => {
      one.pathname = '/taken';
    });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    expect((await client.query('SELECT number FROM a2a_tasks')).rows).toStrictEqual([{ number: 7 }]);
    await client.end();
  });

  it('says of a fault run the same', async () => {
    const url = urlOf((one) => {
      one.port = '1';
    });
    expect(await certify(url, ['--faults'])).toMatchObject({ status: 4, out: '' });
  });
});
