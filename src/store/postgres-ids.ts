/** Which ids a PostgreSQL store keeps; all others are refused before a statement is sent (STORE-3). */
import { InvalidArgumentError } from '../task/errors.ts';

/** The longest id or context id, in UTF-8 bytes: two of them fit in an index entry, which ends at 2,704 bytes. */
export const MAX_POSTGRES_ID_BYTES = 1000;

/** Tells whether PostgreSQL can keep this text under an index: well-formed, without NUL, at most 1,000 bytes. */
export function isStorableId(text: unknown): text is string {
  return (
    typeof text === 'string' &&
    text.length <= MAX_POSTGRES_ID_BYTES &&
    !/[\0\p{Surrogate}]/u.test(text) &&
    Buffer.byteLength(text) <= MAX_POSTGRES_ID_BYTES
  );
}

/** Refuses a task id that can't be kept, the empty one included, with `invalid-argument`. */
export function checkTaskId(id: string): void {
  if (!isStorableId(id) || id === '')
    throw new InvalidArgumentError('The task id is empty, too long or not plain text');
}

/** Refuses a context id that can't be kept; the empty one stands for no context. */
export function checkStorableContext(contextId: string): void {
  if (!isStorableId(contextId)) throw new InvalidArgumentError('The context id is too long or not plain text');
}
