/** A real PostgreSQL server of our own: started from binaries in a package, on a free port, thrown away at the end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { embeddedPrograms, programsIn } from './embedded-binaries.ts';
import { EnvironmentError } from './environment-error.ts';
import { createGuardedFolder, type GuardedFolder, serverUser } from './postgres-folder.ts';
import { killProcessTree } from './postgres-processes.ts';
import type { PostgresProvider, PostgresServer } from './postgres-provider.ts';

/** How the embedded server is started. */
export interface EmbeddedOptions {
  /** A folder with `initdb` and `postgres` of another release; the package's own (18) where absent. */
  readonly programs?: string;
  /** Keeps what was acknowledged across a crash, at the price of speed. */
  readonly durable?: boolean;
  /** Further settings of `postgresql.conf`, such as `max_connections`. */
  readonly settings?: Readonly<Record<string, string>>;
}

const INITDB_LIMIT_MS = 60_000;
const START_LIMIT_MS = 30_000;
const PORT_TRIES = 5;

/** Provides an embedded server: up in about a second, as root (then it runs as `nobody`) and as an ordinary user. */
export function createEmbeddedProvider(options: EmbeddedOptions = {}): PostgresProvider {
  return {
    name: options.programs ? `embedded (${options.programs})` : 'embedded',
    start: () => startEmbedded(options),
  };
}

async function startEmbedded(options: EmbeddedOptions): Promise<PostgresServer> {
  const folder = createGuardedFolder();
  try {
    const programs = options.programs ? programsIn(options.programs) : await embeddedPrograms(folder.path);
    const data = join(folder.path, 'data');
    const password = randomBytes(12).toString('hex');
    await initialize(programs.initdb, data, password, folder);
    return await launch(programs.postgres, data, password, folder, options);
  } catch (error) {
    folder.remove();
    if (error instanceof EnvironmentError) throw error;
    throw new EnvironmentError(`The embedded PostgreSQL did not start: ${(error as Error).message}`, { cause: error });
  }
}

async function initialize(initdb: string, data: string, password: string, folder: GuardedFolder): Promise<void> {
  const secret = join(folder.path, 'password');
  writeFileSync(secret, password, { mode: 0o600 });
  if (serverUser !== undefined) chownSync(secret, serverUser, serverUser);
  const log = join(folder.path, 'initdb.log');
  const locale = ['--locale-provider=icu', '--icu-locale=en-US', '--locale=C.UTF-8', '--encoding=UTF8'];
  const access = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${secret}`];
  const child = spawnProgram(initdb, [`--pgdata=${data}`, ...locale, ...access, '--no-sync'], log, folder);
  await exitWithin(child, INITDB_LIMIT_MS);
  folder.watch(undefined);
  rmSync(secret);
  if (child.exitCode !== 0) throw new EnvironmentError(`The embedded PostgreSQL's initdb failed:\n${lastLines(log)}`);
}

async function launch(
  postgres: string,
  data: string,
  password: string,
  folder: GuardedFolder,
  options: EmbeddedOptions,
): Promise<PostgresServer> {
  const log = join(folder.path, 'postgres.log');
  let child: ChildProcess | undefined;
  let port = 0;
  const url = (): string => `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const run = async (): Promise<void> => {
    child = spawnProgram(postgres, ['-D', data, '-p', String(port), ...settings(options)], log, folder);
    await answering(child, url(), log);
    // A server that nobody stops must not keep this process from ending; its end is the server's.
    child.unref();
  };

  for (let tries = 1; ; tries++) {
    port = await freePort();
    try {
      await run();
      break;
    } catch (error) {
      // Between our look and the server's, somebody else may have taken the port.
      if (tries === PORT_TRIES || !/in use/.test(lastLines(log))) throw error;
    }
  }
  return {
    url: url(),
    own: true,
    crash: async () => {
      if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      const gone = once(child, 'exit');
      killProcessTree(child.pid);
      await gone;
      folder.watch(undefined);
    },
    // A killed server's memory segment and lock file are in its way for a moment: PostgreSQL clears them up itself.
    restart: run,
    stop: async () => folder.remove(),
  };
}

function settings({ durable = false, settings: more = {} }: EmbeddedOptions): string[] {
  const onOff = durable ? 'on' : 'off';
  const all: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: onOff,
    synchronous_commit: onOff,
    full_page_writes: onOff,
    jit: 'off',
    // Shared memory in the data folder goes with it; in /dev/shm a killed server's would stay for ever.
    dynamic_shared_memory_type: process.platform === 'win32' ? 'windows' : 'mmap',
    lc_messages: 'C',
    ...more,
  };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Starts a program of PostgreSQL's as its user, in a session of its own, so that a Ctrl-C of ours does not reach it. */
function spawnProgram(program: string, args: string[], log: string, folder: GuardedFolder): ChildProcess {
  const output = openSync(log, 'w');
  const user = serverUser === undefined ? {} : { uid: serverUser, gid: serverUser };
  const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' };
  const child = spawn(program, args, {
    ...user,
    cwd: folder.path,
    env,
    detached: true,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  // A program that can't be run at all: `exitCode` stays null and the wait below ends with the message.
  child.on('error', (error) => writeFileSync(log, error.message));
  if (child.pid !== undefined) folder.watch(child.pid);
  return child;
}

async function exitWithin(child: ChildProcess, limitMs: number): Promise<void> {
  if (child.pid === undefined) return;
  await once(child, 'exit', { signal: AbortSignal.timeout(limitMs) });
}

/** Waits until a connection succeeds; the server's own "ready" line comes before that on some systems. */
async function answering(child: ChildProcess, url: string, log: string): Promise<void> {
  const end = performance.now() + START_LIMIT_MS;
  for (;;) {
    const ended = child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
    if (ended || performance.now() > end) {
      throw new EnvironmentError(`The embedded PostgreSQL ${ended ? 'ended' : 'does not answer'}:\n${lastLines(log)}`);
    }
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      return;
    } catch {
      await delay(10);
    } finally {
      await client.end().catch(() => {});
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

function lastLines(log: string): string {
  return readFileSync(log, 'utf8').trimEnd().split('\n').slice(-5).join('\n');
}
