/**
 * The cost certificate: what operations cost against the number of tasks, as plain JSON. Its shape is versioned;
 * `cost --against` reads older ones. One certificate a subject; a file holds one, or an array of several.
 */

/**
 * The least class whose bound a counter keeps over all sizes, each with a stated margin. `worse`: it keeps none.
 * Of a clock only two are told: `log n` stands for log n or less, `linear` for linear or worse.
 */
export type Growth = 'constant' | 'log n' | 'linear' | 'n log n' | 'worse';

/** In what order the tasks came to stand, and what happened to them meanwhile. */
export type CostShape = 'in order' | 'one time' | 'one task updated' | 'scattered' | 'interleaved';

/** What was done, and to what: all factors of one measurement but the number of tasks. */
export interface CostSetting {
  readonly operation: 'list' | 'create' | 'replace' | 'append';
  readonly shape: CostShape;
  /** Lists only: the share of the list that lies before the page, from 0 (the first page) to 1. */
  readonly depth?: number;
  readonly pageSize?: number;
  /** What the page was narrowed to; nothing where absent. */
  readonly filter?: 'context' | 'status';
  /** Whether the total was asked for. */
  readonly total?: boolean;
  /** The share of the tasks that the caller may access; absent where nobody is asked. */
  readonly access?: number;
  /** The transport that carried the call; absent where there is none. */
  readonly transport?: string;
}

/** What one setting cost at one number of tasks. */
export interface CostPoint {
  /** Tasks that stood. */
  readonly n: number;
  /** The dearest of the repeated pages, the mean of the repeated writes; of a clock the median. */
  readonly value: number;
  /** Of a clock: the quartiles. */
  readonly low?: number;
  readonly high?: number;
}

/**
 * What became of a bound.
 * - `held`, `broken`: judged by `rule`. `undecided`: judged, and neither could be shown.
 * - `reported`: the contract bounds nothing here (exact counts under a filter, policies of single tasks).
 */
export type CostStanding = 'held' | 'broken' | 'undecided' | 'reported';

/** One counter of one setting against the number of tasks. */
export interface CostCurve {
  readonly setting: CostSetting;
  /** Such as `visits`, `buffers`, `policyCalls`; `time` where only a clock could be read. */
  readonly counter: string;
  /** What one of it is, in the plural: `entries`, `buffers`, `µs`. */
  readonly unit: string;
  readonly by: 'counter' | 'clock';
  /** Ascending in `n`; never empty. */
  readonly points: readonly CostPoint[];
  /** `inconclusive` where noise forbids a word, or the sizes lie too close together. */
  readonly growth: Growth | 'inconclusive';
  /** The sizes and values that decide the class. */
  readonly decidedBy: string;
  readonly standing: CostStanding;
  /** The rule that judged it, and what it allows; absent where it is `reported`. */
  readonly rule?: string;
  readonly allowed?: string;
  /** The most that the rule allows, from which number of tasks on; without a limit the growth is bounded. */
  readonly limit?: number;
  readonly from?: number;
}

/** What one contract rule says of the whole subject. */
export interface CostRule {
  readonly rule: string;
  readonly level: 'M' | 'S';
  /** `vacuous`: nothing measured could have broken it; `unknown`: noise, or the time limit, forbids a verdict. */
  readonly status: 'pass' | 'fail' | 'vacuous' | 'unknown' | 'not-applicable';
  /** How many measurements could have broken it. */
  readonly witnesses: number;
  /** Of a failure the counter, the sizes and both figures; else why it is not judged. */
  readonly reason?: string;
}

/** A plan with which a statement of the store really ran. */
export interface CostPlan {
  readonly setting: CostSetting;
  readonly n: number;
  /** One line a node, indented. */
  readonly lines: readonly string[];
  /** Rows that its scans gave and discarded; buffers hit and read. */
  readonly rows: number;
  readonly removed: number;
  readonly buffers: number;
}

export interface CostCertificate {
  readonly format: 'pagecheck-cost-certificate';
  readonly version: 1;
  readonly pagecheck: string;
  readonly subject: string;
  readonly seed: number;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly environment: { readonly node: string; readonly platform: string };
  /** Numbers of tasks that were asked for, ascending. */
  readonly sizes: readonly number[];
  /** False where the time limit or an interruption came before the end: `notes` says what is missing. */
  readonly complete: boolean;
  readonly rules: readonly CostRule[];
  readonly curves: readonly CostCurve[];
  readonly plans: readonly CostPlan[];
  /** What the reader should know: what was not measured and why, how the subject was measured. */
  readonly notes: readonly string[];
}
