/** What the test of one rule says, decided from the certificate. */
import { renderFailure } from '../report/failure.ts';
import type { Certificate, RuleResult } from '../suite/certificate.ts';
import { standingOf } from '../suite/exit-status.ts';

/** `passed`, or `skipped` and `failed` with the text that a test runner shows. */
export type TestOutcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'skipped'; readonly text: string }
  | { readonly kind: 'failed'; readonly text: string };

/**
 * Decides the test of a rule. Only a rule that was judged and held is passed. One that could not be decided fails, as
 * `certify` would not exit with 0 either. A violated should-rule is skipped with what was seen, unless `strict`.
 */
export function testOutcome(rule: string, certificate: Certificate, strict: boolean): TestOutcome {
  const result = certificate.rules.find((one) => one.rule === rule);
  if (result === undefined) return { kind: 'failed', text: `the certificate says nothing of ${rule}` };
  switch (standingOf(result, { strict })) {
    case 'passed':
      return { kind: 'passed' };
    case 'skipped':
      return { kind: 'skipped', text: skipText(result) };
    case 'failed':
      return { kind: 'failed', text: failText(result, certificate) };
    case 'undecided':
      return { kind: 'failed', text: undecidedText(result) };
  }
}

function skipText(result: RuleResult): string {
  if (result.status !== 'fail') return `${result.status}: ${result.reason ?? 'no reason was kept'}`;
  return `should hold and does not: ${result.counterexample?.finding.saw ?? result.reason ?? 'no reason was kept'}`;
}

function failText(result: RuleResult, certificate: Certificate): string {
  if (result.status !== 'stale') return renderFailure(result, certificate);
  return `${result.rule} is listed as a known failure and holds now: ${result.reason ?? 'take it off the list'}`;
}

function undecidedText({ rule, status, witnesses, floor, reason }: RuleResult): string {
  const why = reason ?? 'no reason was kept';
  if (status !== 'vacuous') return `${rule} is ${status}: ${why}`;
  return `${rule} is vacuous, neither held nor violated: it could have failed ${witnesses} times of ${floor}; ${why}`;
}
