/** What cost certificates mean for a run as a whole. */
import type { CostComparison } from './cost-against.ts';
import type { CostCertificate, CostRule } from './cost-certificate.ts';

/**
 * 1 where a must-rule is broken (under `strict` any rule), or something is worse than in the earlier certificate; else 2
 * where something is undecided, a certificate is partial, a counter went missing, or no rule was judged; else 0.
 */
export function costExitStatus(
  certificates: readonly CostCertificate[],
  comparisons: readonly CostComparison[],
  { strict }: { readonly strict?: boolean } = {},
): 0 | 1 | 2 {
  const rules = certificates.flatMap((certificate) => certificate.rules);
  const failed = ({ status, level }: CostRule): boolean => status === 'fail' && (level === 'M' || strict === true);
  if (rules.some(failed) || comparisons.some(({ regressions }) => regressions.length > 0)) return 1;
  const undecided = rules.some(({ status }) => status === 'vacuous' || status === 'unknown');
  const lacking =
    certificates.some(({ complete }) => !complete) || comparisons.some(({ missing }) => missing.length > 0);
  const judged = rules.some(({ status }) => status === 'pass' || status === 'fail');
  return undecided || lacking || !judged ? 2 : 0;
}
