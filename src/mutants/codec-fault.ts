/** How a faulty page-token codec is made: v1 with one change before or after it. */
import type { TaskCursor } from '../task/task.ts';
import { type PageTokenCodec, pageTokenV1 } from '../token/page-token.ts';

/** A codec that is `pageTokenV1` but for one thing. */
export interface CodecFault {
  readonly id: string;
  readonly fault: string;
  /** As in `Mutant`. */
  readonly breaks: readonly string[];
  readonly codec: PageTokenCodec;
}

/** What a boundary that slips down breaks: tasks are lost. */
export const slipsDown: readonly string[] = ['TOKEN-2', 'TOKEN-5', 'WALK-3', 'WALK-6', 'WALK-7'];

/** What a boundary that slips up breaks: tasks are shown again, perhaps for ever. */
export const slipsUp: readonly string[] = ['TOKEN-2', 'TOKEN-5', 'WALK-1', 'WALK-2', 'WALK-4', 'WALK-5', 'WALK-6'];

/** What a boundary that may slip either way breaks. */
export const slips: readonly string[] = [...new Set([...slipsDown, ...slipsUp])];

/** What a store breaks that refuses its own token. */
export const refusesOwnToken: readonly string[] = ['TOKEN-1', 'TOKEN-2'];

/** Spells another boundary than the one it got. */
export function writing(change: (cursor: TaskCursor) => TaskCursor): PageTokenCodec {
  return { ...pageTokenV1, encode: (cursor) => pageTokenV1.encode(change(cursor)) };
}

/** Gives another boundary than the one it read; undefined is a refusal. */
export function reading(change: (cursor: TaskCursor) => TaskCursor | undefined): PageTokenCodec {
  return { ...pageTokenV1, decode: (token) => change(pageTokenV1.decode(token)) ?? refuse() };
}

/** Reads another text than the one it got; undefined is a refusal. */
export function rewriting(change: (token: string) => string | undefined): PageTokenCodec {
  return {
    ...pageTokenV1,
    decode: (token) => {
      const text = change(token);
      return text === undefined ? refuse() : pageTokenV1.decode(text);
    },
  };
}

/** Spells a v1 token without looking at its parts. */
export function spellV1(time: bigint | string, bytes: Uint8Array): string {
  return `v1.${time}.${Buffer.from(bytes).toString('base64url')}`;
}

/** Refuses as v1 does, with its very error. */
export function refuse(): TaskCursor {
  return pageTokenV1.decode('');
}
