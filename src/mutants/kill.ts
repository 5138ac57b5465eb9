/** Whether, how fast and by which rules a faulty subject is caught. */
import { profileRules } from '../../spec/profiles.ts';
import { costPrograms } from '../generate/cost.ts';
import { programSource } from '../generate/index.ts';
import type { Program } from '../history/program.ts';
import { SubjectFault } from '../run/subject-fault.ts';
import { contextOf, stepCount } from '../suite/certify.ts';
import { judgeProgram } from '../suite/judge.ts';
import { shrink } from '../suite/shrink.ts';
import type { Mutant } from './mutant.ts';

/** How hard a mutant is tried: the budget of one, whatever its fault. */
export interface KillBudget {
  readonly seed: number;
  /** Programs that are run, also after the first kill: other rules may fire too. */
  readonly runs: number;
  readonly operationTimeoutMs: number;
  /** Executions to shrink the first counterexample; 0 leaves it as it was found. */
  readonly shrinkExecutions: number;
}

/** One row of the kill matrix. */
export interface Kill {
  readonly id: string;
  readonly fault: string;
  readonly breaks: readonly string[];
  /** Rules that fired, each with the program (by position) at which it did first. */
  readonly fired: readonly { readonly rule: string; readonly run: number }[];
  /** `killed` by a rule that the fault breaks; `misattributed` where only others fired. */
  readonly outcome: 'killed' | 'survived' | 'misattributed' | 'equivalent' | 'crashed';
  /** Rules that fired and that the fault does not break: a defect of a check or of the row. */
  readonly stray: readonly string[];
  /** Milliseconds until the first rule fired. */
  readonly firstMs?: number;
  /** Steps of the shrunk program that the first broken rule fired on. */
  readonly steps?: number;
  /** What ended the run early, where something did; a crash is not a kill. */
  readonly crash?: string;
}

/** Tries to kill a mutant. Deterministic for a deterministic subject, but for the times. */
export async function tryToKill(mutant: Mutant, budget: KillBudget): Promise<Kill> {
  const subject = mutant.subject();
  const context = contextOf(subject, {});
  const options = { operationTimeoutMs: budget.operationTimeoutMs };
  const source = programSource(subject.capabilities, budget.seed);
  const judged = new Set(
    profileRules('0.6', subject.capabilities.scope)
      .filter(({ applicable }) => applicable)
      .map(({ rule }) => rule.id),
  );
  const fired = new Map<string, { run: number; program: Program }>();
  const from = performance.now();
  let firstMs: number | undefined;
  let crash: string | undefined;
  const look = async (program: Program, run: number): Promise<void> => {
    const judgement = await judgeProgram(subject, program, context, options);
    for (const { rule, findings } of judgement.judged) {
      if (findings.length === 0 || !judged.has(rule)) continue;
      firstMs ??= performance.now() - from;
      const earlier = fired.get(rule);
      if (earlier === undefined || stepCount(program) < stepCount(earlier.program))
        fired.set(rule, { run: earlier?.run ?? run, program });
    }
  };
  await subject.start?.();
  try {
    for (let run = 0; run < budget.runs; run++) await look(source(run), run);
    if (mutant.breaks.some((rule) => rule.startsWith('COST')))
      for (const [position, program] of costPrograms.entries()) await look(program, -1 - position);
  } catch (error) {
    if (!(error instanceof SubjectFault)) throw error;
    crash = error.message;
  }
  const stray = [...fired.keys()].filter((rule) => !mutant.breaks.includes(rule));
  const proof = mutant.breaks.map((rule) => ({ rule, at: fired.get(rule) })).find(({ at }) => at !== undefined);
  let steps: number | undefined;
  if (proof?.at !== undefined && budget.shrinkExecutions > 0) {
    const { rule, at } = proof;
    const still = async (candidate: Program) => {
      const judgement = await judgeProgram(subject, candidate, context, options);
      return judgement.judged.some((one) => one.rule === rule && one.findings.length > 0);
    };
    steps = stepCount(await shrink(at.program, still, budget.shrinkExecutions));
  }
  await subject.stop?.();
  const outcome =
    mutant.equivalent !== undefined && fired.size === 0
      ? 'equivalent'
      : proof !== undefined
        ? 'killed'
        : fired.size > 0
          ? 'misattributed'
          : crash === undefined
            ? 'survived'
            : 'crashed';
  return {
    id: mutant.id,
    fault: mutant.fault,
    breaks: mutant.breaks,
    fired: [...fired].map(([rule, { run }]) => ({ rule, run })),
    outcome,
    stray,
    ...(firstMs === undefined ? {} : { firstMs }),
    ...(steps === undefined ? {} : { steps }),
    ...(crash === undefined ? {} : { crash }),
  };
}
