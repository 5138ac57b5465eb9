/** The words that reports use for what was decided of a rule. */
import type { RuleResult } from '../suite/certificate.ts';
import type { Strictness } from '../suite/exit-status.ts';

/** One word, at most 8 characters: `FAIL` where the run fails for it, `should` where only a should-rule is violated. */
export function statusWord(result: RuleResult, strictness: Strictness = {}): string {
  switch (result.status) {
    case 'fail':
      return result.level === 'S' && strictness.strict !== true ? 'should' : 'FAIL';
    case 'stale':
      return 'STALE';
    case 'not-applicable':
      return 'n/a';
    case 'not-run':
      return 'not run';
    default:
      return result.status;
  }
}
