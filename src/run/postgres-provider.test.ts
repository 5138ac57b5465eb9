import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EnvironmentError } from './environment-error.ts';
import { createContainerProvider } from './postgres-container.ts';
import { createEmbeddedProvider } from './postgres-embedded.ts';
import { choosePostgresProvider, type PostgresServer } from './postgres-provider.ts';
import { sharePostgres } from './postgres-shared.ts';

describe('the choice of a server', () => {
  it.each([
    [{}, {}, 'embedded'],
    [{ postgres: 'container' }, {}, 'container (postgres:18)'],
    [{}, { PAGECHECK_POSTGRES_URL: 'postgres://u:secret@h:5/d' }, 'postgres://u@h:5/d'],
    [{ postgres: 'embedded' }, { PAGECHECK_POSTGRES_URL: 'postgres://u:secret@h:5/d' }, 'embedded'],
    [{ postgres: 'postgresql://h/d' }, { PAGECHECK_POSTGRES_URL: 'x' }, 'postgres://h/d'],
  ])('%j in %j is %s', (choice, env, name) => {
    expect(choosePostgresProvider({ ...choice, env }).name).toBe(name);
  });

  it.each(['mysql://h/d', 'embeded', 'postgres//h', 'postgres:u:secret@h/d'])('refuses %s', (postgres) => {
    expect(() => choosePostgresProvider({ postgres, env: {} })).toThrow(EnvironmentError);
  });
});

describe('a server at a URL', () => {
  let server: PostgresServer;
  const urlWith = (change: (url: URL) => void): string => {
    const url = new URL(server.url);
    change(url);
    return url.href;
  };
  const message = async (postgres: string): Promise<string> => {
    const error = await choosePostgresProvider({ postgres, env: {} })
      .start()
      .catch((thrown: Error) => thrown);
    expect(error).toBeInstanceOf(EnvironmentError);
    return (error as Error).message;
  };
  const run = async (text: string, url = server.url): Promise<void> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(text);
    await client.end();
  };

  beforeAll(async () => {
    server = await createEmbeddedProvider().start();
  });
  afterAll(async () => {
    await server?.stop();
  });

  it('is used as it is, and stays', async () => {
    const used = await choosePostgresProvider({ postgres: server.url, env: {} }).start();
    expect(used).toMatchObject({ url: server.url, own: false });
    await used.stop();
    await run('SELECT 1');
  });

  it('says what to do where nobody answers', async () => {
    expect(await message(urlWith((url) => (url.port = '1')))).toMatch(
      /^No PostgreSQL answers at .*:1\/postgres: connection refused\. Start the server/,
    );
    expect(await message('postgres://nobody.invalid/d')).toMatch(/host's name is not known/);
  });

  it('says what to do where it is not let in, and never shows the password', async () => {
    const text = await message(urlWith((url) => (url.password = 'hush-hush')));
    expect(text).toMatch(/refuses the user or the password/);
    expect(text).not.toMatch(/hush/);
    expect(await message(urlWith((url) => (url.pathname = '/nothing')))).toMatch(
      /the database does not exist; create it/,
    );
  });

  it('is refused where its database holds something of somebody', async () => {
    await run('CREATE DATABASE used');
    const url = urlWith((one) => (one.pathname = '/used'));
    await run(`CREATE SCHEMA pagecheck_0a1b2c3d; CREATE TABLE pagecheck_0a1b2c3d.a2a_tasks (id text)`, url);
    expect(await choosePostgresProvider({ postgres: url, env: {} }).start()).toMatchObject({ url });
    await run('CREATE TABLE theirs (a int)', url);
    expect(await message(url)).toMatch(/is not empty: it holds public\.theirs\. Nothing was touched/);
  });

  it('is refused where it is read-only', async () => {
    await run('CREATE DATABASE frozen; ', server.url);
    await run('ALTER DATABASE frozen SET default_transaction_read_only = on');
    expect(await message(urlWith((url) => (url.pathname = '/frozen')))).toMatch(/is read-only/);
  });
});

describe('a shared server', () => {
  it('starts once, and ends with its last user', async () => {
    let starts = 0;
    let stops = 0;
    const shared = sharePostgres({
      name: 'x',
      start: async () => {
        starts++;
        return { url: 'u', own: true, stop: async () => void stops++ };
      },
    });
    const [one, two] = await Promise.all([shared.start(), shared.start()]);
    await one.stop();
    await one.stop();
    expect([starts, stops]).toStrictEqual([1, 0]);
    await two.stop();
    expect([starts, stops]).toStrictEqual([1, 1]);
    await (await shared.start()).stop();
    expect([starts, stops]).toStrictEqual([2, 2]);
  });
});

describe('a container', () => {
  it('runs PostgreSQL where Docker answers, and says what is missing where it does not', async ({ skip }) => {
    const server = await createContainerProvider()
      .start()
      .catch((error: Error) => error);
    if (server instanceof Error) {
      expect(server).toBeInstanceOf(EnvironmentError);
      expect(server.message).toMatch(/leave --postgres out for an embedded server/);
      skip(`no container was started: ${server.message}`);
      return;
    }
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    expect((await client.query('SELECT 1 AS one')).rows).toStrictEqual([{ one: 1 }]);
    await client.end();
    await server.stop();
  });
});
