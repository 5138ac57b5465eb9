/** TOKEN-1, TOKEN-2, TOKEN-6: what tokens a store gives, and that its own work. */
import { compareKeys, type Key } from '../../models/key.ts';
import { decodePageToken } from '../../models/page-token.ts';
import { formatId, formatToken } from '../history/notation.ts';
import type { TaskCursor } from '../task/task.ts';
import { isAwkward } from './acknowledged.ts';
import type { Check, CheckContext } from './check.ts';
import { agrees, agreeWithEachOther, boundaryId, boundaryOf, tokenContinuation } from './position.ts';
import { Tally } from './tally.ts';
import { finding, written } from './witness.ts';
import type { ListMoment, Version, World } from './world.ts';

export const tokens: Check = {
  rules: ['TOKEN-1', 'TOKEN-2', 'TOKEN-6'],
  judge(world, context) {
    if (world.tampered) return [];
    const tally = new Tally();
    for (const list of world.lists) {
      judgeAccepted(world, list, tally);
      judgeSupply(world, context, list, tally);
    }
    judgeEmpty(world, tally);
    judgeLossless(world, context, tally);
    if (context.capabilities.tokens !== 'v1' && context.order === 'storage-time') judgeInjective(world, tally);
    return tally.reports();
  },
};

/** A token that a page gave, copied unchanged, is accepted; so is no token at all. */
function judgeAccepted(world: World, list: ListMoment, tally: Tally): void {
  const { operation, entry } = list;
  const own = list.source !== undefined;
  if (!own && (operation.token ?? '') !== '') return;
  if (!isValidSize(operation.pageSize)) return;
  tally.witness('TOKEN-1');
  if (own) tally.witness('TOKEN-2');
  const { result } = entry;
  if (result.kind === 'malformed') {
    fail(world, 'TOKEN-1', list, result.what, 'the next token is text, and empty where the list ends', tally);
  } else if (result.kind === 'error' && own) {
    const saw = `the store's own token after ${formatId(boundaryId(list.source as ListMoment) ?? '')} was refused with ${result.code}`;
    fail(world, 'TOKEN-1', list, saw, 'a token is copied unchanged into the next request, and works there', tally);
    fail(world, 'TOKEN-2', list, saw, "the store's own token always works in the next request", tally);
  } else if (result.kind === 'error' && operation.filter === undefined) {
    fail(world, 'TOKEN-1', list, `a first page failed with ${result.code}`, 'an empty token starts a walk', tally);
  }
}

export function isValidSize(pageSize: number | undefined): boolean {
  return pageSize === undefined || (Number.isInteger(pageSize) && pageSize >= 1 && pageSize <= 100);
}

/** TOKEN-6: the last returned task supplies the token, its key at selection; an empty page has none to supply. */
function judgeSupply(world: World, context: CheckContext, list: ListMoment, tally: Tally): void {
  const { page } = list;
  if (page === undefined || page.nextToken === '') return;
  tally.witness('TOKEN-6');
  const last = boundaryOf(list);
  if (page.items.length === 0) {
    fail(
      world,
      'TOKEN-6',
      list,
      'a page without tasks carries a token',
      'only a task that was returned supplies a token',
      tally,
    );
  } else if (context.capabilities.tokens === 'v1' && last !== undefined) {
    const token = decodePageToken(page.nextToken);
    if (token !== undefined && isReturned(list, token)) return;
    const is = token === undefined ? 'is no v1 token' : `stands for ${formatId(token.id)} @${token.lastUpdatedMicros}`;
    const rule = token === undefined ? 'TOKEN-2' : 'TOKEN-6';
    const saw = `the token ${formatToken(page.nextToken)} after ${formatId(last.id)} @${last.micros} ${is}`;
    fail(
      world,
      rule,
      list,
      saw,
      'only a task that was returned supplies the token: its key at selection, in v1',
      tally,
    );
  } else if (context.capabilities.tokens === 'v1') {
    // Times are unseen; whose token it is, is not.
    const token = decodePageToken(page.nextToken);
    if (token === undefined || page.items.some((item) => item.id === token.id)) return;
    const saw = `the token ${formatToken(page.nextToken)} stands for ${formatId(token.id)}, which the page does not show`;
    fail(world, 'TOKEN-6', list, saw, 'only a task that was returned supplies the token', tally);
  }
}

/** Whether a page returned the task of this key, by its cursor or by what else was seen of it. */
function isReturned({ page, shown }: ListMoment, { id, lastUpdatedMicros }: TaskCursor): boolean {
  return shown.some((version, at) => {
    const cursor = page?.cursors?.[at];
    return version?.id === id && [version.micros, cursor?.micros].includes(lastUpdatedMicros);
  });
}

/** TOKEN-1: an empty token is the same as none. */
function judgeEmpty(world: World, tally: Tally): void {
  for (const list of world.lists) {
    if (list.operation.token !== '' || list.page === undefined) continue;
    const { pageSize, filter, caller } = list.operation;
    const other = world.lists.find(
      (first) =>
        first.page !== undefined &&
        first.operation.token === undefined &&
        first.epoch === list.epoch &&
        first.operation.pageSize === pageSize &&
        first.operation.caller === caller &&
        JSON.stringify(first.operation.filter) === JSON.stringify(filter),
    );
    if (other === undefined) continue;
    tally.witness('TOKEN-1');
    if (agreeWithEachOther(list, other)) continue;
    fail(
      world,
      'TOKEN-1',
      list,
      'an empty token gives another page than no token',
      'an empty token starts a walk',
      tally,
      [other.entry.index],
    );
  }
}

/**
 * TOKEN-2 of a format of the store's own: a boundary with an awkward id works as one with a plain id does. Judged only
 * where every token with a plain boundary in this history gave what its key gives, so that a wrong order or seek is not
 * laid at the token's door. A v1 token is read instead.
 */
function judgeLossless(world: World, context: CheckContext, tally: Tally): void {
  if (context.order !== 'storage-time' || context.capabilities.tokens === 'v1') return;
  const awkward: { list: ListMoment; expected: readonly Version[]; right: boolean }[] = [];
  let plainWorks = false;
  for (const list of world.lists) {
    if (list.source === undefined || list.page === undefined || list.source.epoch !== list.epoch) continue;
    const expected = tokenContinuation(world, context, list);
    const id = boundaryId(list.source);
    if (expected === undefined || id === undefined) continue;
    const right = agrees(list, expected);
    if (isAwkward(id)) awkward.push({ list, expected, right });
    else if (right) plainWorks = true;
    else return;
  }
  tally.witness('TOKEN-2', awkward.length);
  if (!plainWorks) return;
  for (const { list, expected: follows, right } of awkward) {
    if (right) continue;
    const id = boundaryId(list.source as ListMoment) ?? '';
    const expected = follows.map((version) => formatId(version.id)).join(', ');
    const saw = `the token after ${formatId(id)} continues with [${(list.page?.items ?? []).map((item) => formatId(item.id)).join(', ')}]`;
    fail(
      world,
      'TOKEN-2',
      list,
      saw,
      `a token is lossless for every id: [${expected}] follows that boundary, and tokens after plain ids work`,
      tally,
    );
  }
}

/** TOKEN-2 of a format of the store's own: two boundaries never share a token. */
function judgeInjective(world: World, tally: Tally): void {
  const givers = new Map<string, { list: ListMoment; boundary: Key }>();
  for (const list of world.lists) {
    const boundary = boundaryOf(list);
    if (list.page === undefined || list.page.nextToken === '' || boundary === undefined) continue;
    const { caller, filter } = list.operation;
    const group = JSON.stringify([list.page.nextToken, caller, filter]);
    const earlier = givers.get(group);
    if (earlier === undefined) {
      givers.set(group, { list, boundary });
      continue;
    }
    tally.witness('TOKEN-2');
    if (compareKeys(earlier.boundary, boundary) === 0) continue;
    const saw = `${formatId(earlier.boundary.id)} @${earlier.boundary.micros} and ${formatId(boundary.id)} @${boundary.micros} have the same token ${formatToken(list.page.nextToken)}`;
    fail(world, 'TOKEN-2', list, saw, 'a token is lossless: two boundaries never share one', tally, [
      earlier.list.entry.index,
    ]);
  }
}

function fail(
  world: World,
  rule: string,
  list: ListMoment,
  saw: string,
  allowed: string,
  tally: Tally,
  more: readonly number[] = [],
): void {
  const source = list.source === undefined ? [] : [list.source.entry.index];
  tally.fail(
    finding(world, {
      rule,
      let: [...written(list.standing), ...source, ...more],
      then: [list.entry.index],
      saw,
      allowed,
    }),
  );
}
