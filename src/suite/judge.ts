/** One program against one subject: run it, understand it, check it. */
import { type Check, type CheckContext, modelOptions } from '../check/check.ts';
import { costChecks, sequentialChecks } from '../check/index.ts';
import type { Finding } from '../check/verdict.ts';
import { observe, type World } from '../check/world.ts';
import type { History } from '../history/history.ts';
import type { Program } from '../history/program.ts';
import { type RunOptions, runSequentially } from '../run/sequential.ts';
import type { Subject } from '../subject/subject.ts';

/** What one program showed of one rule. */
export interface Judged {
  readonly rule: string;
  readonly witnesses: number;
  readonly findings: readonly Finding[];
  readonly durationMs: number;
}

export interface Judgement {
  readonly history: History;
  readonly world: World;
  readonly judged: readonly Judged[];
}

/** Judges a history by the checks that its kind of program is for. Pure but for the time that it measures. */
export function judgeHistory(history: History, program: Program, context: CheckContext): Judgement {
  const world = observe(history, modelOptions(context.capabilities));
  const checks: readonly Check[] = program.scenario.startsWith('cost') ? costChecks : sequentialChecks;
  const judged = checks.flatMap((check) => {
    const from = performance.now();
    const reports = check.judge(world, context);
    const durationMs = (performance.now() - from) / Math.max(1, reports.length);
    return reports.map((report) => ({ ...report, durationMs }));
  });
  return { history, world, judged };
}

/** Runs and judges a program. Throws a `SubjectFault` where the subject can't go on. */
export async function judgeProgram(
  subject: Subject,
  program: Program,
  context: CheckContext,
  options: RunOptions,
): Promise<Judgement> {
  return judgeHistory(await runSequentially(subject, program, options), program, context);
}
