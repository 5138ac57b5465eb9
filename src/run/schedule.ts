/** Controlled schedules: which client goes on at each point where the store under test waits. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestGate, Turns } from '../subject/subject.ts';
import { seededNumbers } from './seeded-numbers.ts';

/** Chooses who goes on. `waiting` is never empty and ascends; `last` went on before, undefined at the beginning. */
export interface Strategy {
  choose(waiting: readonly number[], last: number | undefined): number;
}

/** Anybody who waits, each alike. */
export function randomStrategy(seed: number): Strategy {
  const below = seededNumbers(seed);
  return { choose: (waiting) => waiting[below(waiting.length)] as number };
}

/**
 * Probabilistic concurrency testing (Burckhardt and others, ASPLOS 2010): clients have random priorities, the highest
 * goes on, and at `depth - 1` random points the one that would have gone on falls to the lowest. A fault that needs
 * `depth` ordered events is found with a chance of at least 1 / (clients · points^(depth - 1)) a run.
 */
export function pctStrategy(seed: number, clients: number, points: number, depth: number): Strategy {
  const below = seededNumbers(seed);
  const priorities = new Map<number, number>();
  for (let client = 0; client < clients; client++) priorities.set(client, depth + below(1_000_000) + client / clients);
  const changes = new Map(Array.from({ length: depth - 1 }, (_, rank) => [below(Math.max(1, points)), rank]));
  let point = 0;
  const highest = (waiting: readonly number[]) =>
    waiting.reduce((best, one) => ((priorities.get(one) ?? 0) > (priorities.get(best) ?? 0) ? one : best));
  return {
    choose(waiting) {
      const change = changes.get(point++);
      if (change !== undefined) priorities.set(highest(waiting), change);
      return highest(waiting);
    },
  };
}

/** The schedule of a program, again; where it names nobody who waits, the client that went on last goes on. */
export function fixedStrategy(schedule: readonly number[]): Strategy {
  let point = 0;
  return {
    choose(waiting, last) {
      const named = schedule[point++];
      if (named !== undefined && waiting.includes(named)) return named;
      return last !== undefined && waiting.includes(last) ? last : (waiting[0] as number);
    },
  };
}

/**
 * On whose behalf code runs, by scheduler. One for all schedulers: Node asks every instance that was ever used at every
 * promise.
 */
const performing = new AsyncLocalStorage<{ readonly scheduler: Scheduler; readonly client: number }>();

/**
 * Lets one client go on at a time. A client that waits for another one, at a lock, say, waits at no pause: it is passed
 * over until it does. Without a gate nothing but `pause` may be awaited in between: timers and I/O are not scheduled.
 */
export class Scheduler implements Turns {
  /** Who went on, point by point: the schedule that shows this run again. */
  readonly taken: number[] = [];
  readonly #strategy: Strategy;
  readonly #gate: RequestGate | undefined;
  readonly #waiting = new Map<number, (() => void)[]>();
  readonly #ended = new Set<number>();

  constructor(strategy: Strategy, gate?: RequestGate) {
    this.#strategy = strategy;
    this.#gate = gate;
  }

  get current(): number | undefined {
    return this.taken.at(-1);
  }

  hold(client: number): Promise<void> {
    return new Promise((resolve) => {
      const queue = this.#waiting.get(client);
      if (queue === undefined) this.#waiting.set(client, [resolve]);
      else queue.push(resolve);
    });
  }

  /** Waits for its turn, on behalf of the client whose call led here; outside of `run` it waits for nothing. */
  readonly pause = (): Promise<void> => {
    const at = performing.getStore();
    return at?.scheduler === this ? this.hold(at.client) : Promise.resolve();
  };

  /** Runs the clients to their ends; rejects as the first of them that rejects, when all have ended. */
  async run(clients: readonly (() => Promise<void>)[]): Promise<void> {
    const ends = clients.map((perform, client) =>
      performing.run({ scheduler: this, client }, async () => {
        try {
          await this.pause();
          await perform();
        } finally {
          this.#ended.add(client);
        }
      }),
    );
    const settled = Promise.allSettled(ends);
    this.#gate?.control(this);
    for (let idle = 0; this.#ended.size < clients.length; ) {
      await everythingHasRun(idle);
      await this.#gate?.settled(() => this.#isAtRest());
      idle = this.#step() ? 0 : idle + 1;
    }
    this.#gate?.control(undefined);
    this.#dismiss();
    await settled;
    await Promise.all(ends);
  }

  #isAtRest(): boolean {
    const { current } = this;
    return current === undefined || this.#waiting.has(current) || this.#ended.has(current);
  }

  /** Lets one waiting client go on; false where none waits: then all wait for each other, or for the outside. */
  #step(): boolean {
    if (this.#waiting.size === 0) return false;
    const chosen = this.#strategy.choose(
      [...this.#waiting.keys()].sort((a, b) => a - b),
      this.current,
    );
    const queue = this.#waiting.get(chosen) ?? [];
    const resolve = queue.shift();
    if (queue.length === 0) this.#waiting.delete(chosen);
    this.taken.push(chosen);
    resolve?.();
    return true;
  }

  /** Requests that a store makes for itself may still wait when all clients have ended. */
  #dismiss(): void {
    for (const queue of this.#waiting.values()) for (const resolve of queue) resolve();
    this.#waiting.clear();
  }
}

/** A turn of the event loop comes after every microtask: whoever can run without the outside has then run. */
function everythingHasRun(idle: number): Promise<void> {
  return new Promise((resolve) => {
    if (idle < 100) setImmediate(resolve);
    else setTimeout(resolve, 1);
  });
}
