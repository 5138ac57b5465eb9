/** Ends a server's processes for certain: a postmaster that is killed alone can leave a busy backend behind. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ORDERLY_LIMIT_MS = 2_000;

/**
 * Ends whatever works in a server's folder, synchronously. A postmaster is asked first (SIGQUIT: children gone, data as
 * they are) and killed after two seconds: only when it ends by itself does it give back its System V memory segment.
 */
export function endServer(folder: string, pid: number | undefined): void {
  const lock = readLockFile(folder);
  if (pid !== undefined) {
    if (lock?.pid === pid && process.platform !== 'win32' && signal(pid, 'SIGQUIT'))
      waitUntilGone(pid, ORDERLY_LIMIT_MS);
    killProcessTree(pid);
  }
  const segment = readLockFile(folder)?.segment;
  if (segment !== undefined) spawnSync('ipcrm', ['-m', segment], { stdio: 'ignore' });
}

/** What a running or killed postmaster left in its data folder: its process and its memory segment. */
function readLockFile(folder: string): { pid: number; segment: string | undefined } | undefined {
  try {
    const lines = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), segment: lines[6]?.trim().split(/\s+/)[1] };
  } catch {
    return undefined;
  }
}

function waitUntilGone(pid: number, limitMs: number): void {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  for (let waitedMs = 0; waitedMs < limitMs && isRunning(pid); waitedMs += 5) Atomics.wait(cell, 0, 0, 5);
}

/**
 * Kills a process and its children at once, synchronously, so that it works in an exit handler. The parent is stopped
 * first: while it stands still it can't fork a child that the list doesn't have. Does nothing where `pid` is gone.
 */
export function killProcessTree(pid: number): void {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore' });
    return;
  }
  if (!signal(pid, 'SIGSTOP')) return;
  const children = childrenOf(pid);
  signal(pid, 'SIGKILL');
  for (const child of children) signal(child, 'SIGKILL');
}

function isRunning(pid: number): boolean {
  if (!signal(pid, 0)) return false;
  if (process.platform !== 'linux') return true;
  try {
    // Our own child that has ended stays a zombie until the event loop turns, which it can't while we wait here.
    return !/^\d+ \(.*\) Z /s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** The ids of all processes below `pid`, from `/proc` where there is one: small images come without `ps`. */
function childrenOf(pid: number): number[] {
  const parents = process.platform === 'linux' ? parentsFromProc() : parentsFromPs();
  const found = [pid];
  for (const parent of found) for (const [child, of] of parents) if (of === parent) found.push(child);
  return found.slice(1);
}

function parentsFromProc(): [number, number][] {
  const parents: [number, number][] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      // The name in parentheses may itself hold spaces and parentheses: the fields start after the last one.
      const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      parents.push([Number(name), Number(parent)]);
    } catch {
      // It ended while we looked.
    }
  }
  return parents;
}

function parentsFromPs(): [number, number][] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return (stdout ?? '').split('\n').map((line) => {
    const [child, parent] = line.trim().split(/\s+/).map(Number);
    return [child ?? 0, parent ?? -1];
  });
}
