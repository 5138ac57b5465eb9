/** Two cost certificates of one subject: what grew faster, or costs more than it did. */
import { UsageError } from '../subject/usage-error.ts';
import type { CostCertificate, CostCurve, CostPoint } from './cost-certificate.ts';
import { classOf } from './cost-rules.ts';
import { saySetting, settingKey } from './cost-settings.ts';
import { sayNumber } from './growth.ts';

/** The share by which a counter may be worse where none is stated. */
export const defaultTolerance = 0.1;

/** What a counter varies by from run to run although nothing changed: buffers, by what autovacuum has cleaned. */
const jitter: Readonly<Record<string, number>> = { buffers: 3 };

/** What became of the costs. */
export interface CostComparison {
  readonly subject: string;
  readonly tolerance: number;
  /** Counters that were compared, at how many numbers of tasks together. */
  readonly curves: number;
  readonly points: number;
  /** Each counter that is worse, or whose class is another one, with both figures. */
  readonly regressions: readonly string[];
  /** Counters of the older certificate that the newer one lacks. */
  readonly missing: readonly string[];
  /** Counters that are better by more than the tolerance, with both figures. */
  readonly better: readonly string[];
}

/**
 * Compares counters at the numbers of tasks that both certificates have. A class that changed is a regression even where
 * it got better: what the older certificate says is no longer so. It did not change where every value stayed within the
 * tolerance, and only its bound was crossed. Times are compared by their class alone, since machines differ, and not
 * where one is inconclusive.
 */
export function compareCosts(older: CostCertificate, newer: CostCertificate, tolerance: number): CostComparison {
  const now = new Map(newer.curves.map((curve) => [keyOf(curve), curve]));
  const found = { regressions: [] as string[], missing: [] as string[], better: [] as string[] };
  let curves = 0;
  let points = 0;
  for (const before of older.curves) {
    const after = now.get(keyOf(before));
    const pairs = after === undefined ? [] : pairsOf(before, after);
    if (after === undefined || pairs.length === 0) {
      if (before.points.some(({ n }) => newer.sizes.includes(n))) found.missing.push(nameOf(before));
      continue;
    }
    curves++;
    points += pairs.length;
    const slack = jitter[before.counter] ?? 0;
    const worse = worstOf(pairs, (was, is) => is > was * (1 + tolerance) + slack);
    const better = worstOf(pairs, (was, is) => is < was * (1 - tolerance) - slack);
    const byClock = before.by === 'clock';
    const changed =
      byClock || worse !== undefined || better !== undefined ? changeOfClass(before, after, pairs) : undefined;
    if (changed !== undefined) found.regressions.push(`${nameOf(before)}: ${changed}`);
    if (byClock) continue;
    if (worse !== undefined) found.regressions.push(`${nameOf(before)}: ${sayPair(worse, before.unit)}`);
    if (better !== undefined && worse === undefined)
      found.better.push(`${nameOf(before)}: ${sayPair(better, before.unit)}`);
  }
  return { subject: newer.subject, tolerance, curves, points, ...found };
}

/** Finds the certificate of a subject; throws a `UsageError` for one that this run can't be held against. */
export function baselineOf(
  certificates: readonly CostCertificate[],
  { subject, sizes, seed }: { readonly subject: string; readonly sizes: readonly number[]; readonly seed: number },
  where: string,
): CostCertificate {
  const found = certificates.find((certificate) => certificate.subject === subject);
  const has = certificates.map((certificate) => certificate.subject).join(', ');
  if (found === undefined)
    throw new UsageError({
      where,
      problem: `holds no cost certificate of ${subject}, only of ${has}`,
      remedy: 'measure the subjects that it is of, or give another file',
    });
  if (found.seed !== seed)
    throw new UsageError({
      where,
      problem: `was measured with seed ${found.seed}, and this run has seed ${seed}`,
      remedy: `give --seed ${found.seed}`,
    });
  if (!found.sizes.some((n) => sizes.includes(n)))
    throw new UsageError({
      where,
      problem: `was measured at n = ${found.sizes.join(', ')}, and this run at none of these`,
      remedy: `give --sizes ${found.sizes.join(',')}`,
    });
  return found;
}

type Pair = readonly [was: CostPoint, is: CostPoint];

function pairsOf(before: CostCurve, after: CostCurve): Pair[] {
  return before.points.flatMap((was) => {
    const is = after.points.find(({ n }) => n === was.n);
    return is === undefined ? [] : [[was, is] as const];
  });
}

/** The classes over the sizes that both have: over more sizes a counter may show another one. */
function changeOfClass(before: CostCurve, after: CostCurve, pairs: readonly Pair[]): string | undefined {
  const byClock = before.by === 'clock';
  const was = byClock
    ? before
    : {
        ...classOf(
          pairs.map(([point]) => point),
          before.limit,
        ),
        unit: before.unit,
      };
  const is = byClock
    ? after
    : {
        ...classOf(
          pairs.map(([, point]) => point),
          after.limit,
        ),
        unit: before.unit,
      };
  if (was.growth === is.growth || was.growth === 'inconclusive' || is.growth === 'inconclusive') return undefined;
  return `grew as ${was.growth} (${was.decidedBy}), grows as ${is.growth} (${is.decidedBy})`;
}

/** The pair that changed most among those that changed too much. */
function worstOf(pairs: readonly Pair[], isChanged: (was: number, is: number) => boolean): Pair | undefined {
  const change = ([was, is]: Pair): number => Math.abs(is.value - was.value) / Math.max(1, was.value);
  const changed = pairs.filter(([was, is]) => isChanged(was.value, is.value));
  return changed.sort((a, b) => change(b) - change(a))[0];
}

function sayPair([was, is]: Pair, unit: string): string {
  const share =
    was.value === 0
      ? ''
      : ` (${is.value > was.value ? '+' : ''}${(((is.value - was.value) / was.value) * 100).toFixed(0)} %)`;
  return `${sayNumber(was.value)} → ${sayNumber(is.value)} ${unit} at n = ${sayNumber(was.n)}${share}`;
}

function keyOf({ setting, counter }: CostCurve): string {
  return `${settingKey(setting)} ${counter}`;
}

function nameOf({ setting, counter }: CostCurve): string {
  return `${saySetting(setting)} (${setting.shape}), ${counter}`;
}
