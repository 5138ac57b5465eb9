/**
 * What pages of a store cost that has nothing to count: timings, taken in turns over all sizes and depths, so that
 * whatever slows this machine slows every one of them. Only a clear answer is one: everything else is inconclusive.
 */
import type { Subject, SubjectStore } from '../subject/subject.ts';
import type { CostCurve, CostPoint } from './cost-certificate.ts';
import type { Limit } from './cost-limit.ts';
import { type ListSetting, listSettings } from './cost-settings.ts';
import { CALL, type CostStage, requestOf } from './cost-stage.ts';
import { leastSizeRatio, sayNumber } from './growth.ts';

/** Turns: enough for a 95 % interval of the median that eight of them can't move. */
const ROUNDS = 25;
const WARM_UP = 3;

/**
 * A cost that grows as n to a power is told by that power, between the smallest size and the largest. Below the lower
 * bound it is no worse than log n, above the upper it is none: log n itself comes to 0.1, and caches that a larger store
 * no longer fits into bring a tree to 0.5 (measured).
 */
const LOG_POWER = 0.3;
const LINEAR_POWER = 0.65;
/** Over less than two decades a fixed cost hides what grows: nothing may be called flat there. */
const LEAST_FLAT_RATIO = 100;
/** A deep page that takes so many times the first grows with depth; one below the other does not. */
const DEEP_RATIO = 4;
const FLAT_RATIO = 2;

/** The times of the settings, one array a round, in microseconds. */
export interface Timings {
  readonly settings: readonly ListSetting[];
  readonly sizes: readonly number[];
  /** `rounds[r][s][i]`: setting `s` at size `i`; not a number where no such page was reached. */
  readonly rounds: readonly (readonly (readonly number[])[])[];
}

/** Says whether stores of a subject stand beside each other: what is created in one does not show in another. */
export async function areIndependent(
  subject: Subject,
  limit: Limit,
  create: (store: SubjectStore) => Promise<unknown>,
): Promise<boolean> {
  const first = await limit.open(subject);
  const second = await limit.open(subject);
  try {
    await limit.within('create', create(first));
    const [one, none] = [
      await limit.within('list', first.list({ pageSize: 10 }, CALL)),
      await limit.within('list', second.list({ pageSize: 10 }, CALL)),
    ];
    return one.tasks.length === 1 && none.tasks.length === 0;
  } finally {
    await first.close?.();
    await second.close?.();
  }
}

/** Times the pages of several stages, which hold more and more tasks, in turns. */
export async function timePages(
  stages: readonly CostStage[],
  limit: Limit,
): Promise<Timings & { countsAlways: boolean }> {
  const settings = listSettings('in order', { callers: false }).filter(
    ({ filter, total, pageSize, depth }) =>
      !total && (filter === undefined ? pageSize === 50 || pageSize === 1 : depth === 0),
  );
  const tokens = await inTurn(settings, (setting) => inTurn(stages, (stage) => stage.tokenAt(setting)));
  const rounds: number[][][] = [];
  let countsAlways = false;
  const time = async (stage: CostStage, setting: ListSetting, token: string | undefined): Promise<number> => {
    limit.check();
    if (token === undefined) return Number.NaN;
    const request = requestOf(setting, token);
    const from = performance.now();
    const page = await limit.within('list', stage.store.list(request, CALL));
    const took = performance.now() - from;
    countsAlways ||= page.totalSize !== undefined;
    return took * 1_000;
  };
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const times = await inTurn(settings, (setting, s) =>
      inTurn(stages, (stage, i) => time(stage, setting, tokens[s]![i])),
    );
    if (round >= 0) rounds.push(times);
  }
  return { settings, sizes: stages.map(({ n }) => n), rounds, countsAlways };
}

/** One after the other. */
async function inTurn<A, B>(all: readonly A[], work: (one: A, at: number) => Promise<B>): Promise<B[]> {
  const results: B[] = [];
  for (const [at, one] of all.entries()) results.push(await work(one, at));
  return results;
}

/** Gives a curve a setting; COST-4 judges the growth of pages without filter, unless a total is always computed. */
export function clockCurves(
  { settings, sizes, rounds }: Timings,
  { growthJudged }: { readonly growthJudged: boolean },
): readonly CostCurve[] {
  return settings.flatMap((setting, s) => {
    const reached = sizes.map((_, i) => i).filter((i) => !Number.isNaN(rounds[0]?.[s]?.[i] ?? Number.NaN));
    const [first, last] = [reached[0], reached.at(-1)];
    if (first === undefined || last === undefined) return [];
    const points: CostPoint[] = reached.map((i) => {
      const sorted = rounds.map((round) => round[s]![i]!).sort((a, b) => a - b);
      const at = (share: number): number => Math.round(sorted[Math.floor(share * (sorted.length - 1))]! * 10) / 10;
      return { n: sizes[i]!, value: at(0.5), low: at(0.25), high: at(0.75) };
    });
    const pairs = rounds.map((round) => [round[s]![first]!, round[s]![last]!] as const);
    const { growth, decidedBy } = powerOf([sizes[first]!, sizes[last]!], pairs);
    const judged = growthJudged && setting.filter === undefined;
    const standing = growth === 'log n' ? 'held' : growth === 'linear' ? 'broken' : 'undecided';
    return [
      {
        setting,
        counter: 'time',
        unit: 'µs',
        by: 'clock' as const,
        points,
        growth,
        decidedBy,
        ...(judged ? { standing, rule: 'COST-4', allowed: 'as log n' } : { standing: 'reported' as const }),
      } satisfies CostCurve,
    ];
  });
}

/** Tells log n or less from linear or worse by pairs of times, those of a round each; anything between is neither. */
export function powerOf(
  sizes: readonly number[],
  pairs: readonly (readonly [number, number])[],
): { readonly growth: 'log n' | 'linear' | 'inconclusive'; readonly decidedBy: string } {
  const [small = 1, large = 1] = [sizes[0], sizes.at(-1)];
  if (large < leastSizeRatio * small)
    return { growth: 'inconclusive', decidedBy: 'numbers of tasks so near to each other tell no growth' };
  const [low, high] = medianInterval(pairs.map(([a, b]) => b / a));
  const power = (ratio: number): number => Math.log(ratio) / Math.log(large / small);
  const isFlat = power(high) < LOG_POWER && large >= LEAST_FLAT_RATIO * small;
  const growth = power(low) > LINEAR_POWER ? 'linear' : isFlat ? 'log n' : 'inconclusive';
  const times = `${low.toFixed(1)} to ${high.toFixed(1)} times as long at n = ${sayNumber(large)} as at ${sayNumber(small)}`;
  return { growth, decidedBy: `${times} (95 % of the median of ${pairs.length} pairs)` };
}

/** Depth by the clock: how many times the first page a page at 90 % takes, at the largest size where one was reached. */
export function depthByClock({ settings, sizes, rounds }: Timings): {
  readonly standing: 'held' | 'broken' | 'undecided';
  readonly decidedBy: string;
} {
  const first = settings.findIndex((each) => each.depth === 0 && each.pageSize === 50 && each.filter === undefined);
  const deep = settings.findIndex(({ depth, filter }) => depth === 0.9 && filter === undefined);
  const ratiosAt = (i: number): number[] => rounds.map((round) => round[deep]![i]! / round[first]![i]!);
  const size = sizes.findLastIndex((_, i) => !ratiosAt(i).some(Number.isNaN));
  if (size < 0 || rounds.length === 0)
    return { standing: 'undecided', decidedBy: 'no page at 90 % was reached in time' };
  const [low, high] = medianInterval(ratiosAt(size));
  const standing = low > DEEP_RATIO ? 'broken' : high < FLAT_RATIO ? 'held' : 'undecided';
  const n = sayNumber(sizes[size] ?? 0);
  return {
    standing,
    decidedBy: `a page at 90 % takes ${low.toFixed(1)} to ${high.toFixed(1)} times as long as the first at n = ${n} (95 % of the median of ${rounds.length} pairs)`,
  };
}

/** The interval in which the median lies in 95 of 100 such samples, whatever their distribution (sign test). */
function medianInterval(values: readonly number[]): readonly [number, number] {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  const reach = Math.sqrt(sorted.length);
  const at = (place: number): number => sorted[Math.min(sorted.length - 1, Math.max(0, place))] ?? Number.NaN;
  return [at(Math.floor(half - reach)), at(Math.ceil(half + reach))];
}
