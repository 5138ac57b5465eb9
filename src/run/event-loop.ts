/** Lets signals, timers and other work have their turn while programs run that never wait for anything. */

const TURN_MS = 50;

let since = performance.now();

/**
 * Resolves at once, but for once in 50 ms, when it lets the event loop turn. A store in memory resolves all its promises
 * without a turn of the loop: without this a run over it could not be interrupted before its budget ends.
 */
export async function takeTurns(): Promise<void> {
  if (performance.now() - since < TURN_MS) return;
  await new Promise((resolve) => setImmediate(resolve));
  since = performance.now();
}
