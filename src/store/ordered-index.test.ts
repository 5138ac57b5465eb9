import { describe, expect, test } from 'vitest';
import { OrderedIndex } from './ordered-index.ts';
import { comparePositions, type Position, utf8Bytes } from './position.ts';

/** Numbers from a seed, below `bound`. */
function numbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

function position(micros: bigint, id: string): Position {
  return { micros, id, idBytes: utf8Bytes(id) };
}

function listed(index: OrderedIndex<Position>, after?: Position, limit = Number.POSITIVE_INFINITY): Position[] {
  return index.scan(after, limit);
}

describe('the ordered index', () => {
  test.each([1, 2, 3, 4])('holds what a sorted array holds through inserts, moves and removals (seed %i)', (seed) => {
    const below = numbers(seed);
    const index = new OrderedIndex<Position>();
    const model: Position[] = [];
    // Few times and a narrow choice of ids make many ties; the high half of the time and its sign change too.
    const times = [-(2n ** 63n), -1n, 0n, 1n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n];
    for (let step = 0; step < 6000; step++) {
      const growing = step < 3000 || step > 5000;
      if (below(100) < (growing ? 60 : 35)) {
        const entry = position(times[below(times.length)]!, `${below(2)}${'é\uff61\u{1f600}\0a'[below(5)]}${step}`);
        index.insert(entry);
        model.push(entry);
      } else if (model.length > 0) {
        const at = below(model.length);
        const old = model[at]!;
        if (below(2) === 0) {
          const moved = { ...old, micros: times[below(times.length)]! };
          index.replace(old, moved);
          model[at] = moved;
        } else {
          expect(index.remove(old)).toBe(true);
          model.splice(at, 1);
        }
      }
      if (step % 200 === 0) {
        const sorted = [...model].sort(comparePositions);
        expect(listed(index)).toEqual(sorted);
        const boundary = position(times[below(times.length)]!, `${below(2)}é${below(step + 1)}`);
        const after = sorted.filter((entry) => comparePositions(entry, boundary) > 0);
        expect(listed(index, boundary, 5)).toEqual(after.slice(0, 5));
        expect(listed(index, boundary, 90)).toEqual(after.slice(0, 90));
        const odd = ({ id }: Position) => id.endsWith('1');
        expect(index.scan(boundary, 7, odd)).toEqual(after.filter(odd).slice(0, 7));
      }
    }
    expect(index.size).toBe(model.length);
    for (const entry of model) expect(index.remove(entry)).toBe(true);
    expect(index.size).toBe(0);
    expect(listed(index)).toEqual([]);
  });

  test('starts strictly after a boundary that is there, and at its place where it is not', () => {
    const index = new OrderedIndex<Position>();
    for (const id of ['a', 'b', 'c']) index.insert(position(5n, id));
    const ids = (after: Position) => listed(index, after).map(({ id }) => id);
    expect(ids(position(5n, 'b'))).toEqual(['a']);
    expect(ids(position(5n, 'bb'))).toEqual(['b', 'a']);
    expect(ids(position(6n, ''))).toEqual(['c', 'b', 'a']);
    expect(ids(position(5n, 'a'))).toEqual([]);
  });

  test('says that an entry it does not hold was not removed', () => {
    const index = new OrderedIndex<Position>();
    index.insert(position(5n, 'a'));
    expect(index.remove(position(5n, 'b'))).toBe(false);
    expect(index.remove(position(4n, 'a'))).toBe(false);
    expect(index.size).toBe(1);
  });

  test.each([
    ['rising', (i: number, n: number) => [BigInt(i), n] as const],
    ['falling', (i: number, n: number) => [BigInt(n - i), n] as const],
    ['equal', (_: number, n: number) => [7n, n] as const],
  ])('costs a write O(log n) comparisons and steps when times arrive %s', (_, timeOf) => {
    const n = 20_000;
    const index = new OrderedIndex<Position>();
    const entries: Position[] = [];
    for (let i = 0; i < n; i++) entries.push(position(timeOf(i, n)[0], String(i).padStart(6, '0')));
    for (const entry of entries) index.insert(entry);
    const { comparisons, indexSteps } = { ...index.counters };
    for (let i = 0; i < 1000; i++) {
      const old = entries[i * 7]!;
      index.replace(old, { ...old, micros: BigInt(n + i) });
    }
    const perKey = Math.ceil(Math.log2(n)) + 3;
    expect((index.counters.comparisons - comparisons) / 2000).toBeLessThanOrEqual(perKey);
    expect((index.counters.indexSteps - indexSteps) / 2000).toBeLessThanOrEqual(6);
  });

  test.each([1_000, 10_000, 100_000])('finds a page among %i with ⌈log2 n⌉ + 3 comparisons at any depth', (n) => {
    const below = numbers(n);
    const index = new OrderedIndex<Position>();
    const entries = Array.from({ length: n }, (_, i) => position(BigInt(i >> 1), `task-${i}`));
    for (const entry of entries) index.insert(entry);
    for (let i = 0; i < n; i++) {
      const at = below(n);
      const moved = { ...entries[at]!, micros: BigInt(n + i) };
      index.replace(entries[at]!, moved);
      entries[at] = moved;
    }
    for (let i = 0; i < 500; i++) {
      const before = { ...index.counters };
      listed(index, entries[below(n)]!, 51);
      expect(index.counters.comparisons - before.comparisons).toBeLessThanOrEqual(Math.ceil(Math.log2(n)) + 3);
      expect(index.counters.visits - before.visits).toBeLessThanOrEqual(51);
    }
  });
});
