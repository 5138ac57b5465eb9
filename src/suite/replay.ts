/** Runs a saved program again and says what it shows. */
import type { ProfileName } from '../../spec/profiles.ts';
import type { Finding } from '../check/verdict.ts';
import type { History } from '../history/history.ts';
import type { Program } from '../history/program.ts';
import type { Subject } from '../subject/subject.ts';
import { contextOf } from './certify.ts';
import { judgeProgram } from './judge.ts';

export interface ReplayOptions {
  /** `0.6` where absent. */
  readonly profile?: ProfileName;
  /** The rule that is asked about; every rule where absent. */
  readonly rule?: string;
  /** The longest that one operation may take, in milliseconds; 5,000 where absent. */
  readonly operationTimeoutMs?: number;
}

/** Gives the findings of one program on a subject, and what happened; no finding means that the rule held. */
export async function replayProgram(
  subject: Subject,
  program: Program,
  options: ReplayOptions = {},
): Promise<{ readonly findings: readonly Finding[]; readonly history: History }> {
  await subject.start?.();
  try {
    const run = { operationTimeoutMs: options.operationTimeoutMs ?? 5_000 };
    const { judged, history } = await judgeProgram(subject, program, contextOf(subject, options), run);
    const wanted = judged.filter(({ rule }) => options.rule === undefined || rule === options.rule);
    return { findings: wanted.flatMap(({ findings }) => findings.slice(0, 1)), history };
  } finally {
    await subject.stop?.();
  }
}
