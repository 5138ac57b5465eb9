import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePageToken as readPlainly, encodePageToken as spellPlainly } from '../../models/page-token.ts';
import { InvalidArgumentError } from '../../src/task/errors.ts';
import type { TaskCursor } from '../../src/task/task.ts';
import { decodePageToken, encodePageToken } from '../../src/token/page-token.ts';

interface Vectors {
  readonly valid: readonly {
    readonly name: string;
    readonly id: string;
    readonly micros: string;
    readonly token: string;
  }[];
  readonly invalid: readonly { readonly name: string; readonly token: string; readonly reason: string }[];
}

const file = readFileSync(new URL('page-token-v1.json', import.meta.url), 'utf8');
const { valid, invalid }: Vectors = JSON.parse(file);

/** What the codec makes of a text: a boundary, or undefined where it refuses as the contract says. */
function read(token: string): TaskCursor | undefined {
  try {
    return decodePageToken(token);
  } catch (error) {
    if (error instanceof InvalidArgumentError) return undefined;
    throw error;
  }
}

describe('page token v1 vectors', () => {
  it('are many, in ASCII, each with a name and a token of its own', () => {
    expect(valid.length).toBeGreaterThanOrEqual(60);
    expect(invalid.length).toBeGreaterThanOrEqual(120);
    expect(file).toMatch(/^[\n -~]*$/);
    const vectors = [...valid, ...invalid];
    expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
    expect(new Set(vectors.map(({ token }) => token)).size).toBe(vectors.length);
    expect(invalid.filter(({ reason }) => reason === '')).toEqual([]);
  });

  describe.each([
    { who: 'the codec', encode: encodePageToken, decode: read },
    { who: 'the model', encode: spellPlainly, decode: readPlainly },
  ])('with $who', ({ encode, decode }) => {
    it.each(valid)('spells and reads $name', ({ id, micros, token }) => {
      const cursor = { lastUpdatedMicros: BigInt(micros), id };
      expect(encode(cursor)).toBe(token);
      expect(decode(token)).toStrictEqual(cursor);
    });

    it.each(invalid)('refuses $name', ({ token }) => {
      expect(decode(token)).toBeUndefined();
    });
  });
});

describe('codec and model', () => {
  it('agree on every text near a good token', () => {
    // One edit away from a vector lie other good tokens as well as bad ones: both must be met for this to mean anything.
    const edit = fc.record({
      token: fc.constantFrom(...valid, ...invalid).map(({ token }) => token),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      cut: fc.nat({ max: 2 }),
      put: fc.string({ unit: fc.constantFrom(...'AZaz09-_.+/= v1\0\ufeffé'), maxLength: 2 }),
    });
    let good = 0;
    let bad = 0;
    fc.assert(
      fc.property(edit, ({ token, at, cut, put }) => {
        const start = Math.floor(at * token.length);
        const text = token.slice(0, start) + put + token.slice(start + cut);
        const seen = read(text);
        expect(seen).toStrictEqual(readPlainly(text));
        if (seen === undefined) bad++;
        else good++;
      }),
      { numRuns: 3000, seed: 2 },
    );
    expect(good).toBeGreaterThan(100);
    expect(bad).toBeGreaterThan(100);
  });
});
