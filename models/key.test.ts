import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareIdBytes, compareKeys } from './key.ts';

/** Ids that tell byte order from other orders: astral planes, the top of the basic plane, marks, prefixes. */
const telling = fc.constantFrom(
  'a',
  'ab',
  'Z',
  '\0',
  '\ufeff',
  '\ud7ff',
  '\ue000',
  '\uff61',
  '\u{10000}',
  '\u{10ffff}',
);
const id = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.array(telling, { maxLength: 4 }).map((parts) => parts.join('')),
);
const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

describe('ids', () => {
  it('are ordered as their UTF-8 bytes', () => {
    fc.assert(
      fc.property(id, id, (a, b) => {
        expect(Math.sign(compareIdBytes(a, b))).toBe(bytes(a, b));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['\u{1f600}', '\uff61', 'beyond the basic plane, where UTF-16 units say the opposite'],
    ['\ufeffa', 'a', 'after a byte-order mark, which decoders drop'],
    ['ab', 'a', 'behind their prefix'],
    ['a', 'Z', 'by code, not by letter'],
    ['e\u0301', 'e', 'by code, not by normal form'],
  ])('put %j after %j: %s', (later, earlier) => {
    expect(compareIdBytes(later, earlier)).toBeGreaterThan(0);
    expect(compareIdBytes(earlier, later)).toBeLessThan(0);
  });
});

describe('keys', () => {
  const key = fc.record({ micros: fc.constantFrom(-(2n ** 63n), -5n, 0n, 1n, 2n ** 53n + 1n, 2n ** 63n - 1n), id });

  it('put the later time first, and at one time the greater id', () => {
    expect(compareKeys({ micros: 2n, id: 'a' }, { micros: 1n, id: 'z' })).toBeLessThan(0);
    expect(compareKeys({ micros: 1n, id: 'z' }, { micros: 1n, id: 'a' })).toBeLessThan(0);
    expect(compareKeys({ micros: 2n ** 53n + 1n, id: 'a' }, { micros: 2n ** 53n, id: 'a' })).toBeLessThan(0);
  });

  it('are equal only to themselves, and ordered both ways alike', () => {
    fc.assert(
      fc.property(key, key, (a, b) => {
        expect(Math.sign(compareKeys(a, b))).toBe(0 - Math.sign(compareKeys(b, a)));
        expect(compareKeys(a, b) === 0).toBe(a.micros === b.micros && a.id === b.id);
      }),
    );
  });

  it('are ordered through a third', () => {
    fc.assert(
      fc.property(key, key, key, (a, b, c) => {
        const [first, second, third] = [a, b, c].sort(compareKeys);
        expect(compareKeys(first!, third!)).toBeLessThanOrEqual(0);
        expect(compareKeys(first!, second!)).toBeLessThanOrEqual(0);
      }),
    );
  });
});
