import { describe, expect, it } from 'vitest';
import { seededNumbers } from '../run/seeded-numbers.ts';
import { TriedSet } from './tried-set.ts';

type Placement = readonly [first: number, low: number, high: number, state: number, used: number];

describe('the set of what was tried', () => {
  it('takes each placement once, and none for another, however many there are', () => {
    const below = seededNumbers(1);
    const tried = new TriedSet();
    const known = new Set<string>();
    let again = 0;
    for (let round = 0; round < 20_000; round++) {
      const placement: Placement = [below(8), below(6), below(6), below(8), below(6)];
      const key = placement.join(' ');
      if (known.has(key)) again++;
      expect(`${key} ${tried.add(...placement)}`).toBe(`${key} ${!known.has(key)}`);
      known.add(key);
    }
    expect(again).toBeGreaterThan(5_000);
    expect(known.size).toBeGreaterThan(5_000);
  });

  it.each([0, 1, 2, 3, 4])('tells placements apart that differ in number %i alone', (position) => {
    const below = seededNumbers(2 + position);
    for (let round = 0; round < 20; round++) {
      const tried = new TriedSet();
      const others = below(1_000);
      const values = [...new Set(Array.from({ length: 120 }, () => below(2 ** 22)))];
      const told = values.map((value) => Array.from({ length: 5 }, (_, at) => (at === position ? value : others)));
      expect(told.map((one) => tried.add(...(one as unknown as Placement)))).toEqual(told.map(() => true));
      expect(told.map((one) => tried.add(...(one as unknown as Placement)))).toEqual(told.map(() => false));
    }
  });

  it('takes numbers of all the bits that they may have', () => {
    const [bits, state] = [2 ** 30 - 1, 2 ** 22 - 1];
    const tried = new TriedSet();
    const told: readonly Placement[] = [
      [0, 0, 0, 0, 0],
      [0, bits, bits, state, bits],
    ];
    expect(told.map((one) => tried.add(...one))).toEqual([true, true]);
    expect(told.map((one) => tried.add(...one))).toEqual([false, false]);
  });
});
