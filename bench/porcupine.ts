/** Porcupine, the public checker in Go, on the same histories; only where Go is on the machine. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RegisterOperation } from './overlapping-histories.ts';

/** Microseconds of each round of each history; `why` where there are none. */
export interface PorcupineTimes {
  readonly micros: readonly (readonly number[])[] | undefined;
  readonly why: string;
}

/** The longest that building and running it may take. */
const timeoutMs = 120_000;

/** Runs `bench/porcupine`; gives no times where Go is absent, its module can't be had, or the run fails. */
export function measurePorcupine(
  histories: readonly (readonly (readonly RegisterOperation[])[])[],
): Promise<PorcupineTimes> {
  const input = JSON.stringify(
    histories.map((history) =>
      history.map((register) =>
        register.map((one) => [one.client, one.call, one.return, one.wrote ?? -1, one.read ?? -1]),
      ),
    ),
  );
  return new Promise((resolve) => {
    const failed = (why: string) => resolve({ micros: undefined, why: `Porcupine was not run: ${why}.` });
    const child = spawn('go', ['run', '.'], {
      cwd: fileURLToPath(new URL('./porcupine', import.meta.url)),
      timeout: timeoutMs,
    });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.on('error', (error: NodeJS.ErrnoException) =>
      failed(error.code === 'ENOENT' ? 'there is no Go on this machine' : error.message),
    );
    child.on('close', (code) => {
      if (code !== 0) return failed(errors.trim().split('\n')[0] || `it ended with ${code}`);
      const lines = output.trim().split('\n');
      resolve({ micros: lines.map((line) => line.trim().split(' ').map(Number)), why: '' });
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
