/** TOKEN-5, TOKEN-8, WALK-7: a boundary is a position, not a task and not a credential. */
import { compareIdBytes } from '../../models/key.ts';
import { decodePageToken } from '../../models/page-token.ts';
import { formatFilter, formatId } from '../history/notation.ts';
import type { Check, CheckContext } from './check.ts';
import {
  agrees,
  agreeWithEachOther,
  boundaryChange,
  boundaryId,
  boundaryOf,
  sameRequest,
  tokenContinuation,
} from './position.ts';
import { Tally } from './tally.ts';
import { isValidSize } from './tokens.ts';
import { finding, strayTasks, written } from './witness.ts';
import { candidates, type ListMoment, type Walk, type World } from './world.ts';

export const boundaries: Check = {
  rules: ['TOKEN-5', 'TOKEN-8', 'WALK-7'],
  judge(world, context) {
    if (world.tampered) return [];
    const tally = new Tally();
    if (context.order === 'creation') {
      judgeRepeatedToken(world, tally);
      return tally.reports();
    }
    judgeSameToken(world, context, tally);
    for (const list of world.lists) {
      judgeOtherFilter(world, context, list, tally);
    }
    if (context.capabilities.clock && context.capabilities.ties)
      for (const walk of world.walks) judgeTies(world, walk, tally);
    return tally.reports();
  },
};

/**
 * TOKEN-5, without any key: the same token with the same request gives the same page before and after its boundary task
 * alone was updated, deleted or revoked.
 */
function judgeSameToken(world: World, context: CheckContext, tally: Tally): void {
  const asked = new Map<string, ListMoment[]>();
  for (const list of world.lists) {
    const { token, pageSize, filter, caller } = list.operation;
    if (list.source === undefined || token === undefined || !isValidSize(pageSize)) continue;
    const request = JSON.stringify([token, pageSize, filter, caller, list.source.entry.index]);
    const earlier = asked.get(request) ?? [];
    asked.set(request, [...earlier, list]);
    const before = earlier.findLast((one) => one.page !== undefined);
    const id = boundaryId(list.source);
    if (before === undefined || id === undefined || !onlyTouched(world, before, list, id)) continue;
    // A page that shows its own boundary task is wrong already, and not for what happened to that task.
    if (idsOf(before).includes(id)) continue;
    // A v1 token says whose key it is; one of another task is TOKEN-6's.
    if (context.capabilities.tokens === 'v1' && decodePageToken(token)?.id !== id) continue;
    tally.witness('TOKEN-5');
    const change = differs(context, before, list, id);
    if (change === undefined) continue;
    tally.fail(
      finding(world, {
        rule: 'TOKEN-5',
        let: [...written(list.standing), list.source.entry.index, before.entry.index, ...touches(world, before, list)],
        then: [before.entry.index, list.entry.index],
        saw: `once only the boundary task ${formatId(id)} was changed, the same token ${change}`,
        allowed: 'a page never needs its boundary task, and nothing in it tells what happened to it',
        marks: strayTasks(list, before.page?.items ?? []),
      }),
    );
  }
}

/** TOKEN-5 as far as offsets can keep it: while nothing changes, the same token gives the same page. */
function judgeRepeatedToken(world: World, tally: Tally): void {
  const asked = new Map<string, ListMoment>();
  for (const list of world.lists) {
    const { token, pageSize, filter } = list.operation;
    if (list.source === undefined || list.page === undefined || list.source.epoch !== list.epoch) continue;
    const request = JSON.stringify([token, pageSize, filter, list.epoch]);
    const earlier = asked.get(request);
    asked.set(request, list);
    if (earlier === undefined) continue;
    tally.witness('TOKEN-5');
    if (agreeWithEachOther(earlier, list)) continue;
    tally.fail(
      finding(world, {
        rule: 'TOKEN-5',
        let: [...written(list.standing), list.source.entry.index],
        then: [earlier.entry.index, list.entry.index],
        saw: 'the same token gives two different pages while nothing changes',
        allowed: 'a page is decided by its boundary',
      }),
    );
  }
}

/** What differs between the two answers, undefined where nothing does. */
function differs(context: CheckContext, before: ListMoment, after: ListMoment, boundary: string): string | undefined {
  if (after.page === undefined)
    return after.entry.result.kind === 'error' ? `fails with ${after.entry.result.code}` : undefined;
  // A boundary whose status time moved back may be met again below; it then pushes others to the next page.
  const except = context.order === 'status-timestamp' ? boundary : undefined;
  if (!agreeWithEachOther(before, after, except))
    return `gives [${idsOf(after).map(formatId).join(', ')}] instead of [${idsOf(before).map(formatId).join(', ')}]`;
  if (except !== undefined || idsOf(before).length !== idsOf(after).length) return undefined;
  const [left, right] = [before.page?.nextToken ?? '', after.page.nextToken];
  // A format of the store's own may spell one boundary in many ways: sealed, signed with a date.
  const moved = context.capabilities.tokens === 'v1' ? left !== right : (left === '') !== (right === '');
  return moved ? 'gives another next token' : undefined;
}

function idsOf(list: ListMoment): string[] {
  return (list.page?.items ?? []).map((item) => item.id);
}

/** Between the two lists something happened, and all of it to the task under this id. */
function onlyTouched(world: World, from: ListMoment, to: ListMoment, id: string): boolean {
  const between = world.entries.slice(from.entry.index + 1, to.entry.index).map((entry) => entry.operation);
  const changes = between.filter((operation) => operation.op !== 'list' && operation.op !== 'get');
  const about = changes.map((operation) =>
    'contents' in operation ? operation.contents.id : 'id' in operation ? operation.id : undefined,
  );
  return changes.length > 0 && about.every((target) => target === id) && boundaryChange(world, to) !== undefined;
}

function touches(world: World, from: ListMoment, to: ListMoment): number[] {
  return world.entries
    .slice(from.entry.index + 1, to.entry.index)
    .filter((entry) => entry.operation.op !== 'list' && entry.operation.op !== 'get')
    .map((entry) => entry.index);
}

/** TOKEN-8: with other filters or another caller a token is the same boundary, applied to what they see. */
function judgeOtherFilter(world: World, context: CheckContext, list: ListMoment, tally: Tally): void {
  const { source, operation } = list;
  if (source === undefined || sameRequest(source, list) || !isValidSize(operation.pageSize)) return;
  const known = tokenContinuation(world, context, list);
  if (known === undefined) return;
  tally.witness('TOKEN-8');
  if (agrees(list, known)) return;
  const saw = list.page === undefined ? 'fails' : `gives [${idsOf(list).map(formatId).join(', ')}]`;
  tally.fail(
    finding(world, {
      rule: 'TOKEN-8',
      let: [...written(list.standing), source.entry.index],
      then: [source.entry.index, list.entry.index],
      saw: `a token given${formatFilter(source.operation.filter) || ' without filter'}, sent${formatFilter(operation.filter) || ' without filter'}, ${saw}`,
      allowed: `the boundary applies to what the new request sees: [${known.map((version) => formatId(version.id)).join(', ')}]`,
      marks: strayTasks(list, known),
    }),
  );
}

/** WALK-7: a task inserted at the boundary's very time appears where its id sorts after the boundary, else not. */
function judgeTies(world: World, walk: Walk, tally: Tally): void {
  const last = walk.pages.at(-1);
  for (const { entry, before, after } of world.mutations) {
    if (before !== undefined || after === undefined || last === undefined || after.micros === undefined) continue;
    const page = walk.pages.findLast((one) => one.entry.index < entry.index);
    const boundary = page === undefined ? undefined : boundaryOf(page);
    if (page === undefined || page === last || page.page?.nextToken === '' || boundary?.micros !== after.micros)
      continue;
    if (!candidates(world, last).includes(after)) continue;
    const later = walk.pages.slice(walk.pages.indexOf(page) + 1);
    const shown = later.some((one) => one.shown.includes(after));
    const below = compareIdBytes(after.id, boundary.id) < 0;
    if (below && last.page?.nextToken !== '') continue;
    tally.witness('WALK-7');
    if (below === shown) continue;
    tally.fail(
      finding(world, {
        rule: 'WALK-7',
        let: [...written(page.standing), page.entry.index, entry.index],
        then: later.map((one) => one.entry.index),
        saw: `${formatId(after.id)}, created at the boundary's time ${after.micros} while ${formatId(boundary.id)} is the boundary, ${shown ? 'appears' : 'does not appear'} later in the walk`,
        allowed: below
          ? 'its id sorts after the boundary, so it appears'
          : 'its id sorts before the boundary, so it does not appear',
        marks: shown
          ? later.flatMap((one) =>
              one.shown.includes(after) ? [{ id: after.id, how: 'intruding' as const, entry: one.entry.index }] : [],
            )
          : [{ id: after.id, how: 'lost', entry: last.entry.index }],
      }),
    );
  }
}
