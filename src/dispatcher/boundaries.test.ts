import { expect, it } from 'vitest';
import { compareCursors } from './boundaries.ts';

const at = (id: string, lastUpdatedMicros = 0n) => ({ id, lastUpdatedMicros });

it('puts the newer first', () => {
  expect(compareCursors(at('a', 2n), at('z', 1n))).toBeLessThan(0);
  expect(compareCursors(at('a', -(2n ** 63n)), at('a', 2n ** 63n - 1n))).toBeGreaterThan(0);
});

it('orders the ids of one time as their UTF-8 bytes, descending, whatever they are made of', () => {
  const letters = ['a', 'b', '\0', 'é', '\ud7ff', '\ue000', '｡', '\uffff', '\u{10000}', '\u{1f600}', '\u{10ffff}'];
  const ids = letters.flatMap((first) => [
    first,
    ...letters.flatMap((second) => [first + second, `a${first}${second}`]),
  ]);
  const unique = [...new Set(ids)];
  const byBytes = unique.toSorted((a, b) => Buffer.compare(Buffer.from(b), Buffer.from(a)));
  expect(unique.toSorted((a, b) => compareCursors(at(a), at(b)))).toEqual(byBytes);
});

it('calls two positions equal only where time and id are', () => {
  expect(compareCursors(at('ab'), at('ab'))).toBe(0);
  expect(compareCursors(at('ab'), at('a'))).toBeLessThan(0);
  expect(compareCursors(at('a\0b'), at('ab'))).toBeGreaterThan(0);
});
