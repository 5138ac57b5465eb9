/** FILTER-1: a filter selects exactly. */
import { matches } from '../../models/listing.ts';
import { formatContents, formatFilter, formatId } from '../history/notation.ts';
import type { Check } from './check.ts';
import { Tally } from './tally.ts';
import { finding, written } from './witness.ts';
import { candidates, type ListMoment, type Walk, type World } from './world.ts';

export const filters: Check = {
  rules: ['FILTER-1'],
  judge(world) {
    if (world.tampered) return [];
    const tally = new Tally();
    for (const list of world.lists) judgeShown(world, list, tally);
    for (const walk of world.walks) judgeMissing(world, walk, tally);
    return tally.reports();
  },
};

function judgeShown(world: World, list: ListMoment, tally: Tally): void {
  const { filter } = list.operation;
  if (filter === undefined) return;
  if (list.entry.result.kind === 'error' && (list.operation.token ?? '') === '') {
    tally.fail(
      finding(world, {
        rule: 'FILTER-1',
        let: written(list.standing),
        then: [list.entry.index],
        saw: `a list${formatFilter(filter)} failed with ${list.entry.result.code}`,
        allowed: 'context, status and statusTimestampAfter select, and combine',
      }),
    );
  }
  for (const version of list.shown) {
    if (version === undefined) continue;
    tally.witness('FILTER-1');
    if (matches(version.contents, filter)) continue;
    tally.fail(
      finding(world, {
        rule: 'FILTER-1',
        let: [version.entry],
        then: [list.entry.index],
        saw: `a list${formatFilter(filter)} shows ${formatId(version.id)} (${formatContents(version.contents)})`,
        allowed: 'context, status and statusTimestampAfter select exactly',
      }),
    );
  }
}

/**
 * A task that a list without a filter shows in the same state must be in the filtered list that it matches. Judged of
 * lists of one page: what is lost between pages is a token's fault or a walk's.
 */
function judgeMissing(world: World, walk: Walk, tally: Tally): void {
  const first = walk.pages[0];
  const last = walk.pages.at(-1);
  const filter = first?.operation.filter;
  if (first === undefined || last?.page?.nextToken !== '' || filter === undefined || walk.pages.length > 1) return;
  const shown = new Set(walk.pages.flatMap((page) => page.shown));
  for (const version of candidates(world, first)) {
    const elsewhere = world.lists.find(
      (list) =>
        list.epoch === first.epoch &&
        list.operation.filter === undefined &&
        list.operation.caller === first.operation.caller &&
        list.shown.includes(version),
    );
    if (elsewhere === undefined) continue;
    tally.witness('FILTER-1');
    if (shown.has(version)) continue;
    tally.fail(
      finding(world, {
        rule: 'FILTER-1',
        let: [version.entry, elsewhere.entry.index],
        then: walk.pages.map((page) => page.entry.index),
        saw: `a walk${formatFilter(filter)} leaves out ${formatId(version.id)} (${formatContents(version.contents)}), which stands and matches`,
        allowed: 'context, status and statusTimestampAfter select exactly; the unspecified status selects all',
      }),
    );
  }
}
