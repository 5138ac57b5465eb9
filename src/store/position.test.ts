import { describe, expect, test } from 'vitest';
import { InvalidArgumentError } from '../task/errors.ts';
import { checkContextId, comparePositions, idBytesOf, MAX_ID_BYTES, utf8Bytes } from './position.ts';

const ids = ['a', 'ab', 'a\0', 'a\0b', 'B', '_', 'é', 'e\u0301', '\uff61', '\u{1f600}', '\ufeffa', 'a ', '__proto__'];

describe('positions', () => {
  test('sort ids as their UTF-8 bytes sort', () => {
    for (const a of ids) {
      for (const b of ids) {
        const expected = Math.sign(Buffer.compare(Buffer.from(b), Buffer.from(a)));
        const place = (id: string) => ({ micros: 1n, id, idBytes: utf8Bytes(id) });
        expect(Math.sign(comparePositions(place(a), place(b))), `${a} ${b}`).toBe(expected);
      }
    }
  });

  test('list the newer first, whatever the ids', () => {
    const place = (micros: bigint, id: string) => ({ micros, id, idBytes: id });
    expect(comparePositions(place(2n ** 53n + 1n, 'a'), place(2n ** 53n, 'b'))).toBe(-1);
    expect(comparePositions(place(-2n, 'b'), place(-1n, 'a'))).toBe(1);
  });

  test('take every well-formed id and refuse the others', () => {
    for (const id of [...ids, '\0', 'x'.repeat(MAX_ID_BYTES), '\u{10ffff}']) expect(() => idBytesOf(id)).not.toThrow();
    const refused = ['', '\ud800', 'a\udc00b', 'x'.repeat(MAX_ID_BYTES + 1), 'é'.repeat(MAX_ID_BYTES / 2 + 1)];
    for (const id of refused) expect(() => idBytesOf(id), id.slice(0, 9)).toThrow(InvalidArgumentError);
    expect(() => idBytesOf(undefined as unknown as string)).toThrow(InvalidArgumentError);
  });

  test('take the empty context id, not an ill-formed one', () => {
    expect(() => checkContextId('')).not.toThrow();
    expect(() => checkContextId('c\udfff')).toThrow(InvalidArgumentError);
  });
});
