/** Runs a saved program again and says what it shows. */
import type { ProfileName } from '../../spec/profiles.ts';
import type { Finding } from '../check/verdict.ts';
import type { History } from '../history/history.ts';
import type { Program } from '../history/program.ts';
import { startSubject, stopSubject } from '../run/subject-life.ts';
import { gateDatabases } from '../subject/postgres-gates.ts';
import type { Subject } from '../subject/subject.ts';
import type { LayerVerdict } from './certificate.ts';
import { contextOf } from './certify.ts';
import { judgeProgram } from './judge.ts';
import { judgeLayers } from './layers.ts';

export interface ReplayOptions {
  /** `0.6` where absent. */
  readonly profile?: ProfileName;
  /** The rule that is asked about; every rule where absent. */
  readonly rule?: string;
  /** The longest that one operation may take, in milliseconds; 5,000 where absent. */
  readonly operationTimeoutMs?: number;
  /** How often it is run; once where absent. */
  readonly times?: number;
}

/** What replaying showed; `layers` as in a counterexample, where something was found on a subject that stands on others. `history` is that of the first run that showed a finding, else of the last. */
export interface Replayed {
  readonly findings: readonly Finding[];
  readonly history: History;
  /** In how many runs, of how many, something was found. */
  readonly shown: number;
  readonly of: number;
  readonly layers?: readonly LayerVerdict[];
}

/** Gives the findings of one program on a subject, and what happened; no finding means that the rule held. */
export async function replayProgram(given: Subject, program: Program, options: ReplayOptions = {}): Promise<Replayed> {
  const run = { operationTimeoutMs: options.operationTimeoutMs ?? 5_000 };
  const of = options.times ?? 1;
  let shown = 0;
  let kept: Pick<Replayed, 'findings' | 'history'> = { findings: [], history: { entries: [] } };
  // A schedule of requests: the way that they take is that of the run which found it.
  const gates = program.schedule === undefined ? undefined : gateDatabases();
  await startSubject(given);
  const subject = gates?.over(given) ?? given;
  try {
    for (let time = 0; time < of; time++) {
      const { judged, history } = await judgeProgram(subject, program, contextOf(subject, options), run);
      const wanted = judged.filter(({ rule }) => options.rule === undefined || rule === options.rule);
      const findings = wanted.flatMap((one) => one.findings.slice(0, 1));
      if (findings.length > 0) shown++;
      if (shown === 0 || (shown === 1 && findings.length > 0)) kept = { findings, history };
    }
    const { profile = '0.6' } = options;
    const layers = shown === 0 ? undefined : await judgeLayers(subject, program, { profile, ...run });
    return { ...kept, shown, of, ...(layers === undefined ? {} : { layers }) };
  } finally {
    await stopSubject(given);
    await gates?.close();
  }
}
