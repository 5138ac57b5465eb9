/**
 * Is there an order of these operations, each at one instant between its call and its return, that a sequential
 * specification allows? The search of Wing and Gong (1993) with the memory of Lowe (2017).
 */

/** What is to be ordered. Operations are numbered; the first `returns.length` of them returned, the rest may never happen. */
export interface Ordering {
  /** Instants of call: ascending among those that returned, and among the rest. */
  readonly calls: readonly number[];
  readonly returns: readonly number[];
  /** The state before all of them. */
  readonly initial: number;
  /**
   * The state after an operation, by number; -1 where the specification forbids it there. States are numbers below 2^22.
   */
  step(operation: number, state: number): number;
  /** The operation changes the state nowhere: all it can do is to learn something that was unknown of it. */
  isRead(operation: number): boolean;
}

export type Linearization =
  /** An order was found. */
  | { readonly kind: 'linearizable'; readonly visited: number }
  /** There is none. `order` is one of the longest that came about, `stuck` are those of which none can follow it. */
  | {
      readonly kind: 'not-linearizable';
      readonly visited: number;
      readonly order: readonly number[];
      readonly stuck: readonly number[];
    }
  /** The budget ran out, or too much overlaps: nothing is decided. */
  | { readonly kind: 'undecided'; readonly visited: number; readonly reason: string };

/** So many operations after the first open one can be told apart, and so many of unknown outcome. */
const window = 60;
const half = 30;
const mostOptional = 30;

/**
 * Searches depth first, by call. What was tried is remembered by the first operation that is not placed yet, the bits
 * of those placed after it, and the state: short keys, since everything before is placed. A read that fits and learns
 * nothing is placed at once and alone: whatever order places it later also places it here. (Not so a write that happens
 * to change nothing here: it may be needed later.) Exponential in the number of operations that overlap, linear in the length of the history where few do; ends after `budget`
 * placements.
 */
export function linearize(problem: Ordering, budget: number): Linearization {
  const { calls, returns } = problem;
  const count = returns.length;
  const optional = calls.length - count;
  if (optional > mostOptional) return undecided(0, `${optional} operations have an unknown outcome`);

  // The way to each placement, for the order that is shown where there is none.
  const parents: number[] = [];
  const placed: number[] = [];
  const stack: number[] = [];
  const tried: (Set<number | string> | undefined)[] = [];
  let deepest = { placements: -1, node: -1, stuck: [] as number[] };
  push(0, 0, 0, problem.initial, 0, -1, 0);

  while (stack.length > 0) {
    let placements = stack.pop() as number;
    let node = stack.pop() as number;
    const used = stack.pop() as number;
    const state = stack.pop() as number;
    let high = stack.pop() as number;
    let low = stack.pop() as number;
    let first = stack.pop() as number;
    const candidates: number[] = [];
    const open: number[] = [];

    // Reads that fit are placed now; that may open the way to others.
    for (let again = true; again; ) {
      again = false;
      candidates.length = 0;
      open.length = 0;
      let soonest = Number.POSITIVE_INFINITY;
      for (let at = first; at < count && (calls[at] as number) < soonest; at++) {
        const bit = at - first - 1;
        if (bit >= window) return undecided(placed.length, `one operation overlaps more than ${window} later ones`);
        if (bit >= 0 && ((bit < half ? low >>> bit : high >>> (bit - half)) & 1) === 1) continue;
        soonest = Math.min(soonest, returns[at] as number);
        const next = problem.step(at, state);
        if (next === state && problem.isRead(at)) {
          [first, low, high] = place(at, first, low, high);
          node = remember(node, at);
          placements++;
          again = true;
          break;
        }
        open.push(at);
        if (next >= 0) candidates.push(at, next);
      }
      if (again) continue;
      if (first >= count) return { kind: 'linearizable', visited: placed.length };
      for (let at = 0; at < optional && (calls[count + at] as number) < soonest; at++) {
        if (((used >>> at) & 1) === 1) continue;
        const next = problem.step(count + at, state);
        if (next >= 0 && next !== state) candidates.push(count + at, next);
      }
    }

    if (placements > deepest.placements) deepest = { placements, node, stuck: [...open] };
    if (placed.length > budget) return undecided(placed.length, `the search ended after ${budget} placements`);
    // Where there is no choice there is nothing to remember.
    if (candidates.length > 2 && isKnown(first, low, high, state, used)) continue;
    for (let pair = candidates.length - 2; pair >= 0; pair -= 2) {
      const at = candidates[pair] as number;
      const next = candidates[pair + 1] as number;
      const after = remember(node, at);
      if (at >= count) push(first, low, high, next, used | (1 << (at - count)), after, placements);
      else push(...place(at, first, low, high), next, used, after, placements + 1);
    }
  }
  return { kind: 'not-linearizable', visited: placed.length, order: orderTo(deepest.node), stuck: deepest.stuck };

  function push(...frame: [number, number, number, number, number, number, number]): void {
    stack.push(...frame);
  }

  function remember(node: number, at: number): number {
    parents.push(node);
    placed.push(at);
    return placed.length - 1;
  }

  function isKnown(first: number, low: number, high: number, state: number, used: number): boolean {
    const key = high === 0 && used === 0 ? low * 2 ** 22 + state : `${low} ${high} ${state} ${used}`;
    const keys = tried[first] ?? new Set();
    if (keys.has(key)) return true;
    keys.add(key);
    tried[first] = keys;
    return false;
  }

  function orderTo(node: number): number[] {
    const order: number[] = [];
    for (let at = node; at >= 0; at = parents[at] as number) order.push(placed[at] as number);
    return order.reverse();
  }
}

/** Marks an operation as placed; the first open one moves on past those that are. */
function place(at: number, first: number, low: number, high: number): [number, number, number] {
  if (at > first) {
    const bit = at - first - 1;
    return bit < half ? [first, low | (1 << bit), high] : [first, low, high | (1 << (bit - half))];
  }
  let next = first;
  let [lower, upper] = [low, high];
  let taken: number;
  do {
    taken = lower & 1;
    lower = (lower >>> 1) | ((upper & 1) << (half - 1));
    upper >>>= 1;
    next++;
  } while (taken === 1);
  return [next, lower, upper];
}

function undecided(visited: number, reason: string): Linearization {
  return { kind: 'undecided', visited, reason };
}
