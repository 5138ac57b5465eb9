/**
 * Page token v1: the one spelling of a boundary. The grammar is in `spec/vectors/README.md`; every check here stands
 * for one way in which two tokens could otherwise mean the same boundary, or a token could mean none.
 */
import { Buffer, isUtf8 } from 'node:buffer';
import { MAX_TIME_MICROS, MIN_TIME_MICROS } from '../task/clock.ts';
import { InvalidArgumentError } from '../task/errors.ts';
import type { TaskCursor } from '../task/task.ts';

/** Turns boundaries into page tokens and back; a store takes one as a part, so that a faulty one can stand in for it. */
export interface PageTokenCodec {
  encode(cursor: TaskCursor): string;
  decode(token: string): TaskCursor;
}

/** The longest id that a v1 token carries, in UTF-8 bytes: a store refuses longer ids, so that its own tokens work. */
export const MAX_TOKEN_ID_BYTES: number = 768 * 1024;

const PREFIX = 'v1.';
const LONGEST_TIME = '-9223372036854775808'.length;

/** The longest v1 token in characters, 1 MiB and 24: a longer text is refused before any of it is decoded. */
export const MAX_PAGE_TOKEN_LENGTH: number = PREFIX.length + LONGEST_TIME + 1 + (MAX_TOKEN_ID_BYTES / 3) * 4;

// The one decimal spelling of an integer. BigInt alone takes "", " 5 ", "+5", "012" and "0x5" too.
const INTEGER = /^(?:0|-?[1-9][0-9]*)$/;

// Encoded as UTF-8, every lone surrogate becomes the same three bytes: two ids would share one token.
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Spells the boundary as `v1.TIME.ID`: the time in decimal microseconds, the id's UTF-8 bytes in unpadded base64url
 * (RFC 4648 §5), in time linear in the id. Throws `invalid-argument` for a cursor that no store may give: an id that
 * is empty, ill-formed or over `MAX_TOKEN_ID_BYTES`, a time outside signed 64 bits (TOKEN-2).
 */
export function encodePageToken(cursor: TaskCursor): string {
  const { id, lastUpdatedMicros } = cursor;
  const bytes = Buffer.from(id);
  if (bytes.length === 0 || bytes.length > MAX_TOKEN_ID_BYTES || LONE_SURROGATE.test(id) || !isTime(lastUpdatedMicros))
    throw new InvalidArgumentError('Task cursor has no page token');
  return `${PREFIX}${lastUpdatedMicros}.${bytes.toString('base64url')}`;
}

/**
 * Reads a boundary back, never looking at a store. Throws `invalid-argument` with one fixed message for everything
 * that `encodePageToken` doesn't give, whatever is wrong with it (TOKEN-3, TOKEN-4): the text is never echoed.
 */
export function decodePageToken(token: string): TaskCursor {
  // Callers without types pass other things than strings here.
  if (typeof token !== 'string' || token.length > MAX_PAGE_TOKEN_LENGTH || !token.startsWith(PREFIX)) throw refusal();

  const end = token.indexOf('.', PREFIX.length);
  // The length first: reading a decimal number of a million digits takes time quadratic in them.
  if (end < 0 || end > PREFIX.length + LONGEST_TIME) throw refusal();
  const time = token.slice(PREFIX.length, end);
  if (!INTEGER.test(time)) throw refusal();
  const lastUpdatedMicros = BigInt(time);
  if (!isTime(lastUpdatedMicros)) throw refusal();

  const text = token.slice(end + 1);
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length === 0 || bytes.length > MAX_TOKEN_ID_BYTES) throw refusal();
  // Node's decoder skips junk and padding, takes both alphabets and drops trailing bits; only one text comes back.
  if (bytes.toString('base64url') !== text) throw refusal();
  if (!isUtf8(bytes)) throw refusal();
  // Unlike TextDecoder, this keeps a leading U+FEFF.
  return { lastUpdatedMicros, id: bytes.toString('utf8') };
}

/** The v1 codec as a part of a store. */
export const pageTokenV1: PageTokenCodec = { encode: encodePageToken, decode: decodePageToken };

function isTime(micros: bigint): boolean {
  return micros >= MIN_TIME_MICROS && micros <= MAX_TIME_MICROS;
}

function refusal(): InvalidArgumentError {
  return new InvalidArgumentError('Invalid page token');
}
