/** Whether, how fast and by which rules a faulty subject is caught. */
import { type ProfileName, profileRules } from '../../spec/profiles.ts';
import { concurrentSource } from '../generate/concurrent.ts';
import { costPrograms } from '../generate/cost.ts';
import { databasePrograms } from '../generate/database.ts';
import { type ProgramSource, programSource } from '../generate/index.ts';
import { isConcurrent, type Program } from '../history/program.ts';
import { SubjectFault } from '../run/subject-fault.ts';
import { startSubject, stopSubject } from '../run/subject-life.ts';
import type { Subject } from '../subject/subject.ts';
import { contextOf, defaults } from '../suite/certify.ts';
import { type Found, type ShowOptions, showViolation, stepCount } from '../suite/counterexample.ts';
import { judgeProgram } from '../suite/judge.ts';
import { strategyOf } from '../suite/strategies.ts';
import type { Mutant } from './mutant.ts';

/** How hard a mutant is tried: the budget of one, whatever its fault. */
export interface KillBudget {
  readonly seed: number;
  /** The most programs of one client that are run. */
  readonly runs: number;
  /** The most programs of several clients, for a fault that only shows there. */
  readonly concurrentRuns: number;
  /** Programs that are run in any case, for other rules may fire too; and the most that bring nothing new once it is killed. */
  readonly lookOn: number;
  /** A slow subject is looked on so long, in milliseconds, and for a tenth of `lookOn` whatever that takes. */
  readonly lookOnMs: number;
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

/** The budget of a default run of `certify`, but for what is run on for the sake of stray rules, and less to shrink. */
export const defaultKillBudget: KillBudget = {
  seed: 1,
  runs: defaults.runs,
  concurrentRuns: defaults.concurrentRuns,
  lookOn: 600,
  lookOnMs: 4_000,
  timeBudgetMs: defaults.timeBudgetMs,
  operationTimeoutMs: defaults.operationTimeoutMs,
  shrinkExecutions: defaults.shrinkExecutions,
  shrinkBudgetMs: 8_000,
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
  /** How long it was tried, shrinking included, in milliseconds. */
  readonly triedMs: number;
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
  await startSubject(subject);
  try {
    return await tryStarted(mutant, subject, budget, signal);
  } finally {
    await stopSubject(subject);
  }
}

async function tryStarted(mutant: Mutant, subject: Subject, budget: KillBudget, signal?: AbortSignal): Promise<Kill> {
  const { capabilities } = subject;
  const { operationTimeoutMs, shrinkExecutions, shrinkBudgetMs } = budget;
  const profile = mutant.profile ?? '0.6';
  const context = contextOf(subject, { profile });
  const judgeable = judgedOf(subject, profile);
  const wanted = mutant.breaks.filter((rule) => judgeable.has(rule));
  const fired = new Map<string, Fired & Found>();
  const from = performance.now();
  let programs = 0;
  let news = { programs: 0, at: from };
  const look = async (program: Program, run: number): Promise<void> => {
    const strategy = isConcurrent(program) ? strategyOf(run, program, subject) : undefined;
    const judgement = await judgeProgram(subject, program, context, {
      operationTimeoutMs,
      ...(strategy === undefined ? {} : { strategy }),
    });
    programs++;
    const { history, schedule } = judgement;
    const shown = schedule === undefined ? program : { ...program, schedule };
    for (const { rule, findings } of judgement.judged) {
      const [finding] = findings;
      if (finding === undefined || !judgeable.has(rule)) continue;
      const earlier = fired.get(rule);
      if (earlier === undefined) news = { programs, at: performance.now() };
      if (earlier !== undefined && stepCount(program) >= stepCount(earlier.program)) continue;
      const { run: firstRun, ms } = earlier ?? { run, ms: performance.now() - from };
      fired.set(rule, { rule, run: firstRun, ms, program: shown, finding, history });
    }
  };
  const isOver = () => signal?.aborted === true || performance.now() - from > budget.timeBudgetMs;
  /** Runs programs until the fault is known, or a time without news has passed: what only others show is left to them. */
  const runAll = async (source: ProgramSource, runs: number, others: readonly string[]): Promise<void> => {
    const start = { programs, at: performance.now() };
    const isLong = (since: { readonly programs: number; readonly at: number }): boolean =>
      programs - since.programs >= budget.lookOn ||
      (programs - since.programs >= budget.lookOn / 10 && performance.now() - since.at >= budget.lookOnMs);
    const isEnough = () =>
      isLong(start) &&
      (wanted.every((rule) => fired.has(rule) || others.includes(rule)) ||
        (wanted.some((rule) => fired.has(rule)) && isLong(news.programs > start.programs ? news : start)));
    for (let run = 0; run < runs && !isEnough() && !isOver(); run++) await look(source(run), run);
  };
  const measures = wanted.filter((rule) => rule.startsWith('COST') || rule.startsWith('SCHEMA'));
  const measure = async (): Promise<void> => {
    const isAsked = capabilities.database === true || capabilities.scope.includes('I');
    if (isOver() || !isAsked || !(measures.length > 0 || budget.measureAll)) return;
    if (capabilities.database !== true && !(await hasCounters(subject))) return;
    for (const [position, program] of measuring(capabilities, wanted).entries())
      if (!isOver()) await look(program, -1 - position);
  };
  // What one client can't show is looked for first where it is all that there is to show.
  const isRace = mutant.area === 'race';
  const isMeasured = wanted.length > 0 && measures.length === wanted.length;
  let crash: string | undefined;
  try {
    if (isMeasured) await measure();
    if (isRace) await runAll(concurrentSource(capabilities, budget.seed), budget.concurrentRuns, []);
    await runAll(programSource(capabilities, budget.seed), isRace ? budget.lookOn : budget.runs, measures);
    if (!isMeasured) await measure();
  } catch (error) {
    if (!(error instanceof SubjectFault)) throw error;
    crash = error.message;
  }
  const proof = [...fired.values()].find(({ rule }) => mutant.breaks.includes(rule));
  const shown = { context, operationTimeoutMs, shrinkExecutions, shrinkBudgetMs };
  const steps = proof === undefined ? undefined : await shrunkSteps(subject, proof, shown);
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
    triedMs: Math.round(performance.now() - from),
    ...(proof === undefined ? {} : { kill: firedOf(proof) }),
    ...(steps === undefined ? {} : { steps }),
    ...(crash === undefined ? {} : { crash }),
    ...(equivalent === undefined ? {} : { equivalent }),
  };
}

/** Steps of the smallest program that still shows it; as they were found where the subject breaks down meanwhile. */
async function shrunkSteps(subject: Subject, proof: Fired & Found, options: ShowOptions): Promise<number> {
  try {
    return (await showViolation(subject, proof.rule, proof, options)).steps;
  } catch (error) {
    if (!(error instanceof SubjectFault)) throw error;
    return stepCount(proof.program);
  }
}

/** The rules that a profile asks of the subject's scope. */
function judgedOf(subject: Subject, profile: ProfileName): ReadonlySet<string> {
  const asked = profileRules(profile, subject.capabilities.scope).filter(({ applicable }) => applicable);
  return new Set(asked.map(({ rule }) => rule.id));
}

/** The programs that measure, those for the wanted rules before all others. */
function measuring(capabilities: Subject['capabilities'], wanted: readonly string[]): readonly Program[] {
  if (capabilities.database !== true) return costPrograms;
  const apt = new Set(databasePrograms(capabilities, (rule) => wanted.includes(rule)).map(({ scenario }) => scenario));
  const all = databasePrograms(capabilities, () => true);
  return [...all.filter(({ scenario }) => apt.has(scenario)), ...all.filter(({ scenario }) => !apt.has(scenario))];
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
