/** The certificate: what a run decided, as plain JSON. Its shape is versioned; `diff` and `merge` read older runs. */
import type { ProfileName } from '../../spec/profiles.ts';
import type { Finding } from '../check/verdict.ts';
import type { Program } from '../history/program.ts';

export type { ProfileName };

/**
 * What was decided of one rule.
 * - `pass`: it could have failed at least `floor` times and never did.
 * - `fail`: violated; `counterexample` proves it. `known` violated, and listed as a known failure; `stale`: listed, yet passes.
 * - `vacuous`: could have failed fewer than `floor` times. `unknown`: a check gave up within its budget.
 * - `unproved`: under `--prove`, a fault that breaks it went unnoticed.
 * - `not-applicable`: the subject or the profile rules it out. `not-run`: its kind of run was not asked for.
 */
export type RuleStatus =
  | 'pass'
  | 'fail'
  | 'known'
  | 'stale'
  | 'vacuous'
  | 'unknown'
  | 'unproved'
  | 'not-applicable'
  | 'not-run';

export interface Counterexample {
  readonly finding: Finding;
  /** The shrunk program. */
  readonly program: Program;
  /** What the shrunk program did, one line an operation, in the notation of `history/notation.ts`. */
  readonly trace: readonly string[];
  /** Steps of the shrunk program, all clients together. */
  readonly steps: number;
  /** The seed and the position in the run at which it was found. */
  readonly seed: number;
  readonly run: number;
  /** A command that shows it again. */
  readonly replay: string;
  /** Of a program whose clients run at once: in how many runs of the shrunk program it showed. */
  readonly reproduction?: { readonly shown: number; readonly of: number };
  /** Of such a program: what each client did when, in the run that `finding` is from. */
  readonly lanes?: readonly LaneEvent[];
  /** A command that judges that very history again, without the subject. */
  readonly history?: string;
  /** Of a subject that stands on others: what the shrunk program breaks at each boundary beneath it, lowest first. */
  readonly layers?: readonly LayerVerdict[];
  /** What the shrunk program did, for a picture: all of it, or of a long history its ends and what `finding` names. */
  readonly timeline?: readonly TimelineEvent[];
}

/** What a program that fails above shows at one layer of the stack. */
export interface LayerVerdict {
  /** `store`, `dispatcher`, or a transport. */
  readonly layer: string;
  /** Layers of one level stand side by side. */
  readonly level: 'store' | 'dispatcher' | 'transport';
  /** The must-rules that it breaks there; none where the layer alone holds. */
  readonly breaks: readonly string[];
  /** Steps of the program that the layer has no means for, such as a denial at a store. */
  readonly leftOut: number;
}

/** One operation, told in its parts. */
export interface TimelineEvent {
  /** Its index in the history, `#3` in `trace`. */
  readonly entry: number;
  readonly client: number;
  /** Instants on one scale: two events never share one. */
  readonly call: number;
  readonly return: number;
  /** The kind of operation, such as `create` or `list`. */
  readonly op: string;
  /** The id of the task that it is about, where it is about one. */
  readonly task?: string;
  /** On whose behalf, where callers are told apart. */
  readonly caller?: string;
  /** What was written, where it is more than a plain task, and the time that it got. */
  readonly detail?: string;
  /** The code of the error that it ended with, or `unknown` where its outcome is. */
  readonly error?: string;
  readonly page?: TimelinePage;
}

/** A page as it was shown. */
export interface TimelinePage {
  /** The ids of its tasks, in order; at most the first hundred. */
  readonly items: readonly string[];
  /** The entry of the page whose last task is the boundary that this one starts from; absent for a first page. */
  readonly after?: number;
  readonly walk?: string;
  /** Its number in the walk, from 0. */
  readonly number?: number;
  /** The page size that was asked for, where it is a number. */
  readonly size?: number;
  /** The filter, in the notation of `history/notation.ts`. */
  readonly where?: string;
  /** It carries no token. */
  readonly ends: boolean;
  readonly total?: number;
}

/** One operation of one client in an interleaving. */
export interface LaneEvent {
  readonly client: number;
  readonly call: number;
  readonly return: number;
  /** In the notation of `history/notation.ts`. */
  readonly operation: string;
  readonly result: string;
}

export interface RuleResult {
  readonly rule: string;
  readonly level: 'M' | 'S';
  readonly status: RuleStatus;
  /** How often the rule could have failed. */
  readonly witnesses: number;
  readonly floor: number;
  /** Why it is not applicable, not run, vacuous, unknown, known or stale. */
  readonly reason?: string;
  readonly counterexample?: Counterexample;
  /** Milliseconds spent in checks that judge this rule. */
  readonly durationMs: number;
}

export interface Coverage {
  /** An adversary that the run met, such as `tie-across-boundary`. */
  readonly name: string;
  readonly count: number;
  readonly floor: number;
}

/** Whether this very run would have noticed a fault that was put around the subject's own store. */
export interface Proof {
  /** Which fault: the id of the wrapper, such as `row-dropped`. */
  readonly wrapper: string;
  readonly fault: string;
  /** The rule that the fault breaks, and by which it has to be noticed. */
  readonly rule: string;
  readonly outcome: 'killed' | 'survived';
  /** The position in the run of the program that noticed it. */
  readonly run?: number;
  /** Why it survived. */
  readonly reason?: string;
}

export interface Certificate {
  readonly format: 'pagecheck-certificate';
  readonly version: 1;
  readonly pagecheck: string;
  readonly subject: string;
  readonly profile: ProfileName;
  readonly seed: number;
  /** Which part of the seed's programs was run: part `index`, from 0, of `of`. Absent: all of them. */
  readonly shard?: { readonly index: number; readonly of: number };
  readonly startedAt: string;
  readonly durationMs: number;
  readonly environment: { readonly node: string; readonly platform: string };
  readonly programs: number;
  readonly operations: number;
  readonly pages: number;
  readonly rules: readonly RuleResult[];
  readonly coverage: readonly Coverage[];
  /** Only where proof was asked for: every fault that the subject can be given and that a rule which held forbids. */
  readonly proof?: readonly Proof[];
  /** Anything the reader should know: a time budget that ran out, an environment's limit. */
  readonly notes: readonly string[];
}
