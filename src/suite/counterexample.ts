/** Shrinks what was found, shows it again, and keeps it. */
import type { CheckContext } from '../check/check.ts';
import type { Finding } from '../check/verdict.ts';
import type { History } from '../history/history.ts';
import { formatEntry, formatOperation, formatResult } from '../history/notation.ts';
import { isConcurrent, type Program } from '../history/program.ts';
import type { ConcurrentOptions } from '../run/concurrent.ts';
import type { Subject } from '../subject/subject.ts';
import type { Counterexample, LaneEvent } from './certificate.ts';
import { judgeProgram } from './judge.ts';
import { shrink } from './shrink.ts';
import { strategyFor } from './strategies.ts';
import { timelineOf } from './timeline.ts';

/** A program that showed a violation, and where in the run it was. */
export interface Found {
  readonly program: Program;
  readonly finding: Finding;
  readonly history: History;
  readonly run: number;
}

/** What a violation is shown with. */
export interface ShowOptions {
  readonly context: CheckContext;
  readonly operationTimeoutMs: number;
  readonly shrinkExecutions: number;
  /** The longest that shrinking may take, in milliseconds. */
  readonly shrinkBudgetMs: number;
}

/** A shrunk violation. */
export type Shown = Pick<
  Counterexample,
  'finding' | 'program' | 'trace' | 'steps' | 'reproduction' | 'lanes' | 'timeline'
> & {
  readonly history: History;
};

/** How often a candidate is run before it counts as one that does not show the violation; and the runs of a rate. */
const attempts = 5;
const rateRuns = 20;

/** Steps of a program, setup and all clients together. */
export function stepCount(program: Program): number {
  return program.clients.reduce((sum, steps) => sum + steps.length, program.setup?.length ?? 0);
}

/**
 * Shrinks a violation and runs what is left again. Where the interleaving is the subject's own, a candidate gets a few
 * tries, and how often the result shows the violation is counted; where it is the harness's, the schedule is part of the
 * program and shrinks with it.
 */
export async function showViolation(
  subject: Subject,
  rule: string,
  found: Found,
  options: ShowOptions,
): Promise<Shown> {
  let best: { finding: Finding; history: History } = found;
  const runOptions: ConcurrentOptions = { operationTimeoutMs: options.operationTimeoutMs };
  const findIn = async (program: Program, more: Partial<ConcurrentOptions> = {}) => {
    const judgement = await judgeProgram(subject, program, options.context, { ...runOptions, ...more });
    const finding = judgement.judged.find((one) => one.rule === rule)?.findings[0];
    return finding === undefined ? undefined : { finding, ...judgement };
  };
  const until = performance.now() + options.shrinkBudgetMs;
  const stillFails = async (candidate: Program): Promise<boolean | Program> => {
    if (performance.now() > until) return false;
    const tries = isConcurrent(candidate) ? attempts : 1;
    for (let attempt = 0; attempt < tries; attempt++) {
      const { schedule: _, ...free } = candidate;
      // What an uncontrolled run found may be found again where requests pass a gate: then it can be replayed.
      const again = attempt === 0 || (candidate.schedule === undefined && subject.openGated === undefined);
      const shown = await findIn(
        again ? candidate : free,
        again ? {} : { strategy: strategyFor(found.run + attempt, candidate) },
      );
      if (shown === undefined) continue;
      best = shown;
      return again || shown.schedule === undefined ? true : { ...free, schedule: shown.schedule };
    }
    return false;
  };
  const program = await shrink(found.program, stillFails, options.shrinkExecutions);
  if (!isConcurrent(program)) best = (await findIn(program)) ?? best;
  const reproduction = isConcurrent(program) ? await rateOf() : undefined;
  return {
    finding: best.finding,
    history: best.history,
    program,
    trace: best.history.entries.map(formatEntry),
    steps: stepCount(program),
    timeline: timelineOf(best.history, best.finding),
    ...(reproduction === undefined ? {} : { reproduction, lanes: lanesOf(best.history) }),
  };

  async function rateOf(): Promise<{ shown: number; of: number }> {
    let shown = 0;
    for (let run = 0; run < rateRuns; run++) {
      const again = await findIn(program);
      if (again === undefined) continue;
      shown++;
      best = shown === 1 ? again : best;
    }
    return { shown, of: rateRuns };
  }
}

/** What each client did when, as text, for a picture. */
function lanesOf(history: History): LaneEvent[] {
  return history.entries.map((entry) => ({
    client: entry.client,
    call: entry.call,
    return: entry.return,
    operation: formatOperation(entry.operation),
    result: formatResult(entry.result),
  }));
}
