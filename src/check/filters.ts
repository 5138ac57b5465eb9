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
        marks: [{ id: version.id, how: 'intruding', entry: list.entry.index }],
      }),
    );
  }
}

/**
 * A task that a list under another filter shows in the same state must be in the list that it matches, also in one
 * without a filter. Judged of lists of one page: what is lost between pages is a token's fault or a walk's.
 */
function judgeMissing(world: World, walk: Walk, tally: Tally): void {
  const first = walk.pages[0];
  if (first === undefined || walk.pages.length > 1 || first.page?.nextToken !== '') return;
  const { caller, filter } = first.operation;
  const own = JSON.stringify(filter);
  const others = world.lists.filter(
    (list) =>
      list.epoch === first.epoch && list.operation.caller === caller && JSON.stringify(list.operation.filter) !== own,
  );
  if (others.length === 0) return;
  const shown = new Set(first.shown);
  for (const version of candidates(world, first)) {
    const elsewhere = others.find((list) => list.shown.includes(version));
    if (elsewhere === undefined) continue;
    tally.witness('FILTER-1');
    if (shown.has(version)) continue;
    tally.fail(
      finding(world, {
        rule: 'FILTER-1',
        let: [version.entry, elsewhere.entry.index],
        then: [first.entry.index],
        saw: `a list${formatFilter(filter) || ' without filter'} leaves out ${formatId(version.id)} (${formatContents(version.contents)}), which stands and matches`,
        allowed: 'context, status and statusTimestampAfter select exactly; the unspecified status selects all',
        marks: [{ id: version.id, how: 'lost', entry: first.entry.index }],
      }),
    );
  }
}
