/** Waiting for time to pass, for subjects whose clock can't be set. */

/** Resolves once the wall clock shows 3 ms more than now. */
export async function wallClockMoves(): Promise<void> {
  const from = Date.now();
  while (Date.now() - from < 3) await new Promise((resolve) => setTimeout(resolve, 1));
}
