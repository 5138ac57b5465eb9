/** Where a task stands in a list, and the form of an id that sorts by its UTF-8 bytes. */
import { InvalidArgumentError } from '../task/errors.ts';

/** A place in the list order: what an index is sorted by and what a boundary names. */
export interface Position {
  /** Last-update time: microseconds since the Unix epoch, signed 64-bit. */
  readonly micros: bigint;
  readonly id: string;
  /** The id's UTF-8 bytes, one a character: such strings compare with `<` as the bytes do. */
  readonly idBytes: string;
}

/** The longest id or context id that a store in memory takes, in UTF-8 bytes: it keeps tokens within reach of a request. */
export const MAX_ID_BYTES = 65_536;

/**
 * Gives the UTF-8 bytes of a text, one a character. An ASCII text is its own answer.
 * JavaScript compares UTF-16 code units, which puts U+1F600 before U+FF61; UTF-8 bytes put it after (ORDER-1).
 */
export function utf8Bytes(text: string): string {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 0x7f) return Buffer.from(text, 'utf8').toString('latin1');
  }
  return text;
}

/**
 * Gives the UTF-8 bytes of an id, one a character. Throws `invalid-argument` for what no store can keep: not a string,
 * empty, over `MAX_ID_BYTES`, or with a lone surrogate, since all of those encode to the same three bytes (STORE-3).
 */
export function idBytesOf(id: string): string {
  if (typeof id !== 'string' || id === '') throw new InvalidArgumentError('An id is a non-empty string');
  return checkedBytes(id, 'id');
}

/** Refuses a context id that no store can keep, as `idBytesOf` does; the empty one stands for no context. */
export function checkContextId(contextId: string): void {
  if (typeof contextId !== 'string') throw new InvalidArgumentError('A context id is a string');
  checkedBytes(contextId, 'context id');
}

function checkedBytes(text: string, what: string): string {
  if (text.length > MAX_ID_BYTES) throw new InvalidArgumentError(`The ${what} is too long`);
  const bytes = utf8Bytes(text);
  if (bytes === text) return bytes;
  if (/\p{Surrogate}/u.test(text)) throw new InvalidArgumentError(`The ${what} is not well-formed Unicode`);
  if (bytes.length > MAX_ID_BYTES) throw new InvalidArgumentError(`The ${what} is too long`);
  return bytes;
}

/** Compares two places in list order: negative where `a` is listed first, that is, newer, or of the greater id (ORDER-1). */
export function comparePositions(a: Position, b: Position): number {
  if (a.micros !== b.micros) return a.micros > b.micros ? -1 : 1;
  if (a.idBytes !== b.idBytes) return a.idBytes > b.idBytes ? -1 : 1;
  return 0;
}
