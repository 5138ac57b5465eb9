/** A bound on every wait for a subject. */
import { SubjectFault } from './subject-fault.ts';

/**
 * Watches one run: `within` gives what the promise gives, or throws a `SubjectFault` of kind `hang` once a single wait
 * has lasted `timeoutMs`. One timer serves all waits of a run, so that a fast store does not pay for a timer a call.
 */
export class Deadline {
  readonly #timeoutMs: number;
  readonly #timer: NodeJS.Timeout;
  /** The waits under way: when each began, what it waits for, and how to end it. */
  readonly #waits = new Set<{ since: number; what: string; end: (error: Error) => void }>();

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    this.#timer = setInterval(() => this.#look(), Math.max(10, Math.min(timeoutMs / 4, 250)));
  }

  within<T>(what: string, promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const wait = { since: performance.now(), what, end: reject };
      this.#waits.add(wait);
      promise.then(
        (value) => {
          this.#waits.delete(wait);
          resolve(value);
        },
        (error: unknown) => {
          this.#waits.delete(wait);
          reject(error);
        },
      );
    });
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    for (const wait of this.#waits) {
      if (now - wait.since < this.#timeoutMs) continue;
      this.#waits.delete(wait);
      wait.end(new SubjectFault('hang', `${wait.what} gave no answer within ${this.#timeoutMs} ms`));
    }
  }
}
