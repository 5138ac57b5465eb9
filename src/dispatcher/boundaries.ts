/** The boundaries of a store's page, checked before anything is built on them: they fail closed (AUTH-5, STORE-1). */
import { MAX_TIME_MICROS, MIN_TIME_MICROS } from '../task/clock.ts';
import { InternalError } from '../task/errors.ts';
import type { StoreListPage, Task, TaskCursor } from '../task/task.ts';

/**
 * Orders two positions as a list does: negative where `a` comes first. Newer comes first, then the larger id in UTF-8
 * bytes, which is not the order of JavaScript's strings (ORDER-1).
 */
export function compareCursors(a: TaskCursor, b: TaskCursor): number {
  if (a.lastUpdatedMicros !== b.lastUpdatedMicros) return a.lastUpdatedMicros > b.lastUpdatedMicros ? -1 : 1;
  return compareUtf8(b.id, a.id);
}

/** Compares two texts by their UTF-8 bytes without making them: that order is the order of code points. */
function compareUtf8(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i += 1) {
    const [left, right] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (left !== right) return codePointRank(left) - codePointRank(right);
  }
  return a.length - b.length;
}

/** Half of a surrogate pair stands for a code point above all others, though its number lies below U+E000 to U+FFFF. */
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x2800 : unit;
}

/**
 * Gives the boundary of each task of a batch. Rejects the page with `internal` where a boundary is missing, of another
 * task, repeated or out of order (also against `previous`, the last one of the batch before), where the store gave more
 * than `limit` tasks, or where an empty batch claims to have a successor and the scan could run for ever.
 */
export function alignedCursors(page: StoreListPage, previous: TaskCursor | undefined, limit: number): TaskCursor[] {
  const { tasks, taskCursors, nextPageToken } = page;
  if (!Array.isArray(tasks) || !Array.isArray(taskCursors) || typeof nextPageToken !== 'string') throw broken();
  if (tasks.length !== taskCursors.length || tasks.length > limit) throw broken();
  if (tasks.length === 0 && nextPageToken !== '') throw broken();
  let before = previous;
  for (const [position, cursor] of taskCursors.entries()) {
    if (!isBoundaryOf(cursor, tasks[position])) throw broken();
    if (before !== undefined && compareCursors(before, cursor) >= 0) throw broken();
    before = cursor;
  }
  return taskCursors;
}

function isBoundaryOf(cursor: TaskCursor | undefined, task: Task | undefined): boolean {
  if (typeof cursor !== 'object' || cursor === null || typeof task !== 'object' || task === null) return false;
  const { id, lastUpdatedMicros } = cursor;
  return (
    typeof id === 'string' &&
    id !== '' &&
    id === task.id &&
    typeof lastUpdatedMicros === 'bigint' &&
    lastUpdatedMicros >= MIN_TIME_MICROS &&
    lastUpdatedMicros <= MAX_TIME_MICROS
  );
}

function broken(): InternalError {
  return new InternalError(undefined, { cause: new Error('The store gave a page without sound boundaries') });
}
