/** Progress on standard error: one line that is written over on a terminal, a plain line now and then elsewhere. */
import type { Progress } from '../suite/certify.ts';

/** Between two plain lines, in milliseconds. */
const plainEveryMs = 10_000;

export interface ProgressDisplay {
  show(progress: Progress): void;
  /** Takes the line away. */
  clear(): void;
}

/** Makes a display for a stream. */
export function createProgressDisplay(stream: NodeJS.WriteStream): ProgressDisplay {
  let last = performance.now();
  let drawn = false;
  return {
    show(progress) {
      const failed = progress.failed.length === 0 ? '' : `, violated: ${progress.failed.join(' ')}`;
      const text =
        progress.phase === 'shrink'
          ? `${progress.subject}: shrinking the counterexample of ${progress.failed.join(' ')}`
          : progress.phase === 'prove'
            ? `${progress.subject}: proving, ${progress.programs} of ${progress.of} faults tried`
            : `${progress.subject}: ${progress.programs} of ${progress.of} programs, ${progress.operations} operations${failed}`;
      if (stream.isTTY) {
        stream.write(`\r\x1b[2K${text.slice(0, Math.max(20, (stream.columns ?? 80) - 1))}`);
        drawn = true;
      } else if (performance.now() - last > plainEveryMs) {
        last = performance.now();
        stream.write(`${text}\n`);
      }
    },
    clear() {
      if (drawn) stream.write('\r\x1b[2K');
      drawn = false;
    },
  };
}
