import { describe, expect, it } from 'vitest';
import { seededNumbers } from '../run/seeded-numbers.ts';
import { createMemorySubject } from '../subject/memory.ts';
import type { Subject, SubjectStore } from '../subject/subject.ts';
import { areIndependent, clockCurves, depthByClock, powerOf, type Timings } from './cost-clock.ts';
import { Limit } from './cost-limit.ts';
import { listSettings } from './cost-settings.ts';
import { CALL, costTask } from './cost-stage.ts';

const random = seededNumbers(7);
/** A time with noise of up to so many times its value, and now and then a pause of the collector. */
const noisy = (time: number, noise: number): number =>
  time * (1 + (noise * random(1_000)) / 1_000) + (random(10) === 0 ? 20_000 : 0);
const pairs = (small: number, large: number, noise: number) =>
  Array.from({ length: 25 }, (): [number, number] => [noisy(small, noise), noisy(large, noise)]);

describe('powerOf', () => {
  const sizes = [1_000, 100_000];

  it.each([
    ['log n', 300, 330],
    ['log n', 300, 700],
    ['linear', 300, 13_000],
    ['linear', 300, 30_000],
    // What caches can do to a tree, and what a fixed cost can hide of a scan: neither may be called by the other's name.
    ['inconclusive', 300, 2_600],
  ] as const)('calls it %s where %i µs become %i, whatever the collector adds', (growth, small, large) => {
    expect(powerOf(sizes, pairs(small, large, 0.3)).growth).toBe(growth);
  });

  it('gives no verdict where noise covers the answer', () => {
    const wild = Array.from({ length: 25 }, (_, at): [number, number] => [300, at % 2 === 0 ? 400 : 60_000]);
    expect(powerOf(sizes, wild).growth).toBe('inconclusive');
  });

  it('calls nothing flat over one decade, where a fixed cost can hide what grows', () => {
    expect(powerOf([1_000, 10_000], pairs(300, 330, 0.1)).growth).toBe('inconclusive');
    expect(powerOf([1_000, 10_000], pairs(300, 2_400, 0.1)).growth).toBe('linear');
  });

  it('gives none for sizes that are near to each other', () => {
    expect(powerOf([1_000, 2_000], pairs(300, 600, 0)).growth).toBe('inconclusive');
  });
});

const settings = listSettings('one time', { callers: false });
/** Rounds of first pages and of pages at 50 %, at 90 % and of one context, which take these times. */
const timings = (...times: readonly number[][]): Timings => ({
  settings,
  sizes: [1_000, 100_000],
  rounds: Array.from({ length: 25 }, () => settings.map((_, s) => times[s]!.map((time) => noisy(time, 0.1)))),
});
const missing = Number.NaN;

describe('depthByClock', () => {
  it.each([
    ['held', [300, 300], [300, 330]],
    ['broken', [300, 300], [300, 9_000]],
    ['undecided', [300, 300], [300, 900]],
  ] as const)('is %s where first pages take %j and deep ones %j', (standing, first, deep) => {
    expect(depthByClock(timings([...first], [...first], [...deep], [...first])).standing).toBe(standing);
  });

  it('takes the largest size at which a deep page was reached, and says when none was', () => {
    const reached = depthByClock(timings([300, 300], [300, 300], [310, missing], [300, 300]));
    expect(reached).toMatchObject({ standing: 'held', decidedBy: expect.stringContaining('n = 1,000') });
    const none = depthByClock(timings([300, 300], [300, 300], [missing, missing], [300, 300]));
    expect(none).toEqual({ standing: 'undecided', decidedBy: 'no page at 90 % was reached in time' });
  });
});

describe('clockCurves', () => {
  it('judges pages without filter unless a total is always computed, and gives quartiles', () => {
    const taken = timings([300, 30_000], [300, 30_000], [300, missing], [300, 30_000]);
    const judged = clockCurves(taken, { growthJudged: true });
    expect(judged.map(({ standing, growth }) => `${standing} ${growth}`)).toEqual([
      'broken linear',
      'broken linear',
      'undecided inconclusive',
      'reported linear',
    ]);
    const [{ low = 0, value, high = 0 } = { value: 0 }] = judged[0]!.points;
    expect(low <= value && value <= high && low < high).toBe(true);
    expect(clockCurves(taken, { growthJudged: false }).every(({ standing }) => standing === 'reported')).toBe(true);
  });
});

describe('areIndependent', () => {
  const create = (store: SubjectStore) => store.create(costTask('alone', 0, ''), CALL);

  it('tells stores of their own from one that all share', async () => {
    const limit = new Limit(10_000, undefined);
    const memory = createMemorySubject();
    const shared = await memory.open();
    const sharing: Subject = { ...memory, open: async () => shared };
    expect(await areIndependent(memory, limit, create)).toBe(true);
    expect(await areIndependent(sharing, limit, create)).toBe(false);
    limit.stop();
  });
});
