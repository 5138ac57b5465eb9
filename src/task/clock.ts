/** Time as the stores see it. */

/** Gives the current time: microseconds since the Unix epoch, signed 64-bit. May stand still or run backwards. */
export type Clock = () => bigint;

/** The largest last-update time that a task can have (signed 64-bit microseconds). */
export const MAX_TIME_MICROS: bigint = 2n ** 63n - 1n;

/** The smallest last-update time that a task can have (signed 64-bit microseconds). */
export const MIN_TIME_MICROS: bigint = -(2n ** 63n);

/** The wall clock, in whole milliseconds times 1000: JavaScript's Date has no finer digits. */
export const wallClock: Clock = () => BigInt(Date.now()) * 1000n;
