/** The bounds of a measurement: its time, the user's patience, and a store that does not answer. */
import { Deadline } from '../run/deadline.ts';
import { openStore } from '../run/open-store.ts';
import { SubjectFault } from '../run/subject-fault.ts';
import type { Subject, SubjectStore } from '../subject/subject.ts';

/** Measuring ended before its end: by its time limit, or by the user. */
export class OutOfTime extends Error {
  constructor() {
    super('out of time');
    this.name = 'OutOfTime';
  }
}

/** The longest that one operation may take: a page of a store that sorts a million tasks for it takes seconds. */
const OPERATION_LIMIT_MS = 60_000;

/** Watches one subject's measurement. */
export class Limit {
  readonly #until: number;
  readonly #signal: AbortSignal | undefined;
  readonly #deadline: Deadline = new Deadline(OPERATION_LIMIT_MS);

  constructor(budgetMs: number, signal: AbortSignal | undefined) {
    this.#until = performance.now() + budgetMs;
    this.#signal = signal;
  }

  /** Throws `OutOfTime` once the time is over. */
  check(): void {
    if (this.left() <= 0 || this.#signal?.aborted === true) throw new OutOfTime();
  }

  /** Milliseconds that are left. */
  left(): number {
    return this.#until - performance.now();
  }

  /** Opens a store; throws a `SubjectFault` where that fails. */
  open(subject: Subject): Promise<SubjectStore> {
    return openStore(subject, this.#deadline);
  }

  /** Bounds one wait; throws a `SubjectFault` where the subject gives no answer. */
  within<T>(what: string, promise: Promise<T>): Promise<T> {
    return this.#deadline.within(what, promise);
  }

  stop(): void {
    this.#deadline.stop();
  }
}

/** Waits for what measuring can't do without: a failure there ends the run, and is told as the subject's. */
export async function needed<T>(subject: Subject, what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof SubjectFault || error instanceof OutOfTime) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new SubjectFault('open', `${subject.name}: ${what}: ${message}`, { cause: error });
  }
}
