import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_TIME_MICROS, MIN_TIME_MICROS } from '../task/clock.ts';
import { InvalidArgumentError } from '../task/errors.ts';
import { decodePageToken, encodePageToken, MAX_PAGE_TOKEN_LENGTH, MAX_TOKEN_ID_BYTES } from './page-token.ts';

const micros = fc.bigInt({ min: MIN_TIME_MICROS, max: MAX_TIME_MICROS });
const unit = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  fc.constantFrom('\0', '.', ' ', '\ufeff'),
);
const id = fc.string({ unit, minLength: 1 });

function errorOf(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('a page token', () => {
  it('gives back every boundary as it was', () => {
    fc.assert(
      fc.property(micros, id, (lastUpdatedMicros, id) => {
        const cursor = { lastUpdatedMicros, id };
        expect(decodePageToken(encodePageToken(cursor))).toStrictEqual(cursor);
      }),
    );
  });

  it('needs no escaping in a query string', () => {
    fc.assert(
      fc.property(micros, id, (lastUpdatedMicros, id) => {
        expect(encodePageToken({ lastUpdatedMicros, id })).toMatch(/^[A-Za-z0-9._-]+$/);
      }),
    );
  });

  it('is the only spelling of its boundary', () => {
    const cursor = { lastUpdatedMicros: -12n, id: 'a\0b' };
    const token = encodePageToken(cursor);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. \n\0';
    for (let at = 0; at <= token.length; at++) {
      for (const character of ['', ...alphabet]) {
        for (const other of [
          token.slice(0, at) + character + token.slice(at),
          token.slice(0, at) + character + token.slice(at + 1),
        ]) {
          if (other === token || errorOf(() => decodePageToken(other)) !== undefined) continue;
          expect(decodePageToken(other)).not.toStrictEqual(cursor);
        }
      }
    }
  });
});

describe('encoding', () => {
  it.each([
    ['an empty id', ''],
    ['a lone high surrogate', 'z\ud800'],
    ['a lone low surrogate', '\udc00z'],
    ['surrogates in the wrong order', '\udc00\ud800'],
    ['an id one byte too long', 'a'.repeat(MAX_TOKEN_ID_BYTES + 1)],
    ['an id too long in bytes though not in characters', 'é'.repeat(MAX_TOKEN_ID_BYTES / 2 + 1)],
  ])('refuses %s', (_, id) => {
    expect(() => encodePageToken({ lastUpdatedMicros: 0n, id })).toThrow(InvalidArgumentError);
  });

  it.each([MAX_TIME_MICROS + 1n, MIN_TIME_MICROS - 1n])(
    'refuses the time %s, outside signed 64 bits',
    (lastUpdatedMicros) => {
      expect(() => encodePageToken({ lastUpdatedMicros, id: 'a' })).toThrow(InvalidArgumentError);
    },
  );
});

describe('decoding', () => {
  it('takes the longest token and refuses a longer text', () => {
    const cursor = { lastUpdatedMicros: MIN_TIME_MICROS, id: 'é'.repeat(MAX_TOKEN_ID_BYTES / 2) };
    const token = encodePageToken(cursor);
    expect(token.length).toBe(MAX_PAGE_TOKEN_LENGTH);
    expect(decodePageToken(token).id === cursor.id).toBe(true);
    expect(() => decodePageToken(`${token}YWJj`)).toThrow(InvalidArgumentError);
    // Short enough in all, since its time is short: the id alone is too long.
    const shorter = `v1.0.${token.slice(token.lastIndexOf('.') + 1)}YWJj`;
    expect(shorter.length).toBeLessThan(MAX_PAGE_TOKEN_LENGTH);
    expect(() => decodePageToken(shorter)).toThrow(InvalidArgumentError);
  });

  it('answers whatever is wrong with one error that repeats nothing', () => {
    const wrong = [
      '',
      '0',
      ' ',
      'v2.0.YQ',
      'v1.0.',
      'v1..YQ',
      'v1.+5.YQ',
      'v1.0.YR',
      'v1.0.YQ==',
      'v1.0.gA',
      'v1.0',
      `v1.${2n ** 63n}.YQ`,
    ];
    const long = `v1.${'9'.repeat(1_000_000)}.YQ`;
    const untyped = [undefined, null, 5, ['v1.0.YQ'], { toString: () => 'v1.0.YQ' }] as unknown as string[];
    for (const token of [...wrong, long, ...untyped]) {
      const error = errorOf(() => decodePageToken(token));
      expect(error).toBeInstanceOf(InvalidArgumentError);
      expect((error as Error).message).toBe('Invalid page token');
      expect((error as Error).cause).toBeUndefined();
    }
  });
});
