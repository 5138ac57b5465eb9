/** What a release broke, mended or left: two certificates, rule by rule. */
import { UsageError } from '../subject/usage-error.ts';
import type { Certificate, Counterexample, ProfileName, RuleResult, RuleStatus } from './certificate.ts';

/**
 * What became of a rule.
 * - `broken`: it held and is violated now. `mended`: it was violated and holds now. `still-failing`: violated in both.
 * - `left`: it holds in both, or was decided in neither.
 * - `newly-judged`: decided now, not before. `no-longer-judged`: decided before, not now.
 */
export type Change = 'broken' | 'mended' | 'still-failing' | 'left' | 'newly-judged' | 'no-longer-judged';

export interface RuleChange {
  readonly rule: string;
  /** In the newer certificate, or in the older where the newer lacks the rule. */
  readonly level: 'M' | 'S';
  readonly change: Change;
  /** The statuses before and after; `absent` where a certificate does not have the rule. */
  readonly before: RuleStatus | 'absent';
  readonly after: RuleStatus | 'absent';
  /** The newer counterexample of a rule that is violated now and was not before. */
  readonly counterexample?: Counterexample;
}

export interface CertificateDiff {
  /** Subject, pagecheck version and seed of each side. */
  readonly before: DiffSide;
  readonly after: DiffSide;
  readonly profile: ProfileName;
  /** In the order of the newer certificate; rules that it lacks follow. */
  readonly changes: readonly RuleChange[];
  /** Something is broken: a must-rule, or under `strict` any rule. */
  readonly regression: boolean;
}

export interface DiffSide {
  readonly subject: string;
  readonly pagecheck: string;
  readonly seed: number;
}

/**
 * Compares what two runs decided. A known failure counts as violated and a stale one as holding, so that a list of known
 * failures hides no change. Subjects may differ: two releases seldom bear one name. Throws a `UsageError` (status 3)
 * for another format version and for different profiles, whose rules mean different things.
 */
export function diffCertificates(
  older: Certificate,
  newer: Certificate,
  options: { readonly strict?: boolean } = {},
): CertificateDiff {
  refuseOtherVersion(older, 'the older certificate');
  refuseOtherVersion(newer, 'the newer certificate');
  if (older.profile !== newer.profile) {
    const problem = `is judged by profile ${newer.profile}, the older by ${older.profile}`;
    throw new UsageError({ where: 'the newer certificate', problem, remedy: 'certify both by one profile' });
  }
  const before = new Map(older.rules.map((result) => [result.rule, result]));
  const after = new Map(newer.rules.map((result) => [result.rule, result]));
  const ids = new Set([...after.keys(), ...before.keys()]);
  const changes = Array.from(ids, (id) => changeOf(id, before.get(id), after.get(id)));
  return {
    before: sideOf(older),
    after: sideOf(newer),
    profile: newer.profile,
    changes,
    regression: changes.some((each) => each.change === 'broken' && (each.level === 'M' || options.strict === true)),
  };
}

function refuseOtherVersion(certificate: Certificate, where: string): void {
  const { format, version }: { readonly format: string; readonly version: number } = certificate;
  if (format === 'pagecheck-certificate' && version === 1) return;
  const problem = `has format ${JSON.stringify(format)} version ${version}, and this pagecheck compares version 1`;
  throw new UsageError({ where, problem, remedy: 'certify both with one pagecheck' });
}

function sideOf({ subject, pagecheck, seed }: Certificate): DiffSide {
  return { subject, pagecheck, seed };
}

function changeOf(rule: string, before: RuleResult | undefined, after: RuleResult | undefined): RuleChange {
  const was = verdictOf(before);
  const is = verdictOf(after);
  const isNew = is === 'violated' && was !== 'violated';
  const counterexample = isNew ? after?.counterexample : undefined;
  return {
    rule,
    level: (after ?? before)!.level,
    change: nameChange(was, is),
    before: before?.status ?? 'absent',
    after: after?.status ?? 'absent',
    ...(counterexample === undefined ? {} : { counterexample }),
  };
}

type Verdict = 'holds' | 'violated' | 'undecided';

function verdictOf(result: RuleResult | undefined): Verdict {
  if (result?.status === 'pass' || result?.status === 'stale') return 'holds';
  return result?.status === 'fail' || result?.status === 'known' ? 'violated' : 'undecided';
}

function nameChange(was: Verdict, is: Verdict): Change {
  if (was === is) return was === 'violated' ? 'still-failing' : 'left';
  if (was === 'undecided') return 'newly-judged';
  if (is === 'undecided') return 'no-longer-judged';
  return is === 'violated' ? 'broken' : 'mended';
}
