/**
 * COUNT-1, WALK-3, WALK-4, TOKEN-6 of a list while something happens: writes, grants and revocations between two batches of its scan, or
 * between its scan and its final read.
 */
import { compareKeys, type Key } from '../../models/key.ts';
import { matches } from '../../models/listing.ts';
import { decodePageToken } from '../../models/page-token.ts';
import { targetOf } from '../../models/task-store.ts';
import type { Entry } from '../history/history.ts';
import { formatId } from '../history/notation.ts';
import { traceOf } from './beneath-trace.ts';
import type { Check, CheckContext } from './check.ts';
import { Tally } from './tally.ts';
import { finding, written } from './witness.ts';
import type { ListMoment, Version, World } from './world.ts';

export const underway: Check = {
  rules: ['COUNT-1', 'TOKEN-6', 'WALK-3', 'WALK-4'],
  judge(world, context) {
    const tally = new Tally();
    for (const list of world.lists) {
      const inside = world.entries.filter(
        ({ call, return: returned }) => call > list.entry.call && returned < list.entry.return,
      );
      if (inside.length === 0 || traceOf(list.entry)?.broken !== undefined || list.page === undefined) continue;
      const around = { inside, ...fates(world, list, inside) };
      judgeToken(world, context, list, around, tally);
      judgeTotal(world, list, around, tally);
      judgeItems(world, list, around, tally);
    }
    return tally.reports();
  },
};

interface Around {
  readonly inside: readonly Entry[];
  /** Tasks visible and matching throughout, and those that were so at some instant of the call. */
  readonly throughout: readonly Version[];
  readonly sometimes: ReadonlySet<string>;
}

/** Who was visible and matching while the call ran. Each write and each change of access inside it is an instant. */
function fates(world: World, { entry, operation }: ListMoment, inside: readonly Entry[]): Omit<Around, 'inside'> {
  const instants = [inside[0]!.index, ...inside.map(({ index }) => index + 1)];
  const ids = new Set(world.versions.filter(({ entry: at }) => at < entry.index).map(({ id }) => id));
  const throughout: Version[] = [];
  const sometimes = new Set<string>();
  for (const id of ids) {
    const seen = instants.map((instant) => {
      const version = world.standingAt(id, instant);
      const isSeen =
        version !== undefined &&
        world.visibleAt(operation.caller, version, instant) &&
        matches(version.contents, operation.filter);
      return isSeen ? version : undefined;
    });
    const first = seen[0];
    if (seen.some((version) => version !== undefined)) sometimes.add(id);
    if (first !== undefined && seen.every((version) => version === first)) throughout.push(first);
  }
  return { throughout, sometimes };
}

/** TOKEN-6: the token is the key that its task had when it was chosen, not the one that the final read found. */
function judgeToken(
  world: World,
  { capabilities }: CheckContext,
  list: ListMoment,
  around: Around,
  tally: Tally,
): void {
  const token = list.page?.nextToken ?? '';
  if (token === '' || capabilities.tokens !== 'v1') return;
  tally.witness('TOKEN-6');
  const key = decodePageToken(token);
  const isShown = list.page?.items.some(({ id }) => id === key?.id) === true;
  const isLate = world.entries.some(
    ({ index, operation }) =>
      index < list.entry.index &&
      operation.op === 'beneath' &&
      operation.plan.at === 'moment' &&
      operation.plan.before === 'final-read',
  );
  const written = around.inside.find(({ operation }) => isWriteOf(operation, key?.id));
  const before = written === undefined ? undefined : world.standingAt(key?.id ?? '', written.index);
  const moved = isLate && before?.micros !== undefined && key !== undefined && before.micros !== key.lastUpdatedMicros;
  if (key !== undefined && isShown && !moved) return;
  const saw = !isShown
    ? `the token stands for ${key === undefined ? 'nothing' : formatId(key.id)}, which the page does not show`
    : `the token stands for ${formatId(key!.id)} @${key!.lastUpdatedMicros}, which was chosen @${before!.micros} and written afterwards`;
  fail(world, 'TOKEN-6', list, around, saw, 'a returned task supplies the token: its key at selection', tally);
}

function isWriteOf(operation: Entry['operation'], id: string | undefined): boolean {
  const isWrite = operation.op === 'replace' || operation.op === 'append' || operation.op === 'cancel';
  return isWrite && targetOf(operation) === id;
}

function judgeTotal(world: World, list: ListMoment, around: Around, tally: Tally): void {
  const total = list.page?.totalSize;
  if (list.operation.total === false || total === undefined) return;
  tally.witness('COUNT-1');
  const { throughout, sometimes } = around;
  if (total >= throughout.length && total <= sometimes.size) return;
  const saw = `the total is ${total} where ${throughout.length} tasks were visible throughout the call and ${sometimes.size} at some instant of it`;
  fail(world, 'COUNT-1', list, around, saw, 'the total lies between the two', tally);
}

/** WALK-3, WALK-4: a whole list shows every task that nothing happened to, and none that was never visible. */
function judgeItems(world: World, list: ListMoment, around: Around, tally: Tally): void {
  const items = new Set(list.page?.items.map(({ id }) => id));
  for (const id of items) {
    tally.witness('WALK-4');
    if (around.sometimes.has(id)) continue;
    const saw = `${formatId(id)} is shown, and was at no instant of the call visible and matching`;
    fail(world, 'WALK-4', list, around, saw, 'such a task does not appear', tally);
  }
  if ((list.operation.token ?? '') !== '') return;
  const last = list.page?.items.at(-1);
  const boundary = list.page?.nextToken === '' ? undefined : around.throughout.find(({ id }) => id === last?.id);
  if (list.page?.nextToken !== '' && boundary?.micros === undefined) return;
  for (const version of around.throughout) {
    const isAbove = boundary === undefined || compareKeys(version as Key, boundary as Key) <= 0;
    if (version.micros === undefined || !isAbove) continue;
    tally.witness('WALK-3');
    if (items.has(version.id)) continue;
    const saw = `${formatId(version.id)} is not shown, and nothing happened to it during the call`;
    fail(world, 'WALK-3', list, around, saw, 'a stable task above the boundary appears', tally);
  }
}

function fail(
  world: World,
  rule: string,
  list: ListMoment,
  { inside }: Around,
  saw: string,
  allowed: string,
  tally: Tally,
): void {
  const before = [...written(list.standing), ...inside.map(({ index }) => index)];
  tally.fail(finding(world, { rule, let: before, then: [list.entry.index], saw, allowed }));
}
