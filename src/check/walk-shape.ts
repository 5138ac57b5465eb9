/** WALK-2, WALK-5, WALK-6: how a walk runs, ends, and does not depend on page sizes. */
import { compareKeys, type Key } from '../../models/key.ts';
import { formatId } from '../history/notation.ts';
import type { Check, CheckContext } from './check.ts';
import { defaultPageSize, shownKey } from './position.ts';
import { Tally } from './tally.ts';
import { isQuiet, pageEntries } from './walks.ts';
import { finding, written } from './witness.ts';
import { candidates, type ListMoment, type Version, type Walk, type World } from './world.ts';

export const walkShape: Check = {
  rules: ['WALK-2', 'WALK-5', 'WALK-6'],
  judge(world, context) {
    const tally = new Tally();
    if (world.tampered) return [];
    for (const walk of world.walks) {
      if (context.order === 'creation' && !isQuiet(walk)) continue;
      if (context.order === 'storage-time') judgeDescent(world, walk, tally);
      judgeEnd(world, walk, tally);
      judgeFullLast(world, walk, tally);
    }
    judgeSizes(world, context, tally);
    return tally.reports();
  },
};

/** WALK-2: keys at selection strictly descend over the whole walk. */
function judgeDescent(world: World, walk: Walk, tally: Tally): void {
  let previous: { version: Version; page: ListMoment; key: Key } | undefined;
  for (const page of walk.pages) {
    for (const [position, version] of page.shown.entries()) {
      const key = shownKey(page, position);
      if (version === undefined || key === undefined) continue;
      if (previous !== undefined) {
        const before = previous.key;
        tally.witness('WALK-2');
        if (compareKeys(before, key) >= 0) {
          tally.fail(
            finding(world, {
              rule: 'WALK-2',
              let: written([previous.version, version]),
              then: [...new Set([previous.page.entry.index, page.entry.index])],
              saw: `walk ${walk.name} shows ${formatId(version.id)} @${key.micros} after ${formatId(before.id)} @${before.micros}`,
              allowed: 'keys at selection strictly descend across the whole walk',
              marks: [{ id: version.id, how: 'misplaced', entry: page.entry.index }],
            }),
          );
        }
      }
      previous = { version, page, key };
    }
  }
}

/** WALK-5: an empty page ends the walk; a walk that nothing disturbs any more ends within its remaining tasks. */
function judgeEnd(world: World, walk: Walk, tally: Tally): void {
  for (const page of walk.pages) {
    if (page.page?.items.length !== 0) continue;
    tally.witness('WALK-5');
    if (page.page.nextToken === '') continue;
    tally.fail(
      finding(world, {
        rule: 'WALK-5',
        let: pageEntries(walk),
        then: [page.entry.index],
        saw: `page ${page.operation.page} of walk ${walk.name} is empty and carries a token`,
        allowed: 'an empty page carries an empty token',
      }),
    );
  }
  const last = walk.pages.at(-1);
  const calm = walk.pages.findIndex((page) => page.epoch === last?.epoch);
  const begin = walk.pages[calm];
  if (last === undefined || begin === undefined) return;
  const pages = walk.pages.length - calm;
  // Every page but the last brings at least one of the tasks that are left, so this bound holds for short pages too.
  // What is shown beside them is for WALK-4 and FILTER-1 to judge; shown again, it is no task that was left.
  const left = new Set(candidates(world, begin).map(({ id }) => id));
  for (const page of walk.pages.slice(calm)) for (const { id } of page.page?.items ?? []) left.add(id);
  const allowed = left.size + 1;
  if (last.page?.nextToken === '' || pages > allowed) tally.witness('WALK-5');
  if (pages <= allowed) return;
  tally.fail(
    finding(world, {
      rule: 'WALK-5',
      let: written(candidates(world, begin)),
      then: pageEntries(walk).slice(calm, calm + 4),
      saw: `walk ${walk.name} takes ${pages} pages or more for ${allowed - 1} tasks while nothing changes`,
      allowed: `it ends within ${allowed} pages`,
    }),
  );
}

/** WALK-6, second half: no empty page follows a full last one in a quiet store. */
function judgeFullLast(world: World, walk: Walk, tally: Tally): void {
  for (const [number, page] of walk.pages.entries()) {
    const before = walk.pages[number - 1];
    if (before?.page === undefined || before.epoch !== page.epoch) continue;
    if (before.page.items.length < (before.operation.pageSize ?? defaultPageSize)) continue;
    tally.witness('WALK-6');
    if (page.page?.items.length !== 0) continue;
    tally.fail(
      finding(world, {
        rule: 'WALK-6',
        let: written(before.standing),
        then: [before.entry.index, page.entry.index],
        saw: `page ${number} of walk ${walk.name} is empty after a full page, in a quiet store`,
        allowed: 'the last full page carries an empty token',
      }),
    );
  }
}

/** WALK-6, first half: in a quiet store any mix of page sizes gives the same list. */
function judgeSizes(world: World, context: CheckContext, tally: Tally): void {
  const references = new Map<string, { ids: readonly string[]; walk: Walk }>();
  for (const walk of world.walks) {
    const first = walk.pages[0];
    if (first === undefined || !isQuiet(walk) || walk.pages.at(-1)?.page?.nextToken !== '') continue;
    const { caller, filter } = first.operation;
    const group = JSON.stringify([first.epoch, caller, filter]);
    const ids = walk.pages.flatMap((page) => page.page?.items.map((item) => item.id) ?? []);
    const reference = references.get(group);
    if (reference === undefined) {
      references.set(group, { ids, walk });
      continue;
    }
    if (ids.length > 1) tally.witness('WALK-6');
    const same = ids.length === reference.ids.length && ids.every((id, position) => id === reference.ids[position]);
    // Equal status times may come in any order under a2a-1.0, though not with other members.
    if (same || (context.order === 'status-timestamp' && sameMembers(ids, reference.ids))) continue;
    tally.fail(
      finding(world, {
        rule: 'WALK-6',
        let: written(first.standing),
        then: [...pageEntries(reference.walk), ...pageEntries(walk)],
        saw: `walk ${reference.walk.name} gives [${reference.ids.map(formatId).join(', ')}], walk ${walk.name} [${ids.map(formatId).join(', ')}], with nothing changed between`,
        allowed: 'page sizes do not matter in a quiet store',
      }),
    );
  }
}

function sameMembers(a: readonly string[], b: readonly string[]): boolean {
  const sorted = [...b].sort();
  return a.length === b.length && [...a].sort().every((id, position) => id === sorted[position]);
}
