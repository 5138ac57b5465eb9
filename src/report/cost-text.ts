/** Cost certificates on a terminal: rules, one row a setting with the counter that tells most, plans of what is broken. */
import { ruleById } from '../../spec/contract.ts';
import type { CostComparison } from '../suite/cost-against.ts';
import type { CostCertificate, CostCurve, CostRule } from '../suite/cost-certificate.ts';
import { saySetting, settingKey } from '../suite/cost-settings.ts';
import { sayNumber } from '../suite/growth.ts';
import { renderDuration } from './duration.ts';
import { fillLines } from './fill.ts';
import { visible } from './quote.ts';

/** How a certificate is shown; `verbose` has a row for every counter and every plan. */
export interface CostTextOptions {
  readonly verbose?: boolean;
  /** A violated should-rule counts as a violation. */
  readonly strict?: boolean;
}

/** The counter that tells most of a list or a write, the first that is there. */
const telling = ['time', 'bytes', 'policyCalls', 'buffers', 'visits', 'comparisons', 'statements'];
const tellingOfWrites = ['comparisons', 'buffers', 'statements', 'policyCalls'];

/** Renders certificates one after the other. The text ends with a newline. */
export function renderCosts(certificates: readonly CostCertificate[], options: CostTextOptions = {}): string {
  return certificates.map((certificate) => `${certificateLines(certificate, options).join('\n')}\n`).join('\n');
}

function certificateLines(certificate: CostCertificate, options: CostTextOptions): readonly string[] {
  const { subject, seed, pagecheck, complete, durationMs, notes, curves } = certificate;
  const partial = complete ? '' : ', PARTIAL';
  const points = curves.reduce((sum, curve) => sum + curve.points.length, 0);
  return [
    `${visible(subject)}: cost, seed ${seed}, pagecheck ${pagecheck}${partial}`,
    '',
    ...certificate.rules.flatMap((rule) => ruleLines(rule, options)),
    ...tableLines(certificate, options),
    ...planLines(certificate, options),
    ...(notes.length > 0 ? [''] : []),
    ...notes.flatMap((note) => fillLines(`note: ${visible(note)}`, 110)),
    '',
    `${sayNumber(curves.length)} counters, ${sayNumber(points)} measurements in ${renderDuration(durationMs)}`,
  ];
}

function ruleLines({ rule, level, status, witnesses, reason }: CostRule, { strict }: CostTextOptions): string[] {
  const word = status === 'fail' ? (level === 'S' && strict !== true ? 'should' : 'FAIL') : status;
  const title = ruleById(rule)?.title ?? '';
  return [
    `  ${word.padEnd(8)} ${rule.padEnd(9)} ${sayNumber(witnesses).padStart(6)}  ${title}`,
    ...(reason === undefined ? [] : fillLines(visible(reason), 90).map((line) => `             ${line}`)),
  ];
}

/** A table a shape; columns are the numbers of tasks. */
function tableLines({ curves, sizes }: CostCertificate, { verbose }: CostTextOptions): string[] {
  const shapes = [...new Set(curves.map(({ setting }) => setting.shape))];
  return shapes.flatMap((shape) => {
    const shown = chosen(
      curves.filter(({ setting }) => setting.shape === shape),
      verbose === true,
    );
    const heads = sizes.map((n) => `n=${sayNumber(n)}`.padStart(12)).join('');
    return ['', `  ${shape.padEnd(60)}${heads}  growth`, ...shown.map((curve) => row(curve, sizes))];
  });
}

/** The counter that tells most of each setting, and whatever is broken. */
function chosen(curves: readonly CostCurve[], all: boolean): readonly CostCurve[] {
  if (all) return curves;
  const groups = new Map<string, CostCurve[]>();
  for (const curve of curves) {
    const key = settingKey(curve.setting);
    groups.set(key, [...(groups.get(key) ?? []), curve]);
  }
  return [...groups.values()].flatMap((group) => {
    const order = group[0]?.setting.operation === 'list' ? telling : tellingOfWrites;
    const leading = order.map((name) => group.find(({ counter }) => counter === name)).find(Boolean);
    return group.filter((curve) => curve === leading || curve.standing === 'broken');
  });
}

function row(
  { setting, counter, unit, by, points, growth, standing, rule }: CostCurve,
  sizes: readonly number[],
): string {
  const values = sizes.map((n) => {
    const point = points.find((each) => each.n === n);
    return (point === undefined ? '–' : sayNumber(point.value)).padStart(12);
  });
  const name = `    ${saySetting(setting).padEnd(41)} ${(by === 'clock' ? `${counter}, ${unit}` : counter).padEnd(16)}`;
  const judged = rule === undefined ? '' : `  ${standing === 'broken' ? 'BROKEN' : standing} ${rule}`;
  return `${name}${values.join('')}  ${sayGrowth(growth, by).padEnd(16)}${judged}`.trimEnd();
}

function sayGrowth(growth: CostCurve['growth'], by: CostCurve['by']): string {
  if (by === 'counter') return growth;
  return growth === 'log n' ? 'log n or less' : growth === 'linear' ? 'linear or worse' : growth;
}

/** Plans of lists whose curves are broken; one of each otherwise only where asked for. */
function planLines({ plans, curves, rules }: CostCertificate, { verbose }: CostTextOptions): string[] {
  const broken = new Set(
    curves.filter(({ standing }) => standing === 'broken').map(({ setting }) => settingKey(setting)),
  );
  const failed = rules.some(({ status }) => status === 'fail');
  const told =
    verbose === true ? plans : failed ? plans.filter(({ setting }) => broken.has(settingKey(setting))).slice(0, 4) : [];
  return told.flatMap(({ setting, n, lines, rows, removed, buffers }) => [
    '',
    `  plan of ${saySetting(setting)} (${setting.shape}) at n = ${sayNumber(n)}: ${rows} rows, ${removed} discarded, ${buffers} buffers`,
    ...lines.map((line) => `    ${line}`),
  ]);
}

/** Renders what a run is against an earlier one. */
export function renderComparison({
  subject,
  tolerance,
  curves,
  points,
  regressions,
  missing,
  better,
}: CostComparison): string {
  const compared = `${sayNumber(curves)} counters at ${sayNumber(points)} points, tolerance ${(tolerance * 100).toFixed(0)} %`;
  const lines = [
    `${visible(subject)} against the earlier certificate: ${compared}`,
    ...regressions.map((each) => `  WORSE    ${each}`),
    ...missing.map((each) => `  missing  ${each}`),
    ...better.map((each) => `  better   ${each}`),
    ...(regressions.length === 0 ? ['  no class changed, no counter is worse'] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** The closing line: `N passed, N failed, N skipped`, as `certify` ends; a comparison counts as one more. */
export function renderCostCount(
  certificates: readonly CostCertificate[],
  { strict }: CostTextOptions,
  comparisons: readonly CostComparison[] = [],
): string {
  const rules = certificates.flatMap((certificate) => certificate.rules);
  const worse = comparisons.filter(({ regressions }) => regressions.length > 0).length;
  const same = comparisons.filter(({ regressions, missing }) => regressions.length + missing.length === 0).length;
  const passed = rules.filter(({ status }) => status === 'pass').length + same;
  const failed =
    rules.filter(({ status, level }) => status === 'fail' && (level === 'M' || strict === true)).length + worse;
  return `${passed} passed, ${failed} failed, ${rules.length + comparisons.length - passed - failed} skipped\n`;
}
