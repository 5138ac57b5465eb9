/** What the contract allows each counter to be, as data: every other counter is only reported. */
import type { Scope } from '../subject/subject.ts';
import type { CostCurve, CostPoint, CostSetting, CostStanding } from './cost-certificate.ts';
import { type GrowthVerdict, growthOf, isWithin, leastSizeRatio, sayNumber } from './growth.ts';

/** A bound on one counter. Without a limit the counter may grow as log n. */
export interface CostBound {
  readonly rule: string;
  /** The most that it may be, at any number of tasks from `from` on. */
  readonly limit?: number;
  readonly from?: number;
  readonly allowed: string;
}

/** The number of tasks from which COST-3 holds. */
export const LEAST_PLANNED = 10_000;
/** Buffers beyond one a row: the index's own pages. */
const MORE_BUFFERS = 6;
const BATCH = 100;

/** What is judged of an external store: where a total is always computed the growth is not. */
export interface ExternalJudgement {
  readonly growthJudged: boolean;
}

/** Gives the bound of a counter; undefined where the contract has none. */
export function boundOf(
  scope: readonly Scope[],
  setting: CostSetting,
  counter: string,
  external: ExternalJudgement | undefined,
): CostBound | undefined {
  return (
    (scope.includes('I') ? memoryBound(setting, counter) : undefined) ??
    (scope.includes('P') ? postgresBound(setting, counter) : undefined) ??
    (external?.growthJudged === true ? externalBound(setting, counter) : undefined) ??
    dispatcherBound(setting, counter)
  );
}

const inMemory: ReadonlySet<string> = new Set(['comparisons', 'visits', 'indexSteps', 'copies']);

function memoryBound(setting: CostSetting, counter: string): CostBound | undefined {
  if (setting.operation !== 'list') return inMemory.has(counter) ? { rule: 'COST-1', allowed: 'as log n' } : undefined;
  if (counter === 'counts') return countBound(setting);
  if (setting.filter !== undefined || !inMemory.has(counter)) return undefined;
  return counter === 'visits' ? atMost('COST-2', (setting.pageSize ?? 0) + 1) : { rule: 'COST-2', allowed: 'as log n' };
}

function postgresBound(setting: CostSetting, counter: string): CostBound | undefined {
  if (setting.operation !== 'list' || setting.total === true) return undefined;
  if (counter === 'counts') return countBound(setting);
  // A table that is being written to is not a vacuumed one.
  if (setting.filter === 'status' || setting.shape === 'interleaved') return undefined;
  const rows = (setting.pageSize ?? 0) + 1;
  if (counter === 'rowsRead') return atMost('COST-3', rows, LEAST_PLANNED);
  if (counter === 'rowsRemoved') return atMost('COST-3', 0, LEAST_PLANNED);
  return counter === 'buffers' ? atMost('COST-3', rows + MORE_BUFFERS, LEAST_PLANNED) : undefined;
}

/** Counters of any database, whose meaning is known. */
export const databaseCounters: ReadonlySet<string> = new Set(['statements', 'rowsRead', 'rowsRemoved', 'buffers']);

function externalBound({ operation, total, filter }: CostSetting, counter: string): CostBound | undefined {
  const judged = operation === 'list' && total === false && filter === undefined && databaseCounters.has(counter);
  return judged ? { rule: 'COST-4', allowed: 'as log n' } : undefined;
}

function countBound({ total }: CostSetting): CostBound | undefined {
  return total === false ? atMost('COUNT-2', 0) : undefined;
}

/** These counters are a dispatcher's alone. */
function dispatcherBound({ operation, pageSize = 0 }: CostSetting, counter: string): CostBound | undefined {
  if (operation !== 'list') return undefined;
  switch (counter) {
    case 'largestBatch':
      return atMost('AUTH-6', BATCH);
    case 'storeCounts':
      return atMost('AUTH-6', 0);
    case 'peakHeld':
      return atMost('AUTH-6', BATCH + pageSize);
    case 'fullReads':
      return atMost('AUTH-7', pageSize);
    case 'scannedInFull':
      return atMost('AUTH-7', 0);
    default:
      return undefined;
  }
}

function atMost(rule: string, limit: number, from = 0): CostBound {
  return {
    rule,
    limit,
    from,
    allowed: `at most ${sayNumber(limit)}${from > 0 ? ` from n = ${sayNumber(from)} on` : ''}`,
  };
}

/**
 * The class of a counter. One that has a limit whatever `n` is, and keeps it everywhere, is constant: it may still rise
 * until it is reached.
 */
export function classOf(points: readonly CostPoint[], limit: number | undefined): GrowthVerdict {
  const verdict = growthOf(points);
  if (limit === undefined || verdict.growth === 'inconclusive') return verdict;
  if (points.some(({ value }) => value > limit)) return verdict;
  return { growth: 'constant', decidedBy: `at most ${sayNumber(limit)} at every n` };
}

/** What became of a bound, with how many points could have broken it and what broke it. */
export interface BoundVerdict {
  readonly standing: CostStanding;
  readonly witnesses: number;
  readonly brokenBy?: string;
  /** How many times what is allowed it was, where it is broken. */
  readonly excess?: number;
}

/** Holds a curve against its bound. */
export function judge(curve: Pick<CostCurve, 'points' | 'growth' | 'decidedBy'>, bound: CostBound): BoundVerdict {
  const { points, growth, decidedBy } = curve;
  const { limit, from = 0, allowed } = bound;
  const [first, last] = [points[0], points.at(-1)];
  if (limit === undefined) {
    if (growth === 'inconclusive') return { standing: 'undecided', witnesses: 0 };
    const witnesses = points.filter(({ n }) => n >= leastSizeRatio * (first?.n ?? n)).length;
    if (isWithin(growth, 'log n')) return { standing: 'held', witnesses };
    return {
      standing: 'broken',
      witnesses,
      brokenBy: decidedBy,
      excess: (last?.value ?? 0) / Math.max(1, first?.value ?? 0),
    };
  }
  const judged = points.filter(({ n }) => n >= from);
  const witnesses = judged.length;
  if (witnesses === 0) return { standing: 'undecided', witnesses };
  const most = judged.reduce((best, point) => (point.value > best.value ? point : best));
  if (most.value <= limit) return { standing: 'held', witnesses };
  const brokenBy = `${sayNumber(most.value)} at n = ${sayNumber(most.n)}, allowed ${allowed}`;
  return { standing: 'broken', witnesses, brokenBy, excess: most.value / Math.max(1, limit) };
}
