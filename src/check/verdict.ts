/** What a check says. */

/** What became of a task on one page, so that a picture of the finding can show it. */
export interface TaskMark {
  readonly id: string;
  /** `lost`: missing from the page; `repeated`: shown again; `misplaced`: out of order; `intruding`: shown although it may not be. */
  readonly how: 'lost' | 'repeated' | 'misplaced' | 'intruding';
  /** The entry whose page it is. */
  readonly entry: number;
}

/** A violation with the witness that proves it alone. */
export interface Finding {
  readonly rule: string;
  /** Indices of the history entries that prove it, in order. */
  readonly entries: readonly number[];
  /** What was seen, one sentence. */
  readonly saw: string;
  /** What the rule allows there, one sentence. */
  readonly allowed: string;
  /** Let / Then / However: facts before, what happened, what contradicts it. */
  readonly let: readonly string[];
  readonly then: readonly string[];
  readonly however: string;
  /** The tasks that it is about, where it is about tasks on pages. */
  readonly marks?: readonly TaskMark[];
}

/** What one check of one history says of one rule. */
export interface RuleReport {
  readonly rule: string;
  /** How often the rule could have failed in this history. */
  readonly witnesses: number;
  readonly findings: readonly Finding[];
  /** Why a search gave up, where one did: then no finding is no answer. */
  readonly undecided?: string;
}
