/** Measurements as curves against the number of tasks, each judged or only reported. */

import type { PlanNode } from '../history/database.ts';
import { formatPlanNode } from '../history/database-notation.ts';
import type { Scope } from '../subject/subject.ts';
import type { CostCurve, CostPlan, CostPoint } from './cost-certificate.ts';
import type { Measurement } from './cost-measure.ts';
import { boundOf, type CostBound, classOf, databaseCounters, type ExternalJudgement, judge } from './cost-rules.ts';
import { settingKey } from './cost-settings.ts';
import { planCounters } from './cost-stage.ts';
import { growthOf } from './growth.ts';

const units: Readonly<Record<string, string>> = {
  visits: 'entries',
  comparisons: 'comparisons',
  indexSteps: 'nodes',
  copies: 'tasks',
  counts: 'counts',
  statements: 'statements',
  rows: 'rows',
  rowsRead: 'rows',
  rowsRemoved: 'rows',
  buffers: 'buffers',
  batches: 'batches',
  largestBatch: 'tasks',
  policyCalls: 'questions',
  peakHeld: 'tasks',
  bytes: 'bytes',
};

/** Gives a curve for every setting and counter; one that is always 0 only where the contract bounds it. */
export function curvesOf(
  measurements: readonly Measurement[],
  scope: readonly Scope[],
  external: ExternalJudgement | undefined,
): readonly CostCurve[] {
  return [...bySetting(measurements).values()].flatMap((group) => {
    const names = new Set(group.flatMap(({ counters }) => Object.keys(counters)));
    return [...names].flatMap(
      (counter) => curveOf(group, counter, boundOf(scope, group[0]!.setting, counter, external)) ?? [],
    );
  });
}

function curveOf(group: readonly Measurement[], counter: string, bound: CostBound | undefined): CostCurve | undefined {
  const setting = group[0]!.setting;
  const points: CostPoint[] = group
    .filter(({ counters }) => counters[counter] !== undefined)
    .map(({ n, counters }) => ({ n, value: round(counters[counter]!) }))
    .sort((a, b) => a.n - b.n);
  if (bound === undefined && points.every(({ value }) => value === 0)) return undefined;
  const verdict = classOf(points, bound?.limit);
  const curve = { setting, counter, unit: units[counter] ?? 'tasks', by: 'counter' as const, points, ...verdict };
  if (bound === undefined) return { ...curve, standing: 'reported' };
  return { ...curve, standing: judge(curve, bound).standing, ...bound };
}

/** What depth adds to the first page, of an external store on a database: whatever counting costs is in both. */
export function depthCurves(curves: readonly CostCurve[]): readonly CostCurve[] {
  const isPage = ({ setting: { operation, filter, total } }: CostCurve): boolean =>
    operation === 'list' && filter === undefined && total === false;
  return curves.filter(isPage).flatMap((deep) => {
    const { setting, counter } = deep;
    if (!setting.depth || !databaseCounters.has(counter)) return [];
    const key = settingKey({ ...setting, depth: 0 });
    const first = curves.find((curve) => curve.counter === counter && settingKey(curve.setting) === key);
    const points = deep.points.flatMap(({ n, value }) => {
      const base = first?.points.find((point) => point.n === n);
      return base === undefined ? [] : [{ n, value: Math.max(0, value - base.value) }];
    });
    if (points.length === 0) return [];
    const bound = { rule: 'COST-4', allowed: 'as log n' };
    const curve = { ...deep, counter: `added ${counter}`, points, ...growthOf(points), ...bound };
    return [{ ...curve, standing: judge(curve, bound).standing }];
  });
}

function bySetting(measurements: readonly Measurement[]): Map<string, Measurement[]> {
  const groups = new Map<string, Measurement[]>();
  for (const one of measurements) {
    const key = settingKey(one.setting);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return groups;
}

/** Means of writes to three decimals. */
function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

/** Gives the plans of every list at its largest size, those that broke a rule at any. */
export function plansOf(measurements: readonly Measurement[]): readonly CostPlan[] {
  return [...bySetting(measurements).values()].flatMap((group) => {
    const largest = Math.max(...group.map(({ n }) => n));
    return group
      .filter(({ setting, n, planFault }) => setting.operation === 'list' && (n === largest || planFault !== undefined))
      .flatMap(({ setting, n, plans }) =>
        plans.map((plan) => {
          const { rowsRead, rowsRemoved, buffers } = planCounters([plan]);
          return {
            setting,
            n,
            lines: planLines(plan.root),
            rows: rowsRead - rowsRemoved,
            removed: rowsRemoved,
            buffers,
          };
        }),
      );
  });
}

/** One line a node, parts below what they feed. */
function planLines(node: PlanNode, depth = 0): string[] {
  const own = formatPlanNode({ ...node, parts: [] });
  const conditions = [node.condition && `where ${node.condition}`, node.filter && `discarding by ${node.filter}`];
  const line = [own, ...conditions.filter(Boolean)].join(', ');
  return [`${'  '.repeat(depth)}${line}`, ...node.parts.flatMap((part) => planLines(part, depth + 1))];
}
