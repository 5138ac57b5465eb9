/** From a page token's boundary to the two values that the row comparison takes. */
import type { TaskCursor } from '../task/task.ts';
import { MAX_POSTGRES_ID_BYTES } from './postgres-ids.ts';
import { formatTimestamptz } from './postgres-time.ts';

/** A boundary as SQL takes it: a `timestamptz` and a text. */
export type BoundaryValues = readonly [time: string, id: string];

/**
 * Gives values that stand in the same order to every stored key as the boundary does, so that each v1 token has its
 * exact meaning, also where PostgreSQL can't hold it. Our reading: a boundary is a position, no reference to a task
 * (TOKEN-5), and a position can be taken although this store never issued it.
 * - Before PostgreSQL's first time: `-infinity`. Its last time lies beyond what a token can carry.
 * - A NUL in the id: the id up to it, then U+0001. No stored id has a NUL, so none lies between the two.
 * - An id longer than any stored one: its first characters, one byte more than a stored id can have. What differs from
 *   it, differs within them, so that a token of a megabyte costs no more than another.
 */
export function boundaryValues(cursor: TaskCursor): BoundaryValues {
  const nul = cursor.id.indexOf('\0');
  const id = nul < 0 ? cursor.id : `${cursor.id.slice(0, nul)}\u0001`;
  return [formatTimestamptz(cursor.lastUpdatedMicros), shorten(id)];
}

function shorten(id: string): string {
  if (id.length <= MAX_POSTGRES_ID_BYTES / 3) return id;
  const bytes = Buffer.from(id);
  if (bytes.length <= MAX_POSTGRES_ID_BYTES) return id;
  let end = MAX_POSTGRES_ID_BYTES + 1;
  // To the end of the character: bytes of the form 10xxxxxx go on with one.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end++;
  return bytes.toString('utf8', 0, end);
}
