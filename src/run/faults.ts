/** Lets several clients work on one store while faults happen, heals it, and reads what is there. */
import { faultEnd, faultSetup, faultStep, faultTasks } from '../generate/faults.ts';
import type { History } from '../history/history.ts';
import { formatResult } from '../history/notation.ts';
import type { Step } from '../history/program.ts';
import type { Faults, Subject, SubjectStore } from '../subject/subject.ts';
import { Deadline } from './deadline.ts';
import { Executor } from './executor.ts';
import { openStore } from './open-store.ts';
import { seededNumbers } from './seeded-numbers.ts';
import { SubjectFault } from './subject-fault.ts';

/** One round: a fresh store, so many clients, so many faults after each other. */
export interface FaultRoundOptions {
  readonly clients: number;
  /** The kinds of faults, in the order in which they happen. */
  readonly kinds: readonly string[];
  readonly seed: number;
  /** The longest that one call may take; a store may try again for as long as a server takes to restart. */
  readonly operationTimeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface FaultRound {
  readonly history: History;
  /** The kinds that did happen. */
  readonly injected: readonly string[];
  /** What kept the store from working again after the faults; undefined where it does. */
  readonly broken: string | undefined;
}

/** Milliseconds of undisturbed work before each fault: enough for some hundred calls. */
const BETWEEN_MS = { least: 150, spread: 350 } as const;
/** A store may need this long after the last fault: a pool notices dead connections, a server recovers. */
const RECOVERY_MS = 10_000;
const OPEN_TRIES = 20;

/** The kinds of faults that a subject's stores can meet; none where it has no such place. */
export async function faultKinds(subject: Subject): Promise<readonly string[]> {
  const store = await subject.open();
  try {
    return store.faults?.kinds ?? [];
  } finally {
    await store.close?.();
  }
}

/** Performs a round. Throws a `SubjectFault` where the store can't be opened or a call is never answered. */
export async function runFaultRound(subject: Subject, options: FaultRoundOptions): Promise<FaultRound> {
  const deadline = new Deadline(options.operationTimeoutMs);
  try {
    const store = await openAfterFaults(subject, deadline);
    const { faults } = store;
    if (faults === undefined) throw new SubjectFault('interface', `${subject.name}: the store has no place for faults`);
    try {
      const tasks = Object.fromEntries(faultTasks.map((id) => [id, id]));
      const program = { version: 1, scenario: 'faults', tasks, clients: [] } as const;
      const executor = new Executor(subject, store, program, deadline);
      const perform = performer(executor);
      for (const step of faultSetup) await perform(0, step);

      let stopped = false;
      const injected: string[] = [];
      const injecting = inject(faults, options, injected).finally(() => {
        stopped = true;
      });
      const clients = Array.from({ length: options.clients }, async (_, client) => {
        const below = seededNumbers(Math.imul(options.seed + 1, 0x9e3779b1) ^ Math.imul(client + 1, 0x85ebca6b));
        for (let place = 0; !stopped; place++) await perform(client, faultStep(client, place, below));
      });
      await Promise.allSettled([injecting, ...clients]);
      await Promise.all([injecting, ...clients]);

      const broken = await worksAgain(executor, perform);
      for (const step of faultEnd) await perform(0, step);
      return { history: { entries: executor.entries }, injected, broken };
    } finally {
      await deadline.within(`${subject.name}: close`, Promise.resolve(store.close?.()));
    }
  } finally {
    deadline.stop();
  }
}

type Perform = (client: number, step: Step) => Promise<void>;

/** Numbers the steps of each client. */
function performer(executor: Executor): Perform {
  const places = new Map<number, number>();
  return (client, step) => {
    const place = places.get(client) ?? 0;
    places.set(client, place + 1);
    return executor.perform(client, place, step);
  };
}

async function inject(faults: Faults, { kinds, seed, signal }: FaultRoundOptions, injected: string[]): Promise<void> {
  const below = seededNumbers(seed);
  for (const kind of kinds) {
    await pause(BETWEEN_MS.least + below(BETWEEN_MS.spread));
    if (signal?.aborted === true) return;
    if (await faults.inject(kind)) injected.push(kind);
  }
  await pause(BETWEEN_MS.least);
}

/** Reads and writes, as part of the history, until both succeed or the time is up. */
async function worksAgain({ entries }: Executor, perform: Perform): Promise<string | undefined> {
  const until = performance.now() + RECOVERY_MS;
  for (let attempt = 0; ; attempt++) {
    await perform(0, { op: 'get', task: 'again' });
    const read = entries.at(-1)?.result;
    await perform(0, { op: 'create', task: `again-${attempt}` });
    const written = entries.at(-1)?.result;
    if (read?.kind === 'read' && written?.kind === 'written') return undefined;
    if (performance.now() > until) return [read, written].map((result) => result && formatResult(result)).join(', ');
    await pause(50);
  }
}

/** A store that is opened right after a restart may meet connections that are dead already. */
async function openAfterFaults(subject: Subject, deadline: Deadline): Promise<SubjectStore> {
  for (let tries = 1; ; tries++) {
    try {
      return await openStore(subject, deadline);
    } catch (error) {
      if (tries === OPEN_TRIES) throw error;
      await pause(100);
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
