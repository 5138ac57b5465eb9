/** The part of a run that goes in lockstep with the model: many times as many operations, for what is rare. */
import { type CheckContext, modelOptions } from '../check/check.ts';
import { lockstepProgram, withLooks } from '../generate/lockstep.ts';
import type { Program } from '../history/program.ts';
import { Deadline } from '../run/deadline.ts';
import { takeTurns } from '../run/event-loop.ts';
import { Lockstep, type LockstepRun } from '../run/lockstep.ts';
import { openStore } from '../run/open-store.ts';
import { seededNumbers } from '../run/seeded-numbers.ts';
import { SubjectFault } from '../run/subject-fault.ts';
import type { Subject } from '../subject/subject.ts';
import { runInLanes } from './lanes.ts';

export interface LockstepOptions {
  readonly seed: number;
  /** How long it goes on, in milliseconds, and the most programs. */
  readonly budgetMs: number;
  readonly runs?: number;
  /** The longest that one program may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Every `of`-th program from `index` on. */
  readonly shard: { readonly index: number; readonly of: number };
  readonly signal?: AbortSignal;
}

/** What such a part was. */
export interface LockstepPart {
  readonly programs: number;
  readonly operations: number;
  /** Programs with an answer that is not the model's. */
  readonly differing: number;
  /** Those of them in which no rule failed. */
  readonly unexplained: number;
  /** Writes do not tell times, so that the model could not follow. */
  readonly blind: boolean;
}

/** After so many programs whose answers differ there is nothing new to be had. */
const enough = 5;

/** Programs of this part come after all others of a seed. */
const firstRun = 1_000_000;

/**
 * The model gives one answer, where the contract leaves a choice to external stores, dispatchers, agents and stores in
 * another order: those can't go in lockstep with it.
 */
export function goesInLockstep({ scope, callers, agent }: Subject['capabilities'], { order }: CheckContext): boolean {
  const isOther = scope.some((letter) => letter === 'X' || letter === 'D' || letter === 'W');
  return order === 'storage-time' && !isOther && !callers && agent !== true;
}

/**
 * Performs programs in lockstep with the model until the budget ends, as many at once as the subject has lanes. One
 * whose answers differ is given to `judge`, which asks the rules and says whether one failed: a difference by itself is
 * no finding.
 */
export async function runInLockstep(
  subject: Subject,
  context: CheckContext,
  judge: (program: Program, run: number) => Promise<boolean>,
  options: LockstepOptions,
): Promise<LockstepPart> {
  const model = modelOptions(context.capabilities);
  const deadline = new Deadline(options.timeoutMs);
  const until = performance.now() + options.budgetMs;
  const most = options.runs ?? Number.POSITIVE_INFINITY;
  const part = { programs: 0, operations: 0, differing: 0, unexplained: 0, blind: false };
  let upcoming = options.shard.index;
  // A slow store is not kept from its end by a long program: what was compared until then is compared.
  const isOver = () => performance.now() > until || options.signal?.aborted === true;
  const next = (): number | undefined => {
    if (isOver() || part.programs >= most || part.blind || part.differing >= enough) return undefined;
    const index = upcoming;
    upcoming += options.shard.of;
    return index;
  };
  const run = async (index: number): Promise<void> => {
    await takeTurns();
    const program = lockstepProgram(
      context.capabilities,
      seededNumbers(options.seed ^ Math.imul(index + 1, 0x9e3779b1)),
    );
    const done = await perform(subject, program, model, deadline, isOver);
    part.programs++;
    part.operations += done.operations;
    part.blind ||= done.blind;
    if (done.differs) {
      part.differing++;
      // What was where before and after each write is not always seen: then it is looked at.
      const explained = (await judge(program, firstRun + index)) || (await judge(withLooks(program), firstRun + index));
      if (!explained) part.unexplained++;
    }
  };
  // Of refusals only the codes are looked at, and a stack takes as long as the operation that was refused.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    await runInLanes<number>({ lanes: subject.lanes ?? 1, next, isAlone: () => false, run });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    deadline.stop();
  }
  return part;
}

/** One program on a fresh store. One that does not end in time differs: what hangs is for a run that bounds each operation. */
async function perform(
  subject: Subject,
  program: Program,
  model: ReturnType<typeof modelOptions>,
  deadline: Deadline,
  isOver: () => boolean,
): Promise<LockstepRun> {
  const store = await openStore(subject, deadline);
  let isLeft = false;
  try {
    return await deadline.within(
      `${subject.name}: lockstep`,
      new Lockstep(subject, store, program, model).run(() => isLeft || isOver()),
    );
  } catch (error) {
    if (!(error instanceof SubjectFault) || error.kind !== 'hang') throw error;
    return { operations: 0, differs: true, blind: false };
  } finally {
    isLeft = true;
    await deadline.within(`${subject.name}: close`, Promise.resolve(store.close?.()));
  }
}

/** Says what went in lockstep with the model. Differences that break a rule are told by that rule. */
export function lockstepNote({
  programs,
  operations,
  differing,
  unexplained,
  blind,
}: LockstepPart): string | undefined {
  if (programs === 0 || blind) return undefined;
  const what = `${programs} long program${programs === 1 ? '' : 's'} went in lockstep with the model: ${operations} operations`;
  if (differing === 0) return `${what}, each answered as the model does.`;
  const told = unexplained === 0 ? 'a rule says of each what is wrong' : `no rule forbids it in ${unexplained} of them`;
  return `${what}; ${differing} of the programs met an answer that is not the model's, and ${told}.`;
}
