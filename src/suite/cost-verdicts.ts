/** What measurements say: curves, and the rules that they hold or break. */
import { levelIn, ruleById } from '../../spec/contract.ts';
import type { Scope } from '../subject/subject.ts';
import type { CostCertificate, CostCurve, CostRule } from './cost-certificate.ts';
import { clockCurves, depthByClock, type Timings } from './cost-clock.ts';
import { curvesOf, depthCurves, plansOf } from './cost-curves.ts';
import type { Measurement } from './cost-measure.ts';
import { judge, LEAST_PLANNED } from './cost-rules.ts';
import { saySetting } from './cost-settings.ts';
import { sayNumber } from './growth.ts';

/** Everything that was measured of one subject. */
export interface Measured {
  readonly measurements: readonly Measurement[];
  readonly timings?: Timings & { readonly countsAlways: boolean };
}

/** Says what it means. */
export function verdictsOf(
  { measurements, timings }: Measured,
  scope: readonly Scope[],
): Pick<CostCertificate, 'rules' | 'curves' | 'plans' | 'notes'> {
  const countsAlways = timings?.countsAlways ?? measurements.some((one) => one.countsAlways === true);
  const external = scope.includes('X') ? { growthJudged: !countsAlways } : undefined;
  const counted = curvesOf(measurements, scope, external);
  const curves = [
    ...counted,
    ...(external === undefined ? [] : depthCurves(counted)),
    ...(timings === undefined ? [] : clockCurves(timings, { growthJudged: external?.growthJudged === true })),
  ];
  const evidence = [...curves.flatMap(evidenceOf), ...plannedEvidence(measurements), ...depthEvidence(timings)];
  const expected = expectedRules(scope, curves);
  return {
    curves,
    notes: [
      ...(external !== undefined && countsAlways
        ? ['A total is computed even where none is asked for: of COST-4 the depth alone is judged.']
        : []),
      ...(timings === undefined ? [] : unreached(timings)),
    ],
    plans: plansOf(measurements),
    rules: expected.map((rule) =>
      ruleOf(
        rule,
        scope,
        evidence.filter((each) => each.rule === rule),
      ),
    ),
  };
}

interface Evidence {
  readonly rule: string;
  readonly standing: 'held' | 'broken' | 'undecided';
  readonly witnesses: number;
  readonly words: string;
  /** Of a broken bound: how many times what is allowed it was. */
  readonly excess?: number;
}

function evidenceOf(curve: CostCurve): Evidence[] {
  const { rule, setting, counter, standing } = curve;
  if (rule === undefined || standing === 'reported') return [];
  const where = `${saySetting(setting)} (${setting.shape})`;
  if (curve.by === 'clock')
    return [{ rule, standing, witnesses: curve.points.length - 1, words: `${where}: ${curve.decidedBy}` }];
  const { brokenBy, witnesses, excess = 0 } = judge(curve, boundIn(curve));
  const unmeasured = standing === 'undecided' && curve.from !== undefined && curve.limit !== undefined;
  const open = unmeasured ? `not measured from n = ${sayNumber(curve.from)} on` : curve.decidedBy;
  const words = brokenBy === undefined ? `${counter} ${open}` : `${counter} ${brokenBy}`;
  return [{ rule, standing, witnesses, words: `${where}: ${words}`, excess }];
}

/** The bound that a curve carries with it. */
function boundIn({ rule = '', allowed = '', limit, from }: CostCurve) {
  return { rule, allowed, ...(limit === undefined ? {} : { limit }), ...(from === undefined ? {} : { from }) };
}

function plannedEvidence(measurements: readonly Measurement[]): Evidence[] {
  return measurements
    .filter(({ planned, n }) => planned > 0 && n >= LEAST_PLANNED)
    .map(({ setting, n, planned, planFault }) => ({
      rule: 'COST-3',
      standing: planFault === undefined ? 'held' : 'broken',
      witnesses: planned,
      words: `${saySetting(setting)} (${setting.shape}) at n = ${sayNumber(n)}: ${planFault ?? 'one range scan'}`,
    }));
}

function depthEvidence(timings: Timings | undefined): Evidence[] {
  if (timings === undefined) return [];
  const { standing, decidedBy } = depthByClock(timings);
  return [{ rule: 'COST-4', standing, witnesses: 1, words: decidedBy }];
}

function unreached({ settings, sizes, rounds }: Timings): string[] {
  const deep = settings.findIndex(({ depth }) => depth > 0.5);
  const missing = sizes.filter((_, i) => Number.isNaN(rounds[0]?.[deep]?.[i] ?? Number.NaN));
  return missing.map((n) => `No deep page of ${sayNumber(n)} tasks was reached by walking there in time.`);
}

/** The rules that this run is about, in the order of the contract. */
function expectedRules(scope: readonly Scope[], curves: readonly CostCurve[]): readonly string[] {
  const rules = [
    ...(scope.includes('I') || scope.includes('P') ? ['COUNT-2'] : []),
    ...(scope.includes('D') ? ['AUTH-6', 'AUTH-7'] : []),
    ...(scope.includes('I') ? ['COST-1', 'COST-2'] : []),
    ...(scope.includes('P') ? ['COST-3'] : []),
    ...(scope.includes('X') ? ['COST-4'] : []),
  ];
  const met = curves.flatMap(({ rule }) => rule ?? []);
  return [...new Set([...rules, ...met])];
}

function ruleOf(rule: string, scope: readonly Scope[], evidence: readonly Evidence[]): CostRule {
  const contract = ruleById(rule);
  const level = (contract && levelIn(contract, scope)) ?? 'M';
  const witnesses = evidence.reduce((sum, each) => sum + each.witnesses, 0);
  const broken = evidence.filter(({ standing }) => standing === 'broken');
  const undecided = evidence.filter(({ standing }) => standing === 'undecided');
  if (broken.length > 0) return { rule, level, status: 'fail', witnesses, reason: tell(broken) };
  if (witnesses === 0)
    return { rule, level, status: 'vacuous', witnesses, reason: 'nothing that was measured could have broken it' };
  if (undecided.length > 0) return { rule, level, status: 'unknown', witnesses, reason: tell(undecided) };
  return { rule, level, status: 'pass', witnesses };
}

/** The evidence that exceeds its bound by most, and how much more there is. */
function tell(evidence: readonly Evidence[]): string {
  const [most] = [...evidence].sort((a, b) => (b.excess ?? 0) - (a.excess ?? 0));
  return `${most?.words}${evidence.length > 1 ? `; and ${evidence.length - 1} more` : ''}`;
}
