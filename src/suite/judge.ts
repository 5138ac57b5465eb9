/** One program against one subject: run it, understand it, check it. */
import { type CheckContext, modelOptions } from '../check/check.ts';
import { judgeConcurrent } from '../check/concurrent.ts';
import { checksFor } from '../check/index.ts';
import { judgeInterference } from '../check/interference.ts';
import type { Finding, RuleReport } from '../check/verdict.ts';
import { observe, type World } from '../check/world.ts';
import type { History } from '../history/history.ts';
import { isConcurrent, type Program, withoutHidden } from '../history/program.ts';
import { type ConcurrentOptions, runConcurrently } from '../run/concurrent.ts';
import { runSequentially } from '../run/sequential.ts';
import type { Subject } from '../subject/subject.ts';

/** What one program showed of one rule. */
export interface Judged {
  readonly rule: string;
  readonly witnesses: number;
  readonly findings: readonly Finding[];
  /** Why a search gave up, where one did. */
  readonly undecided?: string;
  readonly durationMs: number;
}

export interface Judgement {
  readonly history: History;
  /** Undefined where clients ran at once: then there is no one state before each operation. */
  readonly world: World | undefined;
  /** Who went on at each point, where the harness decided it. */
  readonly schedule?: readonly number[];
  readonly judged: readonly Judged[];
}

/** Judges a history by the checks that its kind of program is for. Pure but for the time that it measures. */
export function judgeHistory(
  history: History,
  program: Pick<Program, 'scenario' | 'clients' | 'setup'>,
  context: CheckContext,
): Judgement {
  if (isConcurrent(program)) {
    const judged = timed(() => judgeConcurrent(history, context));
    return { history, world: undefined, judged };
  }
  const world = observe(history, modelOptions(context.capabilities));
  const judged = checksFor(program.scenario).flatMap((check) => timed(() => check.judge(world, context)));
  return { history, world, judged };
}

function timed(judge: () => readonly RuleReport[]): Judged[] {
  const from = performance.now();
  const reports = judge();
  const durationMs = (performance.now() - from) / Math.max(1, reports.length);
  return reports.map((report) => ({ ...report, durationMs }));
}

/**
 * Runs and judges a program. Throws a `SubjectFault` where the subject can't go on. Options that only concern clients at
 * once are not looked at for a program of one client.
 */
export async function judgeProgram(
  subject: Subject,
  program: Program,
  context: CheckContext,
  options: ConcurrentOptions,
): Promise<Judgement> {
  if (program.worlds !== undefined) return judgeWorlds(subject, program, context, options);
  if (!isConcurrent(program)) return judgeHistory(await runSequentially(subject, program, options), program, context);
  const { history, schedule } = await runConcurrently(subject, program, options);
  return { ...judgeHistory(history, program, context), ...(schedule === undefined ? {} : { schedule }) };
}

/** Runs a program with the hidden tasks and without them, and judges the first world and their difference (AUTH-8). */
async function judgeWorlds(
  subject: Subject,
  program: Program,
  context: CheckContext,
  options: ConcurrentOptions,
): Promise<Judgement> {
  const judgement = judgeHistory(await runSequentially(subject, program, options), program, context);
  const bare = observe(
    await runSequentially(subject, withoutHidden(program), options),
    modelOptions(context.capabilities),
  );
  const { world } = judgement;
  if (world === undefined) return judgement;
  const compared = timed(() => judgeInterference(world, bare, program, context));
  return { ...judgement, judged: [...judgement.judged, ...compared] };
}
