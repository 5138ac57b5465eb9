import fc from 'fast-check';
import { expect, it } from 'vitest';
import { boundaryValues } from './postgres-boundary.ts';

const bytes = (text: string): Buffer => Buffer.from(text);
const order = (a: string, b: string): number => Math.sign(Buffer.compare(bytes(a), bytes(b)));

it('gives an id in the same order to every stored id as the boundary itself', () => {
  const piece = fc.constantFrom(
    '',
    'a',
    'b',
    '\u0001',
    'é',
    '\u{1F600}',
    'x'.repeat(997),
    'é'.repeat(499),
    '\u{1F600}'.repeat(249),
  );
  const stored = fc
    .array(piece, { maxLength: 4 })
    .map((pieces) => pieces.join(''))
    .filter((id) => id !== '' && bytes(id).length <= 1000);
  const boundary = fc
    .array(fc.oneof(piece, fc.constant('\0')), { minLength: 1, maxLength: 4 })
    .map((pieces) => pieces.join(''))
    .filter((id) => id !== '');
  fc.assert(
    fc.property(stored, boundary, (id, at) => {
      const [, sent] = boundaryValues({ id: at, lastUpdatedMicros: 0n });
      // What is not strictly below the boundary is not listed: equal and above are one.
      expect(order(id, sent) < 0).toBe(order(id, at) < 0);
      expect(sent).not.toContain('\0');
      expect(sent.isWellFormed()).toBe(true);
      expect(bytes(sent).length).toBeLessThanOrEqual(1004);
    }),
    { numRuns: 3_000 },
  );
});
