/** Waiting for others to wait: the one way to know that a session has come to a lock. */
import type { PostgresActs } from './postgres-acts.ts';

const LIMIT_MS = 3_000;
const PAUSE_MS = 3;

/** Resolves once so many of these have ended, or wait for a lock of another session, as they are; bounded by 3 s. */
export async function untilAllWait(acts: PostgresActs, works: readonly Promise<unknown>[]): Promise<number> {
  let ended = 0;
  for (const work of works) {
    const end = (): void => {
      ended++;
    };
    work.then(end, end);
  }
  const until = performance.now() + LIMIT_MS;
  for (;;) {
    const waiting = await acts.waiting();
    if (ended + waiting >= works.length || performance.now() > until) return waiting;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
