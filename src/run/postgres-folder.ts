/** The folder of an embedded server and the promise that it goes, whichever way this process ends. */
import { spawn } from 'node:child_process';
import { accessSync, chownSync, constants, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { EnvironmentError } from './environment-error.ts';
import { endServer } from './postgres-processes.ts';

/** The user that a server runs as where we are root, which PostgreSQL refuses: `nobody`. */
const NOBODY = 65534;

/** Whom to run PostgreSQL's programs as; undefined where we are no root and need no other user. */
export const serverUser: number | undefined = process.getuid?.() === 0 ? NOBODY : undefined;

/** A folder that is removed, and whose process is ended, at the end of this process at the latest. */
export interface GuardedFolder {
  readonly path: string;
  /** Says which process works in the folder now; undefined for none. */
  watch(pid: number | undefined): void;
  /** Ends the process and removes the folder now. */
  remove(): void;
}

/**
 * Makes the folder, owned by the server's user, and sets three guards, since none of them sees every end: handlers for
 * INT, TERM and HUP where nobody else listens, a handler for `exit`, and a watchdog process for a kill -9.
 */
export function createGuardedFolder(): GuardedFolder {
  const path = mkdtempSync(join(reachableTemporaryFolder(), 'pagecheck-postgres-'));
  if (serverUser !== undefined) chownSync(path, serverUser, serverUser);
  const watchdog = spawn(process.execPath, [...watchdogProgram(), path], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  watchdog.unref();
  (watchdog.stdin as unknown as { unref(): void }).unref();
  // It may be gone before us, killed by somebody: the other guards remain.
  watchdog.stdin.on('error', () => {});

  let pid: number | undefined;
  const remove = (): void => {
    if (!standing.delete(remove)) return;
    if (standing.size === 0) stopListening();
    endServer(path, pid);
    rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    watchdog.stdin.end('done\n');
  };
  if (standing.size === 0) listen();
  standing.add(remove);
  return {
    path,
    watch: (next) => {
      pid = next;
      watchdog.stdin.write(`pid ${next ?? 0}\n`);
    },
    remove,
  };
}

const standing = new Set<() => void>();
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function listen(): void {
  process.on('exit', removeAll);
  for (const name of signals) process.on(name, onSignal);
}

function stopListening(): void {
  process.off('exit', removeAll);
  for (const name of signals) process.off(name, onSignal);
}

function removeAll(): void {
  for (const remove of [...standing]) remove();
}

function onSignal(name: NodeJS.Signals): void {
  // Whoever else listens decides how this process ends, and may need the server until then.
  if (process.listenerCount(name) > 1) return;
  removeAll();
  process.kill(process.pid, name);
}

/** Tells whether the server's user can get at a file: root enters every folder, `nobody` only those open to others. */
export function isReachable(path: string): boolean {
  if (serverUser === undefined) {
    try {
      accessSync(path, constants.R_OK);
      return true;
    } catch {
      return false;
    }
  }
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

function reachableTemporaryFolder(): string {
  const tried = [tmpdir(), '/tmp', '/var/tmp'];
  const found = tried.find((folder) => {
    try {
      return isReachable(join(folder, 'x'));
    } catch {
      return false;
    }
  });
  if (found !== undefined) return found;
  throw new EnvironmentError(
    `No folder for an embedded PostgreSQL: its user can enter none of ${tried.join(', ')}. Set TMPDIR to one that others may enter, or give --postgres URL.`,
  );
}

/** The watchdog beside this file: TypeScript in a checkout, where Node.js needs tsx to read it, JavaScript once built. */
function watchdogProgram(): string[] {
  const here = fileURLToPath(import.meta.url);
  const extension = here.endsWith('.ts') ? '.ts' : '.js';
  const program = join(dirname(here), `postgres-watchdog${extension}`);
  if (extension === '.js') return [program];
  return ['--import', pathToFileURL(createRequire(here).resolve('tsx')).href, program];
}
