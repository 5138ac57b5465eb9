/** Where tasks stand in lists: their keys as far as they are known, and what a page must hold by them. */
import { parseInstant } from '../../models/instant.ts';
import type { Key } from '../../models/key.ts';
import { listAfter } from '../../models/listing.ts';
import type { Filter } from '../history/program.ts';
import type { CheckContext } from './check.ts';
import { candidates, type ListMoment, type Version, type World } from './world.ts';

/** A page where `pageSize` is absent holds at most this many tasks (A2A 1.0 §3.1.4). */
export const defaultPageSize = 50;

/** The key of a version, where its time was ever seen and no attempt that had to change nothing has moved it. */
export function keyOf(version: Version | undefined): Key | undefined {
  return version?.micros === undefined || !version.settled ? undefined : { micros: version.micros, id: version.id };
}

/** The key at selection of a page's task; undefined where the cursor beside it contradicts what was seen before. */
export function shownKey(page: ListMoment, position: number): Key | undefined {
  return isContradicted(page, position) ? undefined : keyOf(page.shown[position]);
}

/** The cursor beside a page's task says another time than the version's: which of them it was listed by is open. */
export function isContradicted(page: ListMoment, position: number): boolean {
  const version = page.shown[position];
  const cursor = page.page?.cursors?.[position];
  return version?.micros !== undefined && cursor?.id === version.id && cursor.micros !== version.micros;
}

/** The status time in milliseconds, which is what A2A asks for (§5.6.1); undefined where there is none. */
export function statusMillis({ contents }: Version): bigint | undefined {
  const instant = parseInstant(contents.timestamp ?? '');
  return instant === undefined ? undefined : instant / 1_000_000n;
}

/** Tells whether a task's status time is the very millisecond from which a filter selects: whether it does is FILTER-1's. */
export function isOnEdge(version: Version, filter: Filter | undefined): boolean {
  const from = filter?.after === undefined ? undefined : parseInstant(filter.after);
  return from !== undefined && statusMillis(version) === from / 1_000_000n;
}

/** The boundary that a page's token stands for: the key at selection of its last task. */
export function boundaryOf(page: ListMoment): Key | undefined {
  return shownKey(page, page.shown.length - 1);
}

/** The id of the task that a page's token stands for. */
export function boundaryId(page: ListMoment): string | undefined {
  return page.page?.items.at(-1)?.id;
}

/**
 * Everything that the contract lists from `moment`'s token on, in order; undefined where a key that decides it was
 * never seen, or where the token is no page's.
 */
export function expectedFrom(world: World, moment: ListMoment): Version[] | undefined {
  const boundary = moment.source === undefined ? undefined : boundaryOf(moment.source);
  if (moment.source !== undefined && boundary === undefined) return undefined;
  if (moment.source === undefined && (moment.operation.token ?? '') !== '') return undefined;
  const tasks = candidates(world, moment);
  if (tasks.some((task) => keyOf(task) === undefined)) return undefined;
  return listAfter(tasks as (Version & Key)[], boundary);
}

/**
 * Tells whether a page agrees with what must follow: a prefix of it, no longer than asked, whole where the page says
 * that nothing follows. A shorter page with a token agrees: A2A lets a server return fewer.
 */
export function agrees(moment: ListMoment, expected: readonly { readonly id: string }[]): boolean {
  const { page } = moment;
  if (page === undefined) return false;
  const ids = page.items.map((item) => item.id);
  const whole = page.nextToken !== '' || ids.length === expected.length;
  return whole && ids.length <= expected.length && ids.every((id, position) => id === expected[position]?.id);
}

/**
 * Tells whether two answers to one question agree: one is the beginning of the other, and whole where it says that
 * nothing follows. `except` is left out of both.
 */
export function agreeWithEachOther(a: ListMoment, b: ListMoment, except?: string): boolean {
  const [left, right] = [a, b].map((list) =>
    (list.page?.items ?? []).map(({ id }) => id).filter((id) => id !== except),
  );
  const common = Math.min(left!.length, right!.length);
  if (left!.slice(0, common).some((id, position) => id !== right![position])) return false;
  const [shorter, longer] = left!.length < right!.length ? [a, right!] : [b, left!];
  return common === longer.length || shorter.page?.nextToken !== '';
}

/** Whether the boundary task of `moment`'s token was changed between the page that gave it and this call, and how. */
export function boundaryChange(world: World, moment: ListMoment): 'updated' | 'deleted' | 'revoked' | undefined {
  const last = moment.source?.shown.at(-1);
  if (moment.source === undefined || last === undefined) return undefined;
  const now = moment.standing.find((version) => version.id === last.id);
  if (now === undefined || now.life !== last.life) return 'deleted';
  if (now !== last) return 'updated';
  const { caller } = moment.operation;
  return caller !== undefined && !world.accessAt(caller, last.id, moment.entry.index) ? 'revoked' : undefined;
}

/**
 * What a token of the store's own must give, by keys or else by a whole list of the same state. Undefined where neither
 * tells, and where a request with a filter was not seen to be answered rightly without a token in that state: a wrong
 * filter or order would be laid at the token's door.
 */
export function tokenContinuation(world: World, context: CheckContext, list: ListMoment): Version[] | undefined {
  const isSure = list.operation.filter === undefined || isWalkedRightly(world, list);
  const byKeys = context.order === 'storage-time' && isSure ? expectedFrom(world, list) : undefined;
  return byKeys ?? continuation(world, list);
}

/** Whether a walk by the same request in the same state showed what the contract lists, in its order. */
function isWalkedRightly(world: World, list: ListMoment): boolean {
  const tasks = candidates(world, list);
  if (tasks.some((task) => keyOf(task) === undefined)) return false;
  const expected = listAfter(tasks as (Version & Key)[], undefined);
  return world.walks.some(({ pages }) => {
    if (pages.at(-1)?.page?.nextToken !== '') return false;
    if (!pages.every((page) => page.epoch === list.epoch && sameRequest(page, list))) return false;
    const shown = pages.flatMap((page) => page.shown);
    return shown.length === expected.length && shown.every((version, position) => version === expected[position]);
  });
}

/** What follows the boundary in a whole list of the same state, where one was shown; the keys may be unseen. */
function continuation(world: World, list: ListMoment): Version[] | undefined {
  const boundary = list.source?.shown.at(-1);
  const whole = world.lists.find(
    (other) =>
      other.epoch === list.epoch &&
      other.operation.filter === undefined &&
      other.operation.caller === list.operation.caller &&
      (other.operation.token ?? '') === '' &&
      other.page?.nextToken === '' &&
      other.shown.length === other.standing.length,
  );
  if (boundary === undefined || whole === undefined) return undefined;
  const at = whole.shown.indexOf(boundary);
  const matching = new Set(candidates(world, list));
  // What this filter selects must have been seen right in the same state, or a wrong filter would be laid at the token's door.
  const selected = world.lists.find(
    (other) =>
      other.epoch === list.epoch &&
      (other.operation.token ?? '') === '' &&
      other.page?.nextToken === '' &&
      sameRequest(other, list) &&
      other.shown.length === matching.size,
  );
  const order = whole.shown.filter((version) => version !== undefined && matching.has(version)) as Version[];
  // Under another filter equal status times may come in another order.
  if (at < 0 || selected === undefined || order.some((version, position) => version !== selected.shown[position]))
    return undefined;
  return order.filter((version) => whole.shown.indexOf(version) > at);
}

/** Two lists by one caller, under one filter. */
export function sameRequest(a: ListMoment, b: ListMoment): boolean {
  return (
    a.operation.caller === b.operation.caller &&
    JSON.stringify(a.operation.filter) === JSON.stringify(b.operation.filter)
  );
}
