/** ORDER-1, ORDER-2, and what the order of a page proves of TIME-1 and TIME-2 where times are unseen. */
import { parseInstant } from '../../models/instant.ts';
import { compareKeys } from '../../models/key.ts';
import { formatId } from '../history/notation.ts';
import type { Check, CheckContext } from './check.ts';
import { isContradicted, keyOf, shownKey, statusMillis } from './position.ts';
import { Tally } from './tally.ts';
import type { TaskMark } from './verdict.ts';
import { finding, type Proof, written } from './witness.ts';
import type { ListMoment, Version, World } from './world.ts';

export const order: Check = {
  rules: ['ORDER-1', 'ORDER-2', 'TIME-1', 'TIME-2', 'TIME-3'],
  judge(world, context) {
    if (world.tampered || context.order === 'creation') return [];
    const tally = new Tally();
    const disagreements: Disagreement[] = [];
    for (const list of world.lists) {
      for (let position = 1; position < list.shown.length; position++) {
        const first = list.shown[position - 1];
        const second = list.shown[position];
        if (first === undefined || second === undefined || first.life === second.life) continue;
        if (context.order === 'storage-time') judgeTimes(world, list, position, first, second, tally);
        if (context.order === 'status-timestamp') disagreements.push(...readings(world, list, first, second, tally));
      }
    }
    judgeReadings(world, disagreements, tally);
    judgeStability(world, context, tally);
    return tally.reports();
  },
};

/** One place where the list contradicts one reading of the A2A order. */
interface Disagreement {
  readonly reading: 'status time' | 'last update';
  readonly list: ListMoment;
  readonly first: Version;
  readonly second: Version;
}

function judgeTimes(
  world: World,
  list: ListMoment,
  position: number,
  first: Version,
  second: Version,
  tally: Tally,
): void {
  const [left, right] = [shownKey(list, position - 1), shownKey(list, position)];
  if (left !== undefined && right !== undefined) {
    tally.witness('ORDER-1');
    if (compareKeys(left, right) > 0) {
      const tie = left.micros === right.micros;
      tally.fail(
        finding(world, {
          ...inverted(list, first, second),
          rule: 'ORDER-1',
          saw: `${formatId(first.id)} @${left.micros} is listed before ${formatId(second.id)} @${right.micros}`,
          allowed: tie
            ? 'equal times are ordered by id, in descending order of its UTF-8 bytes'
            : 'the later time comes first',
        }),
      );
    }
    return;
  }
  // What an attempt that had to change nothing may have moved is TIME-3's.
  if (attemptedBefore(list, first) || attemptedBefore(list, second)) return;
  // Times are unseen: what is certain is that a write called 3 ms after another returned has the later time.
  if (tickBetween(world, second, first)) {
    tally.witness('ORDER-1');
    if (first.number > 0) tally.witness('TIME-2');
    if (isStampedLater(second, first)) tally.witness('TIME-1');
  }
  if (!tickBetween(world, first, second)) return;
  tally.witness('ORDER-1');
  const proof = {
    ...inverted(list, first, second),
    saw: `${formatId(first.id)} is listed before ${formatId(second.id)}, which was written later, after the clock had moved`,
  };
  tally.fail(finding(world, { ...proof, rule: 'ORDER-1', allowed: 'the later last-update time comes first' }));
  if (second.number > 0)
    tally.fail(
      finding(world, {
        ...proof,
        rule: 'TIME-2',
        allowed: 'an update never leaves a task behind one that was not written since',
      }),
    );
  if (isStampedLater(first, second))
    tally.fail(
      finding(world, { ...proof, rule: 'TIME-1', allowed: 'status.timestamp never decides the last-update time' }),
    );
}

function isStampedLater(one: Version, other: Version): boolean {
  const [own, others] = [parseInstant(one.contents.timestamp ?? ''), parseInstant(other.contents.timestamp ?? '')];
  return own !== undefined && others !== undefined && own > others;
}

function attemptedBefore({ entry }: ListMoment, { attempts }: Version): boolean {
  return attempts.some((attempt) => attempt < entry.index);
}

/** Which readings of the A2A order this pair contradicts. */
function readings(world: World, list: ListMoment, first: Version, second: Version, tally: Tally): Disagreement[] {
  const found: Disagreement[] = [];
  const [left, right] = [statusMillis(first), statusMillis(second)];
  if (left !== right) tally.witness('ORDER-1');
  if (right !== undefined && (left === undefined || left < right))
    found.push({ reading: 'status time', list, first, second });
  if (tickBetween(world, first, second)) found.push({ reading: 'last update', list, first, second });
  return found;
}

/** A2A names two orders in one section; a store is wrong where its lists contradict both. */
function judgeReadings(world: World, found: readonly Disagreement[], tally: Tally): void {
  const status = found.find((one) => one.reading === 'status time');
  const update = found.find((one) => one.reading === 'last update');
  if (status === undefined || update === undefined) return;
  tally.fail(
    finding(world, {
      rule: 'ORDER-1',
      let: written([status.first, status.second, update.first, update.second]),
      then: [...new Set([status.list.entry.index, update.list.entry.index])],
      saw: `${formatId(status.first.id)} is listed before ${formatId(status.second.id)} against their status times, and ${formatId(update.first.id)} before ${formatId(update.second.id)} against their last updates`,
      allowed: 'lists run by status time descending, or by last update descending',
      marks: [status, update].flatMap(({ list, first, second }) => [misplaced(list, first), misplaced(list, second)]),
    }),
  );
}

/**
 * The second version certainly has the later time: its write was called after waits that followed the first's return. A
 * task that is written again and again runs ahead of the clock, in a store of milliseconds by one a write, and a wait is
 * 3 ms.
 */
function tickBetween(world: World, earlier: Version, later: Version): boolean {
  const waits = world.entries.slice(earlier.entry + 1, later.entry).filter(({ operation }) => operation.op === 'tick');
  return earlier.number < 3 * waits.length;
}

/**
 * ORDER-2: two tasks that nobody wrote keep their order in every list. Where only a rejected or deduplicated write lies
 * between the two lists, TIME-3 is what was broken; where the one that fell behind was updated, TIME-2.
 */
function judgeStability(world: World, context: CheckContext, tally: Tally): void {
  const orders = new Map<string, { list: ListMoment; first: Version; second: Version }>();
  for (const list of world.lists) {
    const shown = list.shown.filter((version, at) => version !== undefined && !isContradicted(list, at));
    // A task that a page shows twice (WALK-1) stands both before and behind the others.
    if (new Set(shown.map((version) => version?.life)).size < shown.length) continue;
    for (let left = 0; left < shown.length; left++) {
      // In long pages neighbours suffice: all pairs would be quadratic.
      const end = shown.length > 16 ? Math.min(left + 2, shown.length) : shown.length;
      for (let right = left + 1; right < end; right++) {
        const first = shown[left] as Version;
        const second = shown[right] as Version;
        if (context.order === 'status-timestamp' && sameStatusTime(first, second)) continue;
        const earlier = orders.get(`${second.life} ${first.life}`);
        if (earlier === undefined) {
          if (orders.has(`${first.life} ${second.life}`)) tally.witness('ORDER-2');
        } else if (earlier.first === second && earlier.second === first) {
          tally.fail(finding(world, flipped(world, earlier.list, list, first, second)));
        } else if (
          context.order === 'storage-time' &&
          earlier.second === first &&
          (keyOf(earlier.first) === undefined || keyOf(second) === undefined)
        ) {
          // `second` was ahead, was updated, and is now behind `first`, which nobody wrote: no clock explains that.
          // Where both its times were seen, they decide whether it advanced.
          tally.fail(
            finding(world, {
              ...inverted(list, first, second),
              let: [...written([earlier.first, first, second]), earlier.list.entry.index],
              rule: 'TIME-2',
              saw: `${formatId(second.id)} was listed before ${formatId(first.id)}, was updated, and is now listed behind it`,
              allowed: 'an update never leaves a task behind one that was not written since',
            }),
          );
        }
        orders.delete(`${second.life} ${first.life}`);
        orders.set(`${first.life} ${second.life}`, { list, first, second });
      }
    }
  }
}

function sameStatusTime(first: Version, second: Version): boolean {
  return statusMillis(first) === statusMillis(second);
}

function flipped(world: World, earlier: ListMoment, later: ListMoment, first: Version, second: Version): Proof {
  // Both stand as they did: what was tried on either in between had to change nothing.
  const attempts = world.mutations
    .filter(
      ({ entry, before }) =>
        entry.index > earlier.entry.index && entry.index < later.entry.index && (before === first || before === second),
    )
    .map(({ entry }) => entry.index);
  return {
    rule: attempts.length > 0 ? 'TIME-3' : 'ORDER-2',
    let: [...written([first, second]), ...attempts],
    then: [earlier.entry.index, later.entry.index],
    saw: `${formatId(second.id)} is listed before ${formatId(first.id)} once and behind it later, and no write of either succeeded between`,
    allowed: 'nothing but the key orders a list, and only a successful write moves a key',
    marks: [misplaced(later, first), misplaced(later, second)],
  };
}

function inverted(list: ListMoment, first: Version, second: Version): Pick<Proof, 'let' | 'then' | 'marks'> {
  return {
    let: written([first, second]),
    then: [list.entry.index],
    marks: [misplaced(list, first), misplaced(list, second)],
  };
}

function misplaced(list: ListMoment, { id }: Version): TaskMark {
  return { id, how: 'misplaced', entry: list.entry.index };
}
