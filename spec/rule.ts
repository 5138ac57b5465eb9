/** What a rule of the contract is, as data. */

/** T token codec, I in-memory store, P PostgreSQL store, D dispatcher, W wire, X external store. */
export type Scope = 'T' | 'I' | 'P' | 'D' | 'W' | 'X';

/** M: a violation fails the run. S: a violation is reported and fails the run under `--strict` only. */
export type Level = 'M' | 'S';

/**
 * Where a rule comes from: `seed` the written pagination contract of v0.6.0, `A2A` the A2A 1.0 specification or proto,
 * `ours` a reading or a strengthening for what this project builds itself; it never fails an external store.
 */
type Basis = 'seed' | 'A2A' | 'ours';

/** One rule of the contract. */
export interface Rule {
  /** Stable, such as `TOKEN-5`; never given to another rule. */
  readonly id: string;
  /** A few words for a row of a report. */
  readonly title: string;
  readonly level: Level;
  /** The scopes where the rule is only a should. */
  readonly shouldIn?: readonly Scope[];
  /** What the rule is judged for; one letter of the subject's that stands here is enough. */
  readonly scope: readonly Scope[];
  readonly basis: Basis;
  /** Which part of the rule stands on another basis, where one does. */
  readonly basisNote?: string;
  /** What holds, in whole sentences. */
  readonly words: string;
  /** The section that says so. */
  readonly source: string;
  /** Only a run with several clients at once can judge it. */
  readonly concurrent: boolean;
}
