/** What a proof means for the results of rules. */
import type { Proof, RuleResult } from './certificate.ts';

/** Results in which a rule that passed, and that a fault broke unnoticed, is `unproved`. */
export function withProof(rules: readonly RuleResult[], proof: readonly Proof[]): RuleResult[] {
  return rules.map((result) => {
    const survivor = proof.find(({ rule, outcome }) => rule === result.rule && outcome === 'survived');
    if (survivor === undefined || result.status !== 'pass') return result;
    return {
      ...result,
      status: 'unproved',
      reason: `a fault went unnoticed, ${survivor.wrapper}: ${survivor.fault}; ${survivor.reason ?? 'it survived'}`,
    };
  });
}
