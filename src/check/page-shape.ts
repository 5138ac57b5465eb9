/** WIRE-5, STORE-1, STORE-2: how long a page is, what stands beside its tasks, and that nobody shares its objects. */
import { formatId } from '../history/notation.ts';
import type { Check, CheckContext } from './check.ts';
import { defaultPageSize } from './position.ts';
import { Tally } from './tally.ts';
import { isValidSize } from './tokens.ts';
import { finding, written } from './witness.ts';
import { candidates, type ListMoment, type World } from './world.ts';

/** The text that the harness leaves in every object that it passed or got, in a tampered history. */
const tamperMark = 'tampered';

export const pageShape: Check = {
  rules: ['WIRE-5', 'STORE-1', 'STORE-2'],
  judge(world, context) {
    const tally = new Tally();
    if (world.tampered) {
      judgeIsolation(world, tally);
      return tally.reports();
    }
    for (const list of world.lists) {
      judgeSize(world, context, list, tally);
      if (context.capabilities.boundaries && list.page !== undefined) judgeCursors(world, list, tally);
    }
    return tally.reports();
  },
};

function judgeSize(world: World, { capabilities }: CheckContext, list: ListMoment, tally: Tally): void {
  const { page, operation, entry } = list;
  const valid = isValidSize(operation.pageSize);
  const size = operation.pageSize ?? defaultPageSize;
  if (!valid && !capabilities.validatesPageSize) return;
  if (!valid) {
    tally.witness('WIRE-5');
    if (entry.result.kind === 'error' && entry.result.code === 'invalid-argument') return;
    const saw = `a page size of ${operation.pageSize} ${page === undefined ? 'is not refused as an invalid argument' : `gives ${page.items.length} tasks`}`;
    tally.fail(
      finding(world, {
        rule: 'WIRE-5',
        let: [],
        then: [entry.index],
        saw,
        allowed: 'a page size outside 1 to 100 is an invalid argument',
      }),
    );
    return;
  }
  if (page === undefined) return;
  if (list.standing.length > size) tally.witness('WIRE-5');
  const first = (operation.token ?? '') === '';
  const most = first ? Math.min(size, candidates(world, list).length) : 0;
  // A page that ends the list is short of tasks, not of a size.
  const isDefault = capabilities.validatesPageSize && operation.pageSize === undefined && page.nextToken !== '';
  const short = isDefault && page.items.length < most;
  if (page.items.length <= size && !short) return;
  tally.fail(
    finding(world, {
      rule: 'WIRE-5',
      let: written(list.standing),
      then: [entry.index],
      saw: `a page of size ${operation.pageSize ?? 'absent'} holds ${page.items.length} tasks`,
      allowed: short ? 'a page holds 50 tasks where no size is given' : `it holds at most ${size}`,
    }),
  );
}

/** STORE-1: the cursors stand at the positions of their tasks, with the storage time of each. */
function judgeCursors(world: World, list: ListMoment, tally: Tally): void {
  const { page, entry } = list;
  if (page === undefined) return;
  tally.witness('STORE-1');
  const cursors = page.cursors ?? [];
  const misplaced = page.items.findIndex((item, position) => cursors[position]?.id !== item.id);
  const wrong = page.items.findIndex((_, position) => {
    const micros = list.shown[position]?.micros;
    return micros !== undefined && cursors[position]?.micros !== micros;
  });
  const saw =
    cursors.length !== page.items.length
      ? `${page.items.length} tasks come with ${page.cursors === undefined ? 'no' : cursors.length} task cursors`
      : misplaced >= 0
        ? `beside task ${formatId(page.items[misplaced]?.id ?? '')} stands the cursor of ${formatId(cursors[misplaced]?.id ?? '')}`
        : wrong >= 0 && !attemptedSince(world, list, wrong)
          ? `the cursor of ${formatId(page.items[wrong]?.id ?? '')} says ${cursors[wrong]?.micros}, its storage time is ${list.shown[wrong]?.micros}`
          : undefined;
  if (saw === undefined) return;
  tally.fail(
    finding(world, {
      rule: 'STORE-1',
      let: written(list.shown),
      then: [entry.index],
      saw,
      allowed: 'task cursors are aligned with the tasks: storage time and id of each',
    }),
  );
}

/** A write that had to change nothing was tried before: that the time moved is TIME-3's. */
function attemptedSince(world: World, list: ListMoment, position: number): boolean {
  const version = list.shown[position];
  return world.mutations.some(
    ({ entry, before, after }) => entry.index < list.entry.index && before === version && after === version,
  );
}

/** STORE-2: what the harness scribbled into its own objects never comes back. */
function judgeIsolation(world: World, tally: Tally): void {
  for (const entry of world.entries) {
    const { result } = entry;
    const seen =
      result.kind === 'page'
        ? result.items
        : result.kind === 'read' && result.contents !== undefined
          ? [result.contents]
          : [];
    for (const contents of seen) {
      tally.witness('STORE-2');
      const marks = [contents.note, contents.context, ...contents.history, ...contents.artifacts];
      if (!marks.some((mark) => mark === tamperMark || mark === `${tamperMark}!`)) continue;
      tally.fail(
        finding(world, {
          rule: 'STORE-2',
          let: world.entries.slice(0, entry.index).map((earlier) => earlier.index),
          then: [entry.index],
          saw: `task ${formatId(contents.id)} carries what the caller scribbled into an object that it had passed or got`,
          allowed: 'stored tasks are isolated from what callers do to their objects',
        }),
      );
    }
  }
}
