/** The walk oracle: from call and return instants alone, which tasks must, may and must not appear in a walk. */

/**
 * Something that happened to a task: a write, a delete, a grant or a revocation. It took effect at one instant between
 * `call` and `return` (infinite where the outcome is unknown); afterwards the task is visible and matching, or is not.
 */
export interface Change {
  readonly call: number;
  readonly return: number;
  readonly matches: boolean;
}

/**
 * `must`: visible, matching and not changed from before `start` until after `end` (WALK-3). `never`: at no instant
 * between them visible and matching (WALK-4). `may`: anything else.
 */
export type Fate = 'must' | 'may' | 'never';

/**
 * Decides a task's fate between two instants. `changes` in order of call; before the first the task does not exist.
 * Linear in the changes. Changes that overlap each other may have taken effect in either order: of those that returned
 * before `start`, any that no other one certainly followed may be the last.
 */
export function fate(changes: readonly Change[], start: number, end: number): Fate {
  const before = changes.filter((change) => change.return < start);
  const during = changes.filter((change) => change.return >= start && change.call <= end);
  const latestCall = Math.max(...before.map((change) => change.call));
  const lasts = before.filter((change) => change.return >= latestCall);
  const possible = [...lasts, ...during];
  if (possible.every((change) => !change.matches)) return 'never';
  return during.length === 0 && lasts.every((change) => change.matches) ? 'must' : 'may';
}
