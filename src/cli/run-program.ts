/** Runs another program to its end, within a time, and leaves nothing of it behind. */
import { spawn } from 'node:child_process';

export interface ProgramOptions {
  readonly cwd?: string;
  /** Variables beside our own. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeLimitMs: number;
  readonly signal?: AbortSignal;
}

/** How a program ended. */
export type ProgramEnd =
  | { readonly kind: 'ended'; readonly status: number | null; readonly output: string }
  /** Too late, or told to stop: it and its children were killed. */
  | { readonly kind: 'killed'; readonly why: 'time' | 'signal'; readonly output: string }
  | { readonly kind: 'absent' };

/** What is kept of a program's output: its end. */
const keptCharacters = 20_000;

/** Runs a program without input, in a process group of its own. Never rejects. */
export function runProgram(command: string, args: readonly string[], options: ProgramOptions): Promise<ProgramEnd> {
  const { cwd, env, timeLimitMs, signal } = options;
  return new Promise((resolve) => {
    let output = '';
    let why: 'time' | 'signal' | undefined;
    const child = spawn(command, [...args], {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...process.env, ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const stop = (reason: 'time' | 'signal'): void => {
      why ??= reason;
      if (child.pid !== undefined) killGroup(child.pid);
    };
    const timer = setTimeout(() => stop('time'), timeLimitMs);
    const onAbort = (): void => stop('signal');
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted === true) onAbort();
    const finish = (end: ProgramEnd): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      resolve(end);
    };
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-keptCharacters);
      });
    child.on('error', () => finish({ kind: 'absent' }));
    child.on('close', (status) => {
      // A profiler that died may have left what it profiled.
      if (child.pid !== undefined) killGroup(child.pid);
      finish(why === undefined ? { kind: 'ended', status, output } : { kind: 'killed', why, output });
    });
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing is left of it.
  }
}
