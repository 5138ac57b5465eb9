/**
 * The v1 page token, read plainly: one digit, one sextet, one byte and one code point at a time, in the order in which
 * `spec/vectors/README.md` gives the grammar. Shares nothing with the codec in `src/token` but the cursor's type.
 */
import type { TaskCursor } from '../src/task/task.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const DIGITS = '0123456789';
const LARGEST = 9_223_372_036_854_775_807n;
const SMALLEST = -9_223_372_036_854_775_808n;
const LONGEST_ID = 786_432;

/** Gives the token of a boundary; undefined where it has none: an empty, ill-formed or over-long id, a time out of range. */
export function encodePageToken(cursor: TaskCursor): string | undefined {
  const bytes = utf8(cursor.id);
  if (bytes === undefined || bytes.length === 0 || bytes.length > LONGEST_ID) return undefined;
  if (cursor.lastUpdatedMicros < SMALLEST || cursor.lastUpdatedMicros > LARGEST) return undefined;
  return `v1.${decimal(cursor.lastUpdatedMicros)}.${base64url(bytes)}`;
}

/**
 * Gives the boundary of a token; undefined where it has none. Finds the fields, reads each for what it could mean, and
 * takes the result only where the boundary's own spelling is this very token: so one spelling is valid (TOKEN-4).
 */
export function decodePageToken(token: string): TaskCursor | undefined {
  const [version, time, text, ...rest] = token.split('.');
  if (version !== 'v1' || time === undefined || text === undefined || rest.length > 0) return undefined;

  const lastUpdatedMicros = readDecimal(time);
  const bytes = readBase64url(text);
  if (lastUpdatedMicros === undefined || bytes === undefined) return undefined;

  const id = readUtf8(bytes);
  if (id === undefined) return undefined;

  const cursor = { lastUpdatedMicros, id };
  return encodePageToken(cursor) === token ? cursor : undefined;
}

function decimal(value: bigint): string {
  if (value < 0n) return `-${decimal(-value)}`;
  const last = DIGITS[Number(value % 10n)]!;
  return value < 10n ? last : decimal(value / 10n) + last;
}

function readDecimal(text: string): bigint | undefined {
  const negative = text.startsWith('-');
  const digits = negative ? text.slice(1) : text;
  if (digits.length === 0 || digits.length > 19) return undefined;
  let value = 0n;
  for (const digit of digits) {
    const worth = DIGITS.indexOf(digit);
    if (worth < 0) return undefined;
    value = value * 10n + BigInt(worth);
  }
  return negative ? -value : value;
}

/** RFC 4648 §5 without padding: three bytes are four characters; one byte is two, two are three, filled with zero bits. */
function base64url(bytes: readonly number[]): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const group = bytes.slice(at, at + 3);
    const bits = (group[0]! << 16) | ((group[1] ?? 0) << 8) | (group[2] ?? 0);
    for (let sextet = 0; sextet <= group.length; sextet++) text += ALPHABET[(bits >> (18 - 6 * sextet)) & 63];
  }
  return text;
}

function readBase64url(text: string): number[] | undefined {
  const bytes: number[] = [];
  let bits = 0;
  let count = 0;
  for (const character of text) {
    const sextet = ALPHABET.indexOf(character);
    if (sextet < 0) return undefined;
    bits = ((bits << 6) | sextet) & 0xffff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push((bits >> count) & 255);
    }
  }
  return bytes;
}

/** RFC 3629: a code point is one to four bytes; surrogates are no code points, so an id with a lone one has no bytes. */
function utf8(text: string): number[] | undefined {
  const bytes: number[] = [];
  for (const character of text) {
    const point = character.codePointAt(0)!;
    if (point >= 0xd800 && point <= 0xdfff) return undefined;
    if (point < 0x80) bytes.push(point);
    else if (point < 0x800) bytes.push(0xc0 | (point >> 6), tail(point));
    else if (point < 0x10000) bytes.push(0xe0 | (point >> 12), tail(point >> 6), tail(point));
    else bytes.push(0xf0 | (point >> 18), tail(point >> 12), tail(point >> 6), tail(point));
  }
  return bytes;
}

function tail(point: number): number {
  return 0x80 | (point & 0x3f);
}

const FORMS = [
  { mask: 0x80, mark: 0x00, tails: 0, least: 0 },
  { mask: 0xe0, mark: 0xc0, tails: 1, least: 0x80 },
  { mask: 0xf0, mark: 0xe0, tails: 2, least: 0x800 },
  { mask: 0xf8, mark: 0xf0, tails: 3, least: 0x10000 },
];

/** The first byte says how many follow and the least code point that needs so many: a smaller one is overlong. */
function readUtf8(bytes: readonly number[]): string | undefined {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at++]!;
    const form = FORMS.find(({ mask, mark }) => (lead & mask) === mark);
    if (form === undefined) return undefined;
    let point = lead & ~form.mask;
    for (let taken = 0; taken < form.tails; taken++) {
      const byte = bytes[at++] ?? 0;
      if (byte < 0x80 || byte > 0xbf) return undefined;
      point = (point << 6) | (byte & 0x3f);
    }
    if (point < form.least || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return undefined;
    text += String.fromCodePoint(point);
  }
  return text;
}
