import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmbeddedProvider } from './postgres-embedded.ts';
import type { PostgresServer } from './postgres-provider.ts';
import { availableReleases } from './postgres-releases.ts';

const ask = async (url: string, text: string): Promise<Record<string, unknown>> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows[0] ?? {};
  } finally {
    await client.end();
  }
};

describe.each(availableReleases())('an embedded server, release %s', (_, provider) => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await provider.start();
  });
  afterAll(async () => {
    await server?.stop();
  });

  it('sorts as en-US by default, listens on this machine alone and wants a password', async () => {
    const locale = `SELECT 'a' < 'B' AS folded, current_setting('listen_addresses') AS listens, current_setting('unix_socket_directories') AS sockets`;
    expect(await ask(server.url, locale)).toStrictEqual({ folded: true, listens: '127.0.0.1', sockets: '' });
    const stranger = new URL(server.url);
    stranger.password = 'guess';
    await expect(ask(stranger.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  });

  it('starts again after a crash with a backend at work, with what was committed', async () => {
    await ask(server.url, 'CREATE TABLE t AS SELECT 1 AS a');
    await ask(server.url, 'CHECKPOINT');
    const busy = ask(server.url, 'SELECT count(*) FROM generate_series(1, 1000000000)').catch((error: Error) => error);
    await server.crash?.();
    expect(await busy).toBeInstanceOf(Error);
    await server.restart?.();
    expect(await ask(server.url, 'SELECT a FROM t')).toStrictEqual({ a: 1 });
  });
});

describe('a durable server', () => {
  it('keeps what it acknowledged', async () => {
    const server = await createEmbeddedProvider({ durable: true }).start();
    const settings = `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS sync`;
    expect(await ask(server.url, settings)).toStrictEqual({ fsync: 'on', sync: 'on' });
    await ask(server.url, 'CREATE TABLE t AS SELECT 1 AS a');
    await server.crash?.();
    await server.restart?.();
    expect(await ask(server.url, 'SELECT a FROM t')).toStrictEqual({ a: 1 });
    await server.stop();
  });
});

it('says where it looked for the programs', async () => {
  await expect(createEmbeddedProvider({ programs: '/nowhere' }).start()).rejects.toThrow(/No PostgreSQL in \/nowhere/);
});

describe('when the program ends', () => {
  const program = `
    import { createEmbeddedProvider } from ${JSON.stringify(new URL('./postgres-embedded.ts', import.meta.url).href)};
    const server = await createEmbeddedProvider().start();
    console.log(server.url);
    if (process.argv[1] === 'exit') process.exit(7);
    if (process.argv[1] === 'stay') setInterval(() => {}, 1000);
  `;
  const launch = async (mode: string): Promise<{ child: ChildProcess; url: string; folder: string }> => {
    const tsx = pathToFileURL(createRequire(fileURLToPath(import.meta.url)).resolve('tsx')).href;
    const child = spawn(process.execPath, ['--import', tsx, '--input-type=module', '-e', program, mode], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [url] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
    return {
      child,
      url,
      folder: mode === 'stay' ? String((await ask(url, 'SHOW data_directory')).data_directory) : '',
    };
  };
  const leftovers = (folder: string): string[] =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder);
        } catch {
          return false;
        }
      });
  const segments = (): string[] => (spawnSync('ipcs', ['-m'], { encoding: 'utf8' }).stdout ?? '').split(/\s+/);

  it.skipIf(process.platform !== 'linux').each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
    'by %s, nothing of the server stays',
    async (signal) => {
      const { child, folder } = await launch('stay');
      const [, segment] = readFileSync(`${folder}/postmaster.pid`, 'utf8').split('\n')[6]?.trim().split(/\s+/) ?? [];
      expect(segments()).toContain(segment);
      expect(leftovers(folder).length).toBeGreaterThan(0);
      child.kill(signal);
      expect((await once(child, 'exit'))[1]).toBe(signal);
      // The watchdog works after us: it is given ten seconds and needs a fraction of one.
      for (let i = 0; i < 1_000 && (existsSync(folder) || leftovers(folder).length > 0); i++) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      expect(existsSync(folder)).toBe(false);
      expect(leftovers(folder)).toStrictEqual([]);
      expect(segments()).not.toContain(segment);
    },
  );

  it.each([
    ['by itself', 'end', 0],
    ['by process.exit', 'exit', 7],
  ])('%s, the server does not keep it and is gone', async (_, mode, status) => {
    const { child, url } = await launch(mode);
    expect((await once(child, 'exit'))[0]).toBe(status);
    await expect(ask(url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
