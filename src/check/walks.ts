/** WALK-1, WALK-3, WALK-4: which tasks a walk shows, and how often. */
import { compareKeys, type Key } from '../../models/key.ts';
import { matches } from '../../models/listing.ts';
import { type Change, fate } from '../../models/walk.ts';
import { formatId } from '../history/notation.ts';
import type { Check, CheckContext } from './check.ts';
import { boundaryOf, isOnEdge, keyOf, shownKey, statusMillis } from './position.ts';
import { Tally } from './tally.ts';
import { finding, written } from './witness.ts';
import type { ListMoment, Version, Walk, World } from './world.ts';

/**
 * The walk oracle over a sequential history. For each walk and task: linear in the pages and in the changes of the
 * task; no search, so never undecided.
 */
export const walks: Check = {
  rules: ['WALK-1', 'WALK-3', 'WALK-4'],
  judge(world, context) {
    const tally = new Tally();
    if (world.tampered) return [];
    const changes = new Map<string, Map<string, Life[]>>();
    for (const walk of world.walks) {
      if (walk.pages.length === 0 || (context.order === 'creation' && !isQuiet(walk))) continue;
      judgeRepeats(world, context, walk, tally);
      judgeFates(world, context, walk, changesOf(world, walk, changes), tally);
    }
    return tally.reports();
  },
};

/** No disturbance between the first page of the walk and its last. */
export function isQuiet(walk: Walk): boolean {
  return walk.pages[0]?.epoch === walk.pages.at(-1)?.epoch;
}

function judgeRepeats(world: World, context: CheckContext, walk: Walk, tally: Tally): void {
  const seen = new Map<string, { version: Version | undefined; entry: number }>();
  for (const page of walk.pages) {
    for (const [position, item] of (page.page?.items ?? []).entries()) {
      const version = page.shown[position];
      const identity = `${version?.life ?? 'gone'} ${item.id}`;
      const earlier = seen.get(identity);
      if (seen.size > 0) tally.witness('WALK-1');
      if (earlier === undefined) {
        seen.set(identity, { version, entry: page.entry.index });
      } else if (!(context.order === 'status-timestamp' && movedBack(earlier.version, version))) {
        tally.fail(
          finding(world, {
            rule: 'WALK-1',
            let: [...written([earlier.version, version]), ...pageEntries(walk)],
            then: [...new Set([earlier.entry, page.entry.index])],
            saw: `task ${formatId(item.id)} appears twice in walk ${walk.name}`,
            allowed: 'a task appears at most once in one walk, whatever is mutated meanwhile',
            marks: [{ id: item.id, how: 'repeated', entry: page.entry.index }],
          }),
        );
        // One says it all: a walk in a circle repeats thousands, and each finding tells every page.
        return;
      }
    }
  }
}

/**
 * A task written during the walk may be met again where lists run by status time: where its own went back, or stayed,
 * since equal times come in any order. A2A asks for milliseconds, so that finer digits may not count.
 */
function movedBack(earlier: Version | undefined, later: Version | undefined): boolean {
  if (earlier === undefined || later === undefined || earlier === later) return false;
  const from = statusMillis(earlier);
  const to = statusMillis(later);
  return to === undefined || (from !== undefined && to <= from);
}

/** The changes that matter to a walk's caller and filter, worked out once for all walks that share them. */
function changesOf(world: World, walk: Walk, known: Map<string, Map<string, Life[]>>): Map<string, Life[]> {
  const first = walk.pages[0] as ListMoment;
  const key = JSON.stringify([first.operation.caller, first.operation.filter]);
  const changes = known.get(key) ?? changesFor(world, first);
  known.set(key, changes);
  return changes;
}

function judgeFates(world: World, context: CheckContext, walk: Walk, changes: Map<string, Life[]>, tally: Tally): void {
  const first = walk.pages[0] as ListMoment;
  const last = walk.pages.at(-1) as ListMoment;
  const ended = last.page?.nextToken === '';
  const passed = passedPages(context, walk);
  const shown = new Set(walk.pages.flatMap((page) => page.page?.items.map((item) => item.id) ?? []));
  for (const [id, lives] of changes) {
    for (const life of lives) {
      const passing = passingPage(passed, life.atStart(first.entry.call)) ?? (ended ? last : undefined);
      if (passing === undefined) continue;
      if (fate(life.changes, first.entry.call, passing.entry.return) !== 'must') continue;
      tally.witness('WALK-3');
      const standing = life.atStart(first.entry.call);
      if (shown.has(id) || (standing !== undefined && isOnEdge(standing, first.operation.filter))) continue;
      tally.fail(
        finding(world, {
          rule: 'WALK-3',
          let: [...life.changes.map((change) => change.entry), ...disturbances(world, walk), ...pageEntries(walk)],
          then: [passing.entry.index],
          saw: `task ${formatId(id)} never appears in walk ${walk.name}`,
          allowed:
            'a task that stays visible, matching and unwritten from before the walk until it is passed appears exactly once',
          however: `${formatId(id)} stood unchanged from before page 0 until page ${passing.operation.page} returned${ended ? ' with an empty token' : ', which lists what comes after it'}, and was not shown`,
          marks: [{ id, how: 'lost', entry: passing.entry.index }],
        }),
      );
    }
  }
  for (const page of walk.pages) {
    for (const [position, item] of (page.page?.items ?? []).entries()) {
      tally.witness('WALK-4');
      const version = page.shown[position];
      // A task that stands but that the filter leaves out is judged by FILTER-1.
      if (version !== undefined && !matches(version.contents, page.operation.filter)) continue;
      const lives = changes.get(item.id) ?? [];
      if (lives.some((life) => fate(life.changes, first.entry.call, page.entry.return) !== 'never')) continue;
      tally.fail(
        finding(world, {
          rule: 'WALK-4',
          let: [...lives.flatMap((life) => life.changes.map((change) => change.entry)), ...pageEntries(walk)],
          then: [page.entry.index],
          saw: `task ${formatId(item.id)} appears in walk ${walk.name}`,
          allowed: 'a task that was at no instant of the walk visible and matching does not appear',
          marks: [{ id: item.id, how: 'intruding', entry: page.entry.index }],
        }),
      );
    }
  }
}

interface Life {
  readonly changes: readonly (Change & { readonly entry: number })[];
  /** The version that stood at an instant. */
  atStart(instant: number): Version | undefined;
}

/** What happened to each task, as far as it matters to the caller and the filter of `list`: by id, one list a life. */
function changesFor(world: World, list: ListMoment): Map<string, Life[]> {
  const { caller, filter } = list.operation;
  const byLife = new Map<number, { id: string; versions: Version[]; changes: (Change & { entry: number })[] }>();
  for (const version of world.versions) {
    const life = byLife.get(version.life) ?? { id: version.id, versions: [], changes: [] };
    byLife.set(version.life, life);
    life.versions.push(version);
    const visible = world.visibleAt(caller, version, version.entry);
    life.changes.push({ ...instants(world, version.entry), matches: visible && matches(version.contents, filter) });
  }
  for (const { entry, before, after } of world.mutations) {
    // Only a delete leaves nothing.
    if (before === undefined || after !== undefined) continue;
    byLife.get(before.life)?.changes.push({ ...instants(world, entry.index), matches: false });
  }
  if (caller !== undefined) addAccessChanges(world, caller, filter, [...byLife.values()]);
  const lives = new Map<string, Life[]>();
  for (const { id, versions, changes } of byLife.values()) {
    const ordered = changes.sort((a, b) => a.call - b.call);
    const atStart = (instant: number) =>
      versions.findLast((version) => instants(world, version.entry).return < instant);
    lives.set(id, [...(lives.get(id) ?? []), { changes: ordered, atStart }]);
  }
  return lives;
}

function addAccessChanges(
  world: World,
  caller: string,
  filter: ListMoment['operation']['filter'],
  lives: readonly { id: string; versions: Version[]; changes: (Change & { entry: number })[] }[],
): void {
  const byId = new Map<string, typeof lives>();
  for (const life of lives) byId.set(life.id, [...(byId.get(life.id) ?? []), life]);
  for (const entry of world.entries) {
    const { operation } = entry;
    if ((operation.op !== 'access' && operation.op !== 'scope') || operation.caller !== caller) continue;
    for (const life of operation.op === 'access' ? (byId.get(operation.id) ?? []) : lives) {
      const standing = life.versions.findLast((version) => version.entry < entry.index);
      const gone = life.changes.some((change) => change.entry < entry.index && isDelete(world, change.entry));
      if (standing === undefined || gone) continue;
      life.changes.push({
        ...instants(world, entry.index),
        matches: world.visibleAt(caller, standing, entry.index + 1) && matches(standing.contents, filter),
      });
    }
  }
}

function isDelete(world: World, entry: number): boolean {
  return world.entries[entry]?.operation.op === 'delete';
}

function instants(world: World, entry: number): { entry: number; call: number; return: number } {
  const { call, return: returned } = world.entries[entry] as World['entries'][number];
  return { entry, call, return: returned };
}

/** A page and the boundary that it ended at. */
interface Passed {
  readonly boundary: Key;
  readonly page: ListMoment;
}

/**
 * The pages of a walk that tell what they have passed, with their boundaries, descending. Judged by keys, where they are
 * known, and only as far as they descend: of a list in another order (ORDER-1, WALK-2) no page tells what it has passed.
 */
function passedPages(context: CheckContext, walk: Walk): Passed[] {
  const passed: Passed[] = [];
  if (context.order !== 'storage-time') return passed;
  let last: Key | undefined;
  for (const page of walk.pages) {
    for (const position of page.shown.keys()) {
      const next = shownKey(page, position);
      if (last !== undefined && next !== undefined && compareKeys(last, next) >= 0) return passed;
      last = next ?? last;
    }
    const boundary = boundaryOf(page);
    if (boundary !== undefined) passed.push({ boundary, page });
  }
  return passed;
}

/** The first page whose last task comes after `version` in the list, or is it. */
function passingPage(passed: readonly Passed[], version: Version | undefined): ListMoment | undefined {
  const key = keyOf(version);
  return key && passed.find(({ boundary }) => compareKeys(key, boundary) <= 0)?.page;
}

/** The calls between the first page and the last that changed something. */
export function disturbances(world: World, walk: Walk): number[] {
  const from = walk.pages[0]?.entry.index ?? 0;
  const to = walk.pages.at(-1)?.entry.index ?? 0;
  return world.mutations.map((moment) => moment.entry.index).filter((index) => index > from && index < to);
}

export function pageEntries(walk: Walk): number[] {
  return walk.pages.map((page) => page.entry.index);
}
