/** Whether, how fast and by which rules a faulty subject is caught. */
import { profileRules } from '../../spec/profiles.ts';
import { costPrograms } from '../generate/cost.ts';
import { databasePrograms } from '../generate/database.ts';
import { programSource } from '../generate/index.ts';
import type { Program } from '../history/program.ts';
import { SubjectFault } from '../run/subject-fault.ts';
import type { Subject } from '../subject/subject.ts';
import { contextOf } from '../suite/certify.ts';
import { stepCount } from '../suite/counterexample.ts';
import { judgeProgram } from '../suite/judge.ts';
import { shrink } from '../suite/shrink.ts';
import type { Mutant } from './mutant.ts';

/** How hard a mutant is tried: the budget of one, whatever its fault. */
export interface KillBudget {
  readonly seed: number;
  /** The most programs that are run. */
  readonly runs: number;
  /** Programs that are run in any case, for other rules may fire too; and the most that bring nothing new once it is killed. */
  readonly lookOn: number;
  /** The longest that running programs may take, in milliseconds. */
  readonly timeBudgetMs: number;
  readonly operationTimeoutMs: number;
  /** Executions to shrink the first counterexample; 0 leaves it as it was found. */
  readonly shrinkExecutions: number;
  /** The longest that shrinking may take, in milliseconds. */
  readonly shrinkBudgetMs: number;
  /** Run the programs that measure cost, where no rule in `breaks` needs them: the dearest by far. */
  readonly measureAll: boolean;
}

/** The budget of a default run. */
export const defaultKillBudget: KillBudget = {
  seed: 1,
  runs: 4_000,
  lookOn: 600,
  timeBudgetMs: 30_000,
  operationTimeoutMs: 5_000,
  shrinkExecutions: 800,
  shrinkBudgetMs: 20_000,
  measureAll: true,
};

/** A rule that fired: the position of the program at which it did first (negative: one that measures), and when. */
export interface Fired {
  readonly rule: string;
  readonly run: number;
  readonly ms: number;
}

/** One row of the kill matrix. */
export interface Kill {
  readonly id: string;
  readonly area: Mutant['area'];
  readonly fault: string;
  readonly breaks: readonly string[];
  /** In the order in which they fired. */
  readonly fired: readonly Fired[];
  /** `killed` by a rule that the fault breaks; `misattributed` where only others fired. */
  readonly outcome: 'killed' | 'survived' | 'misattributed' | 'equivalent' | 'crashed';
  /** Rules that fired and that the fault does not break: a defect of a check or of the row. */
  readonly stray: readonly string[];
  /** Programs that were run. */
  readonly programs: number;
  /** The first rule of `breaks` that fired, when, and at which program. */
  readonly kill?: Fired;
  /** Steps of the shrunk program that it fired on. */
  readonly steps?: number;
  /** What ended the run early, where something did; a crash is not a kill. */
  readonly crash?: string;
  /** Why nobody can tell the mutant from a right store. */
  readonly equivalent?: string;
}

/** Tries to kill a mutant. Deterministic for a deterministic subject, but for the times and what they end. */
export async function tryToKill(mutant: Mutant, budget: KillBudget, signal?: AbortSignal): Promise<Kill> {
  const subject = mutant.subject();
  await subject.start?.();
  try {
    return await tryStarted(mutant, subject, budget, signal);
  } finally {
    await subject.stop?.();
  }
}

async function tryStarted(mutant: Mutant, subject: Subject, budget: KillBudget, signal?: AbortSignal): Promise<Kill> {
  const context = contextOf(subject, {});
  const options = { operationTimeoutMs: budget.operationTimeoutMs };
  const judgeable = judgedOf(subject);
  const fired = new Map<string, Fired & { readonly program: Program }>();
  const from = performance.now();
  let programs = 0;
  let news = 0;
  const look = async (program: Program, run: number): Promise<void> => {
    const judgement = await judgeProgram(subject, program, context, options);
    programs++;
    for (const { rule, findings } of judgement.judged) {
      if (findings.length === 0 || !judgeable.has(rule)) continue;
      const earlier = fired.get(rule);
      if (earlier === undefined) news = programs;
      if (earlier === undefined || stepCount(program) < stepCount(earlier.program))
        fired.set(rule, { rule, run: earlier?.run ?? run, ms: earlier?.ms ?? performance.now() - from, program });
    }
  };
  const measure = async (): Promise<void> => {
    const { capabilities } = subject;
    const fixed = capabilities.database === true ? databasePrograms(capabilities, () => true) : costPrograms;
    for (const [position, program] of fixed.entries()) await look(program, -1 - position);
  };
  const wanted = mutant.breaks.filter((rule) => judgeable.has(rule));
  const isKilled = () => wanted.some((rule) => fired.has(rule));
  const measures = wanted.filter((rule) => rule.startsWith('COST') || rule.startsWith('SCHEMA'));
  const onlyMeasured = wanted.length > 0 && measures.length === wanted.length;
  const isEnough = () =>
    programs >= budget.lookOn &&
    (wanted.every((rule) => fired.has(rule) || measures.includes(rule)) ||
      (isKilled() && programs - news >= budget.lookOn));
  let crash: string | undefined;
  try {
    if (onlyMeasured) await measure();
    const source = programSource(subject.capabilities, budget.seed);
    for (let run = 0; run < budget.runs && !isEnough(); run++) {
      if (signal?.aborted === true || performance.now() - from > budget.timeBudgetMs) break;
      await look(source(run), run);
    }
    const wantsMore = !onlyMeasured && (budget.measureAll || measures.length > 0) && signal?.aborted !== true;
    if (wantsMore && (await hasCounters(subject))) await measure();
  } catch (error) {
    if (!(error instanceof SubjectFault)) throw error;
    crash = error.message;
  }
  const proof = [...fired.values()].find(({ rule }) => mutant.breaks.includes(rule));
  const steps = proof === undefined ? undefined : await shrunkSteps(proof.program, proof.rule);
  const { id, area, fault, breaks, equivalent } = mutant;
  return {
    id,
    area,
    fault,
    breaks,
    fired: [...fired.values()].map(firedOf),
    outcome: outcomeOf(mutant, fired.size > 0, proof !== undefined, crash),
    stray: [...fired.keys()].filter((rule) => !breaks.includes(rule)),
    programs,
    ...(proof === undefined ? {} : { kill: firedOf(proof) }),
    ...(steps === undefined ? {} : { steps }),
    ...(crash === undefined ? {} : { crash }),
    ...(equivalent === undefined ? {} : { equivalent }),
  };

  /** Steps of the smallest program that still shows it; as they were found where the subject breaks down meanwhile. */
  async function shrunkSteps(program: Program, rule: string): Promise<number> {
    const until = performance.now() + budget.shrinkBudgetMs;
    const still = async (candidate: Program): Promise<boolean> => {
      if (performance.now() > until) return false;
      const judgement = await judgeProgram(subject, candidate, context, options);
      return judgement.judged.some((one) => one.rule === rule && one.findings.length > 0);
    };
    try {
      return stepCount(await shrink(program, still, budget.shrinkExecutions));
    } catch (error) {
      if (!(error instanceof SubjectFault)) throw error;
      return stepCount(program);
    }
  }
}

/** The rules that profile 0.6 asks of the subject's scope. */
function judgedOf(subject: Subject): ReadonlySet<string> {
  const asked = profileRules('0.6', subject.capabilities.scope).filter(({ applicable }) => applicable);
  return new Set(asked.map(({ rule }) => rule.id));
}

async function hasCounters(subject: Subject): Promise<boolean> {
  const store = await subject.open();
  await store.close?.();
  return store.counters !== undefined;
}

function firedOf({ rule, run, ms }: Fired): Fired {
  return { rule, run, ms: Math.round(ms * 10) / 10 };
}

function outcomeOf(
  { equivalent }: Mutant,
  anyFired: boolean,
  isKilled: boolean,
  crash: string | undefined,
): Kill['outcome'] {
  if (isKilled) return 'killed';
  if (anyFired) return 'misattributed';
  if (crash !== undefined) return 'crashed';
  return equivalent === undefined ? 'survived' : 'equivalent';
}
