/** Durations for reading. */

/** Renders milliseconds with the unit that suits: `0 ms`, `12 ms`, `1.2 s`, `2 min 5 s`. */
export function renderDuration(durationMs: number): string {
  if (durationMs < 999.5) return `${Math.round(durationMs)} ms`;
  if (durationMs < 59_950) return `${(durationMs / 1000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
