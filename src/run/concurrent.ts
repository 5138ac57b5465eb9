/** Runs a program with several clients at once over one open store. */
import type { History } from '../history/history.ts';
import type { Program, Step } from '../history/program.ts';
import type { Subject } from '../subject/subject.ts';
import { Deadline } from './deadline.ts';
import { Executor } from './executor.ts';
import { openStore } from './open-store.ts';
import { fixedStrategy, Scheduler, type Strategy } from './schedule.ts';
import { seededNumbers } from './seeded-numbers.ts';
import type { RunOptions } from './sequential.ts';

export interface ConcurrentOptions extends RunOptions {
  /** Clients begin no step after so many milliseconds; what is under way is waited for. No end of its own where absent. */
  readonly timeBoxMs?: number;
  /** Ends the run early: as the time box does. */
  readonly signal?: AbortSignal;
  /** Decides the interleaving where the subject can be scheduled and the program has no schedule of its own. */
  readonly strategy?: Strategy;
}

export interface ConcurrentRun {
  /** Call and return instants come from one counter, so that their order is the order in which things happened here. */
  readonly history: History;
  /** Who went on at each point; undefined where the subject decided that itself. */
  readonly schedule: readonly number[] | undefined;
}

/**
 * Opens a fresh store, performs the setup, then the clients at once, and closes the store when all have ended. Throws a
 * `SubjectFault` where the subject can't be opened, breaks its interface, or does not answer in time (a store whose
 * clients wait for each other does not); the other clients are stopped and waited for first.
 */
export async function runConcurrently(
  subject: Subject,
  program: Program,
  options: ConcurrentOptions,
): Promise<ConcurrentRun> {
  const deadline = new Deadline(options.operationTimeoutMs);
  try {
    const scheduler = schedulerFor(subject, program, options);
    const { openScheduled } = subject;
    const opened =
      scheduler === undefined || openScheduled === undefined
        ? subject
        : { ...subject, open: () => openScheduled.call(subject, scheduler.pause) };
    const store = await openStore(opened, deadline);
    try {
      const executor = new Executor(subject, store, program, deadline);
      const setup = program.setup ?? [];
      for (const [index, step] of setup.entries()) await executor.perform(0, index, step);
      const stop = stopper(options);
      const clients = program.clients.map((steps, client) => () => {
        const pause = scheduler?.pause ?? pacing(program.pace ?? 0, client);
        return performSteps(executor, client, client === 0 ? setup.length : 0, steps, pause, stop);
      });
      if (scheduler !== undefined) await scheduler.run(clients);
      else await atOnce(clients);
      return {
        history: { entries: executor.entries, ...(program.tamper === true ? { tampered: true } : {}) },
        schedule: scheduler?.taken,
      };
    } finally {
      await deadline.within(`${subject.name}: close`, Promise.resolve(store.close?.()));
    }
  } finally {
    deadline.stop();
  }
}

function schedulerFor(subject: Subject, program: Program, options: ConcurrentOptions): Scheduler | undefined {
  if (subject.openScheduled === undefined) return undefined;
  const strategy = program.schedule === undefined ? options.strategy : fixedStrategy(program.schedule);
  return strategy === undefined ? undefined : new Scheduler(strategy);
}

/** Says when no client may begin another step. */
interface Stop {
  requested(): boolean;
  request(): void;
}

function stopper({ timeBoxMs, signal }: ConcurrentOptions): Stop {
  const until = timeBoxMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeBoxMs;
  let stopped = false;
  return {
    requested: () => stopped || signal?.aborted === true || performance.now() > until,
    request: () => {
      stopped = true;
    },
  };
}

async function performSteps(
  executor: Executor,
  client: number,
  offset: number,
  steps: readonly Step[],
  pause: () => Promise<void>,
  stop: Stop,
): Promise<void> {
  try {
    for (const [index, step] of steps.entries()) {
      await pause();
      if (stop.requested()) return;
      await executor.perform(client, offset + index, step);
    }
  } catch (error) {
    stop.request();
    throw error;
  }
}

/** Rejects as the first client that rejects, when all have ended: the store is not closed under a running call. */
async function atOnce(clients: readonly (() => Promise<void>)[]): Promise<void> {
  const ends = clients.map((perform) => perform());
  await Promise.allSettled(ends);
  await Promise.all(ends);
}

/**
 * Pauses of no, few, or many turns, so that clients of a store that answers at once meet in many ways. Turns are
 * microtasks mostly: with a store that waits for nothing outside, the same pace gives the same interleaving.
 */
function pacing(seed: number, client: number): () => Promise<void> {
  const below = seededNumbers(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(client + 1, 0x85ebca6b));
  return async () => {
    const turns = [0, 0, 1, 2, 3, 5, 8, 13][below(8)] as number;
    for (let turn = 0; turn < turns; turn++) await undefined;
    if (below(8) === 0) await new Promise((resolve) => setImmediate(resolve));
  };
}
