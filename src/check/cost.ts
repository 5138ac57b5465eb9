/** COST-1, COST-2: what operations cost by the subject's own counters, against the number of tasks. */
import type { Entry } from '../history/history.ts';
import type { Check } from './check.ts';
import { defaultPageSize } from './position.ts';
import { Tally } from './tally.ts';
import { finding } from './witness.ts';
import type { World } from './world.ts';

/**
 * How much dearer an operation may be at a larger store: log n doubles at most while n grows sixteenfold from 256; a
 * linear cost grows sixteenfold. The factor lies between the two, and the slack covers small constant costs.
 */
const growthFactor = 4;
const growthSlack = 48;
/** Sizes are compared where one is at least this many times the other. */
const sizeRatio = 8;

/** One operation with the number of tasks that stood when it was called. */
interface Sample {
  readonly entry: Entry;
  readonly tasks: number;
  readonly kind: string;
  readonly counters: Readonly<Record<string, number>>;
}

/** Judges a history with counters; one without gives no witness. Linear in the entries. */
export const cost: Check = {
  rules: ['COST-1', 'COST-2'],
  judge(world) {
    if (world.tampered) return [];
    const tally = new Tally();
    const samples = sample(world);
    for (const page of samples.filter(({ kind }) => kind.startsWith('list'))) judgeVisits(world, page, tally);
    for (const [kind, group] of byKind(samples)) {
      judgeGrowth(world, kind.startsWith('list') ? 'COST-2' : 'COST-1', kind, group, tally);
    }
    return tally.reports();
  },
};

/** The operations whose cost the contract bounds: writes that succeed, and pages without filter. */
function sample(world: World): Sample[] {
  const standing = new Map(world.lists.map((list) => [list.entry.index, list.standing.length]));
  const samples: Sample[] = [];
  let tasks = 0;
  for (const entry of world.entries) {
    const { operation, result, counters } = entry;
    if (operation.op === 'create' && result.kind === 'written') tasks++;
    if (counters === undefined) continue;
    if (operation.op === 'list' && result.kind === 'page' && operation.filter === undefined) {
      const kind = `list of ${operation.pageSize ?? defaultPageSize}${operation.total === false ? ' without total' : ''}`;
      samples.push({ entry, tasks: standing.get(entry.index) ?? tasks, kind, counters });
    } else if (result.kind === 'written' && result.deduplicated !== true) {
      samples.push({ entry, tasks, kind: operation.op, counters });
    }
  }
  return samples;
}

function byKind(samples: readonly Sample[]): Map<string, Sample[]> {
  const groups = new Map<string, Sample[]>();
  for (const one of samples) {
    const group = groups.get(one.kind) ?? [];
    group.push(one);
    groups.set(one.kind, group);
  }
  return groups;
}

/** COST-2: an unfiltered page visits at most page size + 1 entries. */
function judgeVisits(world: World, { entry, tasks, counters }: Sample, tally: Tally): void {
  const size = (entry.operation.op === 'list' ? entry.operation.pageSize : undefined) ?? defaultPageSize;
  const visits = counters.visits;
  if (visits === undefined || tasks <= size + 1) return;
  tally.witness('COST-2');
  if (visits <= size + 1) return;
  tally.fail(
    finding(world, {
      rule: 'COST-2',
      let: [],
      then: [entry.index],
      saw: `an unfiltered page of size ${size} visited ${visits} entries where ${tasks} tasks stand`,
      allowed: `at most page size + 1 = ${size + 1}, at any depth`,
    }),
  );
}

/** No counter grows faster than log n: means for writes, whose splits are paid now and then; the dearest of pages. */
function judgeGrowth(world: World, rule: string, kind: string, samples: readonly Sample[], tally: Tally): void {
  const small = Math.min(...samples.filter(({ tasks }) => tasks >= 64).map(({ tasks }) => tasks));
  const large = Math.max(...samples.map(({ tasks }) => tasks));
  if (!Number.isFinite(small) || large < small * sizeRatio) return;
  const low = samples.filter(({ tasks }) => tasks >= small && tasks <= small * 1.5);
  const high = samples.filter(({ tasks }) => tasks >= large / 1.5);
  for (const name of new Set(samples.flatMap(({ counters }) => Object.keys(counters)))) {
    const value = (group: readonly Sample[]): number => {
      const values = group.map(({ counters }) => counters[name] ?? 0);
      return rule === 'COST-2' ? Math.max(...values) : values.reduce((sum, one) => sum + one, 0) / values.length;
    };
    const [before, after] = [value(low), value(high)];
    tally.witness(rule, high.length);
    if (after <= growthFactor * before + growthSlack) continue;
    const dearest = high.reduce((best, one) => ((one.counters[name] ?? 0) > (best.counters[name] ?? 0) ? one : best));
    tally.fail(
      finding(world, {
        rule,
        let: [low[0]?.entry.index ?? 0],
        then: [dearest.entry.index],
        saw: `${kind} moves the counter ${name} by ${round(before)} where ${small} tasks stand and by ${round(after)} where ${large} stand`,
        allowed: `it grows as log n: at most ${growthFactor} × ${round(before)} + ${growthSlack} there`,
      }),
    );
  }
}

function round(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0);
}
