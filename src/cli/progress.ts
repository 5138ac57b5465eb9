/** Progress on standard error: one line that is written over on a terminal, a plain line now and then elsewhere. */
import type { Progress } from '../suite/certify.ts';

/** Between two plain lines, in milliseconds. */
const plainEveryMs = 10_000;

export interface ProgressDisplay {
  show(progress: Progress): void;
  /** Takes the line away. */
  clear(): void;
}

/** A display of lines of any kind. */
export interface LineDisplay {
  show(text: string): void;
  clear(): void;
}

/** Makes a display for the progress of a certification. */
export function createProgressDisplay(stream: NodeJS.WriteStream): ProgressDisplay {
  const { show, clear } = createLineDisplay(stream);
  return {
    show(progress) {
      const failed = progress.failed.length === 0 ? '' : `, violated: ${progress.failed.join(' ')}`;
      show(
        progress.phase === 'shrink'
          ? `${progress.subject}: shrinking the counterexample of ${progress.failed.join(' ')}`
          : progress.phase === 'prove'
            ? `${progress.subject}: proving, ${progress.programs} of ${progress.of} faults tried`
            : `${progress.subject}: ${progress.programs} of ${progress.of} programs, ${progress.operations} operations${failed}`,
      );
    },
    clear,
  };
}

/** Makes a display for a stream. */
export function createLineDisplay(stream: NodeJS.WriteStream): LineDisplay {
  let last = performance.now();
  let drawn = false;
  return {
    show(text) {
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
