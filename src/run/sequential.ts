/** Runs a program with one client, operation after operation. */
import type { History } from '../history/history.ts';
import type { Program } from '../history/program.ts';
import type { Subject } from '../subject/subject.ts';
import { Deadline } from './deadline.ts';
import { takeTurns } from './event-loop.ts';
import { Executor } from './executor.ts';
import { openStore } from './open-store.ts';

export interface RunOptions {
  /** The longest that one operation may take, in milliseconds. */
  readonly operationTimeoutMs: number;
}

/**
 * Opens a fresh store, performs the program and closes the store. The clients' steps run one client after the other.
 * Throws a `SubjectFault` where the subject can't be opened or does not answer in time.
 */
export async function runSequentially(subject: Subject, program: Program, options: RunOptions): Promise<History> {
  const deadline = new Deadline(options.operationTimeoutMs);
  try {
    const store = await openStore(subject, deadline);
    try {
      const executor = new Executor(subject, store, program, deadline);
      for (const [client, steps] of program.clients.entries()) {
        for (const [index, step] of steps.entries()) {
          await takeTurns();
          await executor.perform(client, index, step);
        }
      }
      return { entries: executor.entries, ...(program.tamper === true ? { tampered: true } : {}) };
    } finally {
      await deadline.within(`${subject.name}: close`, Promise.resolve(store.close?.()));
    }
  } finally {
    deadline.stop();
  }
}
