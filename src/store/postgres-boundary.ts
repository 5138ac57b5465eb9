/** From a page token's boundary to the two values that the row comparison takes. */
import { InvalidArgumentError } from '../task/errors.ts';
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
 * Throws the codec's own error for an id that is longer than any stored one: it only costs.
 */
export function boundaryValues(cursor: TaskCursor): BoundaryValues {
  const { id, lastUpdatedMicros } = cursor;
  if (Buffer.byteLength(id) > MAX_POSTGRES_ID_BYTES) throw new InvalidArgumentError('Invalid page token');
  const nul = id.indexOf('\0');
  return [formatTimestamptz(lastUpdatedMicros), nul < 0 ? id : `${id.slice(0, nul)}\u0001`];
}
