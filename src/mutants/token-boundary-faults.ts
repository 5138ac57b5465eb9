/** Stores with a right codec that put another boundary than the last task's key into it. */
import { parseInstant } from '../store/instant.ts';
import { cursorOf } from '../store/memory-parts.ts';
import { selectPage } from '../store/page-selection.ts';
import { idBytesOf, utf8Bytes } from '../store/position.ts';
import type { TaskRecord } from '../store/task-table.ts';
import type { TaskCursor } from '../task/task.ts';
import { pageTokenV1 } from '../token/page-token.ts';
import { slips, slipsUp, spellV1 } from './codec-fault.ts';
import type { PartsFault } from './faulty-memory.ts';

/** An id's bytes as the store has them, but lone surrogates are taken, each as three bytes of its own (as in WTF-8). */
function looseBytes(id: string): string {
  if (!/\p{Surrogate}/u.test(id)) return idBytesOf(id);
  return Array.from(id, (letter) => {
    const unit = letter.length === 1 ? letter.charCodeAt(0) : 0;
    if (unit < 0xd800 || unit > 0xdfff) return utf8Bytes(letter);
    return String.fromCharCode(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
  }).join('');
}

/** A record's key by its status time; by its own where it has none. */
function statusCursor(record: TaskRecord): TaskCursor {
  const instant = parseInstant(record.task.status?.timestamp ?? '');
  if (instant === undefined) return cursorOf(record);
  return {
    lastUpdatedMicros: BigInt(instant.seconds) * 1_000_000n + BigInt(Math.floor(instant.nanos / 1000)),
    id: record.id,
  };
}

/** In the order of their rows. */
export const tokenBoundaryFaults: readonly PartsFault[] = [
  {
    id: 'TOK-25',
    fault: 'ids with a lone surrogate are let in, and all have the bytes of U+FFFD in a token',
    breaks: [...slipsUp, 'TOKEN-6', 'STORE-3'],
    parts: {
      idBytes: looseBytes,
      codec: { ...pageTokenV1, encode: ({ lastUpdatedMicros, id }) => spellV1(lastUpdatedMicros, Buffer.from(id)) },
    },
  },
  {
    id: 'TOK-54',
    fault: 'a full last page has a next token',
    breaks: ['WALK-6'],
    parts: {
      select: (table, query) => {
        const { records, next } = selectPage(table, query);
        return { records, next: records.length === query.pageSize ? (next ?? records.at(-1)) : next };
      },
    },
  },
  {
    id: 'TOK-56',
    fault: "the next token holds the task's status time",
    breaks: [...slips, 'TOKEN-6', 'ORDER-2'],
    parts: { boundary: ({ records }) => statusCursor(records.at(-1)!) },
  },
  {
    id: 'TOK-57',
    fault: 'the next token is made of the first task of the page',
    breaks: ['WALK-1', 'WALK-2', 'WALK-4', 'WALK-5', 'WALK-6'],
    parts: { boundary: ({ records }) => cursorOf(records[0]!) },
  },
  {
    id: 'TOK-58',
    fault: 'the next token is made of the task that follows the page, which the next page then leaves out',
    breaks: ['TOKEN-1', 'TOKEN-6', 'WALK-3', 'WALK-6', 'WALK-7'],
    parts: { boundary: ({ next }) => cursorOf(next!) },
  },
];
