import { describe, expect, it } from 'vitest';
import { growthOf, isWithin, sayNumber } from './growth.ts';

const sizes = [1_000, 10_000, 100_000, 1_000_000];
const grow = (cost: (n: number) => number, over: readonly number[] = sizes) =>
  growthOf(over.map((n) => ({ n, value: cost(n) })));

describe('growthOf', () => {
  it.each([
    ['constant', () => 51],
    ['constant', () => 0],
    ['log n', (n: number) => 6 * Math.log2(n)],
    ['linear', (n: number) => n / 100],
    ['linear', (n: number) => n + 500],
    ['n log n', (n: number) => n * Math.log2(n)],
    ['worse', (n: number) => n * n],
  ] as const)('calls %s what it is', (growth, cost) => {
    expect(grow(cost).growth).toBe(growth);
  });

  it('tells linear from n log n over two decades', () => {
    expect(grow((n) => n, sizes.slice(0, 3)).growth).toBe('linear');
    expect(grow((n) => n * Math.log2(n), sizes.slice(0, 3)).growth).toBe('n log n');
  });

  it('keeps log n for a structure that needs twice the steps at some sizes', () => {
    const steps = new Map([
      [1_000, 20],
      [10_000, 52],
      [100_000, 66],
    ]);
    expect(grow((n) => steps.get(n) ?? 0, sizes.slice(0, 3)).growth).toBe('log n');
  });

  it('calls a square root linear, since it is not log n', () => {
    expect(grow((n) => 10 * Math.sqrt(n)).growth).toBe('linear');
  });

  it('names the sizes and values that rule the lesser class out', () => {
    expect(grow((n) => n).decidedBy).toBe('1,000 at n = 1,000, 1,000,000 at n = 1,000,000: log n allows 4,016');
  });

  it('says nothing of one size, or of two that are near', () => {
    expect(grow((n) => n, [1_000]).growth).toBe('inconclusive');
    expect(grow((n) => n, [1_000, 4_000])).toEqual({
      growth: 'inconclusive',
      decidedBy: 'numbers of tasks so near to each other tell no growth',
    });
  });
});

describe('isWithin', () => {
  it('orders the classes', () => {
    expect(isWithin('constant', 'log n')).toBe(true);
    expect(isWithin('log n', 'log n')).toBe(true);
    expect(isWithin('linear', 'log n')).toBe(false);
  });
});

describe('sayNumber', () => {
  it('sets thousands off and keeps a decimal where it says something', () => {
    expect([0, 12.34, 12, 999.6, 1_234_567.8].map(sayNumber)).toEqual(['0', '12.3', '12', '1,000', '1,234,568']);
  });
});
