/**
 * SNAP-2 and STORE-3 as far as one client can see them: what was acknowledged is what is read; distinct ids are distinct.
 * Where an attempt that had to change nothing explains it, it is TIME-3's.
 */
import { keepsId, targetOf } from '../../models/task-store.ts';
import type { Contents } from '../history/history.ts';
import { formatContents, formatId } from '../history/notation.ts';
import { type Check, type CheckContext, modelOptions } from './check.ts';
import { isFreelyRefused, leftByAttempt, sameContents, seenRight } from './rejections.ts';
import { Tally } from './tally.ts';
import { finding } from './witness.ts';
import type { ListMoment, MutationMoment, ReadMoment, Version, World } from './world.ts';

const endOfTime = 2n ** 63n - 1n;

export const acknowledged: Check = {
  rules: ['SNAP-2', 'STORE-3', 'TIME-3'],
  judge(world, context) {
    if (world.tampered) return [];
    const tally = new Tally();
    for (const moment of world.mutations) judgeOutcome(world, context, moment, tally);
    for (const read of world.reads) judgeRead(world, context, read, tally);
    for (const list of world.lists) judgeItems(world, list, tally);
    return tally.reports();
  },
};

/** An id that a careless store may confuse with another: anything but lower-case letters, digits and hyphens. */
export function isAwkward(id: string): boolean {
  return !/^[a-z0-9-]{1,36}$/.test(id);
}

function judgeOutcome(world: World, context: CheckContext, moment: MutationMoment, tally: Tally): void {
  const { entry, operation, expectation, before } = moment;
  const { result } = entry;
  const id = targetOf(operation);
  const atTheDoor = expectation.kind === 'refuse' && expectation.code === 'invalid-argument';
  if (atTheDoor || (operation.op === 'create' && before === undefined)) {
    tally.witness('STORE-3');
    const refused = result.kind === 'error' && (result.code === 'invalid-argument' || result.code === 'unclassified');
    // An external store may keep more than it promises; whether it keeps it right is seen from reads.
    const more = world.external && result.kind !== 'error' && id !== '' && id.isWellFormed();
    if (atTheDoor ? refused || more : result.kind !== 'error') return;
    if (!atTheDoor && anyExhausted(world, entry.index)) return;
    tally.fail(
      finding(world, {
        rule: 'STORE-3',
        let: world.mutations.filter((other) => other.entry.index < entry.index).map((other) => other.entry.index),
        then: [entry.index],
        saw: `${operation.op} of ${formatId(id)}, ${keepsId(id, modelOptions(context.capabilities)) ? 'which does not stand yet' : 'an id that the store does not keep'}, ${result.kind === 'error' ? `failed with ${result.code}` : 'succeeded'}`,
        allowed: atTheDoor
          ? 'an id that a store can not keep is refused with an invalid argument'
          : 'distinct ids are distinct tasks, and a new one can be created',
      }),
    );
    return;
  }
  tally.witness('SNAP-2');
  const wanted = expectation.kind === 'refuse' ? 'be refused' : 'succeed';
  const went = result.kind === 'error' ? 'be refused' : 'succeed';
  if (wanted === went || expectation.kind === 'nothing') return;
  if (result.kind === 'error' && isFreelyRefused(expectation, result.code)) return;
  // The end of time is TIME-5's.
  if (expectation.kind === 'refuse' && expectation.code === 'internal') return;
  if (expectation.kind !== 'refuse' && anyExhausted(world, entry.index)) return;
  tally.fail(
    finding(world, {
      rule: refusalRule(moment),
      let: world.mutations
        .filter((other) => other.entry.index < entry.index && targetOf(other.operation) === id)
        .map((other) => other.entry.index),
      then: [entry.index],
      saw: `${operation.op} of ${formatId(id)} ${result.kind === 'error' ? `failed with ${result.code}` : 'succeeded'}`,
      allowed:
        expectation.kind === 'refuse' ? `it has to fail with ${expectation.code}` : 'nothing that stands forbids it',
    }),
  );
}

/** Which rule a wrong outcome breaks: what is told of one id alone may be a confusion, what follows an attempt its trace. */
function refusalRule({ operation, before, entry: { result } }: MutationMoment): string {
  const code = result.kind === 'error' ? result.code : undefined;
  if (code === 'revision-conflict' && before !== undefined && before.attempts.length > 0) return 'TIME-3';
  return code === 'not-found' && isAwkward(targetOf(operation)) ? 'STORE-3' : 'SNAP-2';
}

function anyExhausted(world: World, before: number): boolean {
  return world.versions.some((version) => version.entry < before && version.micros === endOfTime);
}

function judgeRead(world: World, context: CheckContext, { entry, id, standing }: ReadMoment, tally: Tally): void {
  const { result } = entry;
  const found = result.kind === 'read' ? result.contents : undefined;
  if (result.kind === 'error' && result.code !== 'not-found') {
    // An id that the store does not keep may be refused, or not found.
    if (!keepsId(id, modelOptions(context.capabilities))) return;
    // Nothing stands there, and the store says so by an error without a code.
    if (standing === undefined && result.code === 'unclassified') return;
    fail(
      world,
      'SNAP-2',
      entry.index,
      standing,
      `get of ${formatId(id)} failed with ${result.code}`,
      'a read answers',
      tally,
    );
    return;
  }
  tally.witness('SNAP-2');
  if (isAwkward(id)) tally.witness('STORE-3');
  if (found === undefined && standing === undefined) return;
  if (found !== undefined && standing !== undefined && sameContents(found, standing.contents, world, entry.index))
    return;
  const saw =
    found === undefined
      ? `get of ${formatId(id)} finds nothing`
      : `get of ${formatId(id)} reads ${formatId(found.id)} (${formatContents(found)})`;
  const allowed =
    standing === undefined
      ? 'no such task stands'
      : `the acknowledged contents are (${formatContents(standing.contents)})`;
  const foreign =
    found !== undefined &&
    world.versions.some(
      (version) =>
        version.id !== id && version.contents.note === found.note && version.contents.note !== standing?.contents.note,
    );
  if (foreign || (found !== undefined && found.id !== id))
    fail(world, 'STORE-3', entry.index, standing, saw, `${allowed}; distinct ids are distinct tasks`, tally);
  else if (found === undefined && isAwkward(id)) fail(world, 'STORE-3', entry.index, standing, saw, allowed, tally);
  else if (standing === undefined || found === undefined || !isAttempts(world, standing, found, entry.index))
    fail(world, 'SNAP-2', entry.index, standing, saw, allowed, tally);
}

/** What was right before a write that had to change nothing, and is wrong after it, is TIME-3's; so is what it left. */
function isAttempts(world: World, version: Version, read: Contents, entry: number): boolean {
  return seenRight(world, version, entry) !== undefined || leftByAttempt(world, version, read, entry);
}

function judgeItems(world: World, list: ListMoment, tally: Tally): void {
  for (const [position, item] of (list.page?.items ?? []).entries()) {
    const version = list.shown[position];
    tally.witness('SNAP-2');
    if (version !== undefined && sameContents(item, version.contents, world, list.entry.index)) continue;
    if (version !== undefined && isAttempts(world, version, item, list.entry.index)) continue;
    const saw = `a page shows ${formatId(item.id)} (${formatContents(item)})`;
    const allowed =
      version === undefined
        ? 'no such task stands'
        : `the acknowledged contents are (${formatContents(version.contents)})`;
    fail(world, 'SNAP-2', list.entry.index, version, saw, allowed, tally);
  }
}

function fail(
  world: World,
  rule: string,
  entry: number,
  version: Version | undefined,
  saw: string,
  allowed: string,
  tally: Tally,
): void {
  const id = world.entries[entry]?.operation;
  const related = world.mutations
    .filter(
      (moment) =>
        moment.entry.index < entry &&
        (version === undefined ||
          moment.before?.id === version.id ||
          moment.after?.id === version.id ||
          rule === 'STORE-3'),
    )
    .map((moment) => moment.entry.index);
  tally.fail(finding(world, { rule, let: id === undefined ? [] : related, then: [entry], saw, allowed }));
}
