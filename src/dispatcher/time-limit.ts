/** A bound on how long an answer is waited for. */

/**
 * Gives what `answer` gives, or rejects once `limitMs` milliseconds have passed without an answer. What a late answer
 * says is dropped, a late rejection too.
 */
export function withinLimit<T>(answer: PromiseLike<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
    answer.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
