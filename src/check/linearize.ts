/**
 * Is there an order of these operations, each at one instant between its call and its return, that a sequential
 * specification allows? The search of Wing and Gong (1993) with the memory of Lowe (2017).
 */
import { TriedSet } from './tried-set.ts';

/** What is to be ordered: operations by number, in the order of their calls. */
export interface Ordering {
  /** Instants of call, ascending. */
  readonly calls: readonly number[];
  /** Instants of return, infinite where the outcome is unknown: such an operation may never happen. */
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

/** So many operations after the first open one can be told apart. */
const window = 60;
const half = 30;
/** So many operations can be held aside: of unknown outcome, or overlapped by more than the window. */
const mostAside = 30;

/** The numbers that one placement leaves on the stack. */
const frame = 7;

/**
 * Searches depth first, by call. What was tried is remembered by the first operation that is not placed yet, the bits
 * of those placed after it, the bits of those held aside, and the state: short keys, since everything before is placed.
 * A read that fits and learns nothing is placed at once and alone: whatever order places it later also places it here.
 * (Not so a write that happens to change nothing here: it may be needed later.) Exponential in the number of operations
 * that overlap, linear in the length of the history where few do; ends after `budget` placements.
 */
export function linearize(problem: Ordering, budget: number): Linearization {
  const { sequence, aside } = split(problem);
  if (aside.length > mostAside)
    return undecided(0, `${aside.length} operations have an unknown outcome or overlap more than ${window} later ones`);
  const count = sequence.length;
  const calls = sequence.map((number) => problem.calls[number] as number);
  const returns = sequence.map((number) => problem.returns[number] as number);
  const asideCalls = aside.map((number) => problem.calls[number] as number);
  const asideReturns = aside.map((number) => problem.returns[number] as number);
  /** The bits of those aside that did return. */
  const due = asideReturns.reduce(
    (bits, instant, at) => (instant < Number.POSITIVE_INFINITY ? bits | (1 << at) : bits),
    0,
  );

  // The way to each placement, for the order that is shown where there is none.
  const parents: number[] = [];
  const placed: number[] = [];
  const stack: number[] = [];
  const tried = new TriedSet();
  // Pairs: an operation that may be next, and the state after it.
  const candidates = new Int32Array(2 * (window + 1 + mostAside));
  const open = new OpenEnd();
  // The longest order so far, and what was open after it.
  let mostPlacements = -1;
  let deepest = -1;
  const stuckAt = new OpenEnd();
  let stuckUsed = 0;
  let top = push(0, problem.initial, 0, -1, 0);

  while (top > 0) {
    top -= frame;
    open.set(stack[top] as number, stack[top + 1] as number, stack[top + 2] as number);
    const state = stack[top + 3] as number;
    const used = stack[top + 4] as number;
    let node = stack[top + 5] as number;
    let placements = stack[top + 6] as number;

    let found = 0;
    let soonest = Number.POSITIVE_INFINITY;
    for (let at = 0; at < aside.length; at++)
      if (((used >>> at) & 1) === 0) soonest = Math.min(soonest, asideReturns[at] as number);
    for (let at = open.first; at < count && (calls[at] as number) < soonest; at++) {
      if (open.isPlaced(at)) continue;
      const number = sequence[at] as number;
      const next = problem.step(number, state);
      if (next === state && problem.isRead(number)) {
        // The state stays: what was looked at before it fits no better now, and goes on being open.
        open.place(at);
        node = remember(node, number);
        placements++;
        continue;
      }
      soonest = Math.min(soonest, returns[at] as number);
      if (next < 0) continue;
      candidates[found++] = at;
      candidates[found++] = next;
    }
    const { first, low, high } = open;
    if (first >= count && (used & due) === due) return { kind: 'linearizable', visited: placed.length };
    for (let at = 0; at < aside.length && (asideCalls[at] as number) < soonest; at++) {
      if (((used >>> at) & 1) === 1) continue;
      const number = aside[at] as number;
      const next = problem.step(number, state);
      // What may never happen need not happen where it changes nothing.
      if (next < 0 || (next === state && ((due >>> at) & 1) === 0)) continue;
      if (next === state && problem.isRead(number)) found = 0;
      candidates[found++] = count + at;
      candidates[found++] = next;
      if (next === state && problem.isRead(number)) break;
    }

    if (placements > mostPlacements) {
      mostPlacements = placements;
      deepest = node;
      stuckAt.set(first, low, high);
      stuckUsed = used;
    }
    if (placed.length > budget) return undecided(placed.length, `the search ended after ${budget} placements`);
    // Where there is no choice there is nothing to remember.
    if (found > 2 && !tried.add(first, low, high, state, used)) continue;
    for (let pair = found - 2; pair >= 0; pair -= 2) {
      const at = candidates[pair] as number;
      const next = candidates[pair + 1] as number;
      open.set(first, low, high);
      if (at >= count) {
        const held = at - count;
        const step = ((due >>> held) & 1) === 1 ? 1 : 0;
        top = push(top, next, used | (1 << held), remember(node, aside[held] as number), placements + step);
      } else {
        open.place(at);
        top = push(top, next, used, remember(node, sequence[at] as number), placements + 1);
      }
    }
  }
  return { kind: 'not-linearizable', visited: placed.length, order: orderTo(deepest), stuck: openOnes() };

  /** Puts a placement on the stack above `at`; gives the new top. */
  function push(at: number, state: number, used: number, node: number, placements: number): number {
    stack[at] = open.first;
    stack[at + 1] = open.low;
    stack[at + 2] = open.high;
    stack[at + 3] = state;
    stack[at + 4] = used;
    stack[at + 5] = node;
    stack[at + 6] = placements;
    return at + frame;
  }

  function remember(node: number, at: number): number {
    parents.push(node);
    placed.push(at);
    return placed.length - 1;
  }

  function orderTo(node: number): number[] {
    const order: number[] = [];
    for (let at = node; at >= 0; at = parents[at] as number) order.push(placed[at] as number);
    return order.reverse();
  }

  /** The operations that had to be next: called before any that is not placed returned. */
  function openOnes(): number[] {
    const held = aside.flatMap((number, at) => (((due & ~stuckUsed) >>> at) & 1 ? [number] : []));
    const ones = [...sequence.filter((_, at) => !stuckAt.isPlaced(at)), ...held];
    const soonest = ones.reduce(
      (least, number) => Math.min(least, problem.returns[number] as number),
      Number.POSITIVE_INFINITY,
    );
    return ones.filter((number) => (problem.calls[number] as number) < soonest).sort((a, b) => a - b);
  }
}

/**
 * Holds aside what never returned, or returned when more than a window of later ones had been called: each has a bit of
 * its own, wherever the first open one is.
 */
function split({ calls, returns }: Ordering): {
  readonly sequence: readonly number[];
  readonly aside: readonly number[];
} {
  const sequence: number[] = [];
  const aside: number[] = [];
  for (let number = 0; number < calls.length; number++) {
    const instant = returns[number] as number;
    const beyond = calls[number + window + 1];
    if (instant === Number.POSITIVE_INFINITY || (beyond !== undefined && beyond < instant)) aside.push(number);
    else sequence.push(number);
  }
  return { sequence, aside };
}

/** Which operations are placed: all before the first open one, and after it those whose bit is set. */
class OpenEnd {
  first = 0;
  low = 0;
  high = 0;

  set(first: number, low: number, high: number): void {
    this.first = first;
    this.low = low;
    this.high = high;
  }

  isPlaced(at: number): boolean {
    const bit = at - this.first - 1;
    if (bit < 0) return bit < -1;
    return ((bit < half ? this.low >>> bit : this.high >>> (bit - half)) & 1) === 1;
  }

  /** Marks an operation as placed; the first open one moves on past those that are. */
  place(at: number): void {
    const bit = at - this.first - 1;
    if (bit >= half) this.high |= 1 << (bit - half);
    else if (bit >= 0) this.low |= 1 << bit;
    else this.#advance();
  }

  #advance(): void {
    let taken: number;
    do {
      taken = this.low & 1;
      this.low = (this.low >>> 1) | ((this.high & 1) << (half - 1));
      this.high >>>= 1;
      this.first++;
    } while (taken === 1);
  }
}

function undecided(visited: number, reason: string): Linearization {
  return { kind: 'undecided', visited, reason };
}
