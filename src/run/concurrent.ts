/** Runs a program with several clients at once over one open store. */
import type { History } from '../history/history.ts';
import type { Program, Step } from '../history/program.ts';
import type { RequestGate, Subject, SubjectStore } from '../subject/subject.ts';
import { Deadline } from './deadline.ts';
import { Executor } from './executor.ts';
import { openStore } from './open-store.ts';
import { fixedStrategy, Scheduler, type Strategy } from './schedule.ts';
import { seededNumbers } from './seeded-numbers.ts';
import type { RunOptions } from './sequential.ts';
import { SubjectFault } from './subject-fault.ts';

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
  /** Who went on at each point; undefined where the subject decided that itself, or asked its server for nothing. */
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
    const { store, scheduler, gate } = await openForRun(subject, strategyOf(program, options), deadline);
    try {
      const executor = new Executor(subject, store, program, deadline);
      const setup = program.setup ?? [];
      for (const [index, step] of setup.entries()) await executor.perform(0, index, step);
      const stop = stopper(options);
      const clients = program.clients.map((steps, client) => () => {
        const pause = scheduler?.pause ?? pacing(program.pace ?? 0, client);
        return performSteps(executor, client, client === 0 ? setup.length : 0, steps, pause, stop);
      });
      const before = gate?.held ?? 0;
      if (scheduler !== undefined) await scheduler.run(clients).catch((error: unknown) => withGate(error, gate));
      else await atOnce(clients);
      const decided = gate === undefined || gate.held > before;
      return {
        history: { entries: executor.entries, ...(program.tamper === true ? { tampered: true } : {}) },
        schedule: decided ? scheduler?.taken : undefined,
      };
    } finally {
      await deadline.within(`${subject.name}: close`, Promise.resolve(store.close?.()));
    }
  } finally {
    deadline.stop();
  }
}

/** The program's own schedule before any strategy; undefined where nobody is asked who goes on. */
function strategyOf(program: Program, options: ConcurrentOptions): Strategy | undefined {
  return program.schedule === undefined ? options.strategy : fixedStrategy(program.schedule);
}

interface OpenedForRun {
  readonly store: SubjectStore;
  readonly scheduler?: Scheduler;
  readonly gate?: RequestGate;
}

/** Opens the store so that the strategy decides what it can: at the store's own waits, or at its requests. */
async function openForRun(subject: Subject, strategy: Strategy | undefined, deadline: Deadline): Promise<OpenedForRun> {
  if (strategy !== undefined && subject.openScheduled !== undefined) {
    const scheduler = new Scheduler(strategy);
    const open = () => subject.openScheduled!(scheduler.pause);
    return { store: await openStore({ ...subject, open }, deadline), scheduler };
  }
  if (strategy !== undefined && subject.openGated !== undefined) {
    let gate: RequestGate | undefined;
    const open = async () => {
      const gated = await subject.openGated!();
      gate = gated.gate;
      return gated.store;
    };
    const store = await openStore({ ...subject, open }, deadline);
    return { store, scheduler: new Scheduler(strategy, gate), ...(gate === undefined ? {} : { gate }) };
  }
  return { store: await openStore(subject, deadline) };
}

/** A store that gives no answer while its requests are held: what they wait for belongs to the message. */
function withGate(error: unknown, gate: RequestGate | undefined): never {
  const waits = gate?.describe() ?? [];
  if (!(error instanceof SubjectFault) || error.kind !== 'hang' || gate === undefined) throw error;
  const why = waits.length > 0 ? waits.join('; ') : 'nothing of it is in the server, and it asks for nothing';
  throw new SubjectFault('hang', `${error.message}, under a controlled schedule: ${why}`, { cause: error });
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
