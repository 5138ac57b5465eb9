/** Several programs under way at once, each over a store of its own: for subjects whose time goes into waiting. */

export interface LaneWork<T> {
  /** How many at once, 1 or more. */
  readonly lanes: number;
  /** Gives the next piece of work; undefined at the end. Asked in order, one at a time. */
  next(): T | undefined;
  /** Tells whether a piece of work must have the subject for itself. */
  isAlone(work: T): boolean;
  run(work: T): Promise<void>;
}

/**
 * Does all the work that `next` gives. Rejects as the first piece that rejected, when all that was under way has ended:
 * nothing is stopped under a running program.
 */
export async function runInLanes<T>({ lanes, next, isAlone, run }: LaneWork<T>): Promise<void> {
  for (;;) {
    let alone: { readonly work: T } | undefined;
    let failed = false;
    const lane = async (): Promise<void> => {
      while (alone === undefined && !failed) {
        const work = next();
        if (work === undefined) return;
        if (isAlone(work)) {
          alone = { work };
          return;
        }
        try {
          await run(work);
        } catch (error) {
          failed = true;
          throw error;
        }
      }
    };
    const ends = Array.from({ length: lanes }, lane);
    await Promise.allSettled(ends);
    await Promise.all(ends);
    if (alone === undefined) return;
    await run(alone.work);
  }
}
