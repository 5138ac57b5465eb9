/** What the results of rules mean for a run as a whole. */
import type { Certificate, RuleResult } from './certificate.ts';

/** How strictly a run is judged. */
export interface Strictness {
  /** A violated should-rule counts as a violation. */
  readonly strict?: boolean;
  /** An unproved rule counts as undecided; where proof was not asked for it is skipped. */
  readonly prove?: boolean;
}

/**
 * What one result counts as: `passed`; `failed` (violated, or a known failure that has become stale); `undecided`
 * (vacuous, unknown, and under `prove` unproved); `skipped` (known failing, not applicable, not run, and a violated
 * should-rule unless `strict`).
 */
export type Standing = 'passed' | 'failed' | 'undecided' | 'skipped';

/** Says what one result counts as. */
export function standingOf(result: RuleResult, strictness: Strictness = {}): Standing {
  switch (result.status) {
    case 'pass':
      return 'passed';
    case 'fail':
      return result.level === 'M' || strictness.strict === true ? 'failed' : 'skipped';
    case 'stale':
      return 'failed';
    case 'vacuous':
    case 'unknown':
      return 'undecided';
    case 'unproved':
      return strictness.prove === true ? 'undecided' : 'skipped';
    case 'known':
    case 'not-applicable':
    case 'not-run':
      return 'skipped';
  }
}

/** How many results count as what, over one certificate or several. */
export type Counts = Readonly<Record<Standing, number>>;

/** Counts the results of some certificates. */
export function countStandings(certificates: readonly Certificate[], strictness: Strictness = {}): Counts {
  const counts = { passed: 0, failed: 0, undecided: 0, skipped: 0 };
  for (const certificate of certificates) {
    for (const result of certificate.rules) counts[standingOf(result, strictness)] += 1;
  }
  return counts;
}

/**
 * The exit status of one certificate or of several together: 1 where something failed; else 2 where something is
 * undecided, or where no rule was judged at all (a run that asked nothing does not show that a store conforms); else 0.
 */
export function exitStatus(certificates: Certificate | readonly Certificate[], strictness: Strictness = {}): 0 | 1 | 2 {
  const all = 'rules' in certificates ? [certificates] : certificates;
  const counts = countStandings(all, strictness);
  if (counts.failed > 0) return 1;
  const judged = all.some((certificate) => certificate.rules.some(wasJudged));
  return counts.undecided > 0 || !judged ? 2 : 0;
}

function wasJudged(result: RuleResult): boolean {
  return result.status !== 'not-applicable' && result.status !== 'not-run';
}
