import { describe, expect, it } from 'vitest';
import { runInLanes } from './lanes.ts';

/** Runs numbers up to `count`, each for so many turns as `turns` says, and tells which were under way with each. */
async function companions(count: number, lanes: number, isAlone: (work: number) => boolean = () => false) {
  const underWay = new Set<number>();
  const met = new Map<number, Set<number>>();
  let upcoming = 0;
  await runInLanes<number>({
    lanes,
    next: () => (upcoming < count ? upcoming++ : undefined),
    isAlone,
    run: async (work) => {
      underWay.add(work);
      for (const one of underWay) for (const other of underWay) met.set(one, (met.get(one) ?? new Set()).add(other));
      for (let turn = 0; turn < 3 + (work % 2); turn++) await undefined;
      underWay.delete(work);
    },
  });
  return met;
}

describe('work in lanes', () => {
  it('is all done, no more at once than there are lanes', async () => {
    const met = await companions(20, 3);
    expect([...met.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, work) => work));
    expect(met.get(0)).toEqual(new Set([0, 1, 2]));
  });

  it('is done one by one in one lane', async () => {
    for (const [work, others] of await companions(5, 1)) expect([...others]).toEqual([work]);
  });

  it('leaves a piece alone that must be', async () => {
    const met = await companions(20, 3, (work) => work % 5 === 0);
    for (const work of [0, 5, 10, 15]) expect([...(met.get(work) ?? [])]).toEqual([work]);
    expect(met.size).toBe(20);
  });

  it('fails as its first failure does, when all that was under way has ended', async () => {
    const ended: number[] = [];
    let upcoming = 0;
    const all = runInLanes<number>({
      lanes: 2,
      next: () => upcoming++,
      isAlone: () => false,
      run: async (work) => {
        if (work === 2) throw new Error('of 2');
        for (let turn = 0; turn < 20; turn++) await undefined;
        ended.push(work);
      },
    });
    await expect(all).rejects.toThrow('of 2');
    expect(ended).toEqual(Array.from({ length: ended.length }, (_, at) => (at < 2 ? at : at + 1)));
    expect(upcoming).toBe(ended.length + 1);
  });
});
