/** TIME-3, TIME-4, TIME-5: writes that must change nothing, and tasks at the end of time. */

import { sameInstant } from '../../models/instant.ts';
import type { Expectation } from '../../models/task-store.ts';
import type { Contents } from '../history/history.ts';
import { formatContents, formatId } from '../history/notation.ts';
import type { Check } from './check.ts';
import { Tally } from './tally.ts';
import { finding } from './witness.ts';
import type { MutationMoment, Sighting, Version, World } from './world.ts';

const endOfTime = 2n ** 63n - 1n;

export const rejections: Check = {
  rules: ['TIME-3', 'TIME-4', 'TIME-5'],
  judge(world) {
    if (world.tampered) return [];
    const tally = new Tally();
    for (const moment of world.mutations) {
      judgeDeduplicated(world, moment, tally);
      judgeEndOfTime(world, moment, tally);
      if (moment.before !== undefined && moment.after === moment.before)
        judgeUnchanged(world, moment, moment.before, tally);
    }
    return tally.reports();
  },
};

/** TIME-4: an append whose message id stands already succeeds. */
function judgeDeduplicated(world: World, { entry, expectation, before }: MutationMoment, tally: Tally): void {
  if (expectation.kind !== 'nothing') return;
  tally.witness('TIME-4');
  if (entry.result.kind !== 'error') return;
  tally.fail(
    finding(world, {
      rule: 'TIME-4',
      let: before === undefined ? [] : [before.entry],
      then: [entry.index],
      saw: `an append of a message that stands in the history failed with ${entry.result.code}`,
      allowed: 'a deduplicated history append succeeds',
    }),
  );
}

/** TIME-5: at the largest time a mutation fails with an internal error; other tasks do not mind. */
function judgeEndOfTime(world: World, moment: MutationMoment, tally: Tally): void {
  const { entry, expectation, before } = moment;
  const { result } = entry;
  const exhausted = expectation.kind === 'refuse' && expectation.code === 'internal';
  const elsewhere =
    expectation.kind === 'write' && before?.micros !== endOfTime
      ? exhaustedBefore(world, entry.index, before)
      : undefined;
  if (!exhausted && elsewhere === undefined) return;
  tally.witness('TIME-5');
  const failed = exhausted
    ? result.kind !== 'error' || result.code !== 'internal'
    : result.kind === 'error' && !isFreelyRefused(expectation, result.code);
  if (!failed) return;
  tally.fail(
    finding(world, {
      rule: 'TIME-5',
      let: [before?.entry, elsewhere?.entry].filter((index) => index !== undefined),
      then: [entry.index],
      saw: exhausted
        ? `a mutation of a task at the end of time ${result.kind === 'error' ? `failed with ${result.code}` : 'succeeded'}`
        : `a write of another task failed while ${formatId(elsewhere?.id ?? '')} is at the end of time`,
      allowed: exhausted ? 'it fails with an internal error and changes nothing' : 'other tasks are untouched',
    }),
  );
}

/** The subject says that it may write where others refuse, and refused: nothing was written, and nothing is wrong. */
export function isFreelyRefused(expectation: Expectation, code: string): boolean {
  return expectation.kind === 'write' && expectation.orRefuse === code;
}

/** A version at the end of time that stood before `entry`, of another task than `own`. */
function exhaustedBefore(world: World, entry: number, own: Version | undefined): Version | undefined {
  return world.versions.find(
    (version) => version.entry < entry && version.micros === endOfTime && version.life !== own?.life,
  );
}

/** TIME-3 (TIME-5 at the end of time): what was seen of the version before the attempt is what is seen after it. */
function judgeUnchanged(world: World, moment: MutationMoment, version: Version, tally: Tally): void {
  const { entry, expectation } = moment;
  const attempted = expectation.kind === 'nothing' ? 'a deduplicated append' : 'a rejected write';
  const rule = expectation.kind === 'refuse' && expectation.code === 'internal' ? 'TIME-5' : 'TIME-3';
  const next = world.mutations.find((other) => other.entry.index > entry.index && other.before === version);
  const until = next?.entry.index ?? Number.POSITIVE_INFINITY;
  const earlier = version.sightings.filter((sighting) => sighting.entry < entry.index);
  for (const later of version.sightings) {
    // The answer of the next mutation shows what that one left.
    if (later.entry < entry.index || later.entry >= until) continue;
    const isTold =
      later.contents !== undefined || fields.some((field) => comparable(later, earlier, field) !== undefined);
    if (isTold) tally.witness(rule);
    const change = differs(world, later, version, earlier);
    if (change === undefined) continue;
    tally.fail(
      finding(world, {
        rule,
        let: [version.entry, ...earlier.map((sighting) => sighting.entry)],
        then: later.entry === entry.index ? [entry.index] : [entry.index, later.entry],
        saw: `after ${attempted}, ${formatId(version.id)} ${change}`,
        allowed: `${attempted} changes nothing`,
      }),
    );
    return;
  }
}

const fields = ['micros', 'revision'] as const;

/**
 * The latest of the earlier sightings that tells the same of the task in the same way: the answer to a write is compared
 * with that to a write, a read or a page with a read or a page. Where the two kinds disagree, they may have before.
 */
function comparable(later: Sighting, earlier: readonly Sighting[], field: 'micros' | 'revision'): Sighting | undefined {
  const isReply = later.contents === undefined;
  return earlier.findLast((sighting) => (sighting.contents === undefined) === isReply && sighting[field] !== undefined);
}

/** A write of another task came between: it may have moved this one (in a store that takes two ids for one, say). */
function isOthersDoing(world: World, version: Version, known: number, later: Sighting): boolean {
  return world.versions.some(({ entry, id }) => entry > known && entry < later.entry && id !== version.id);
}

/** What is seen is an earlier version under the same id: an old row that is shown again, whatever was attempted. */
function isEarlier(world: World, version: Version, later: Sighting): boolean {
  return world.versions.some(
    ({ entry, id, micros, contents }) =>
      entry < version.entry &&
      id === version.id &&
      ((micros !== undefined && later.micros === micros) ||
        (later.contents !== undefined && sameContents(later.contents, contents, world, later.entry))),
  );
}

function differs(world: World, later: Sighting, version: Version, earlier: readonly Sighting[]): string | undefined {
  if (isEarlier(world, version, later)) return undefined;
  for (const field of fields) {
    const known = comparable(later, earlier, field);
    if (known === undefined || later[field] === undefined || later[field] === known[field]) continue;
    if (isOthersDoing(world, version, known.entry, later)) continue;
    return `has the ${field === 'micros' ? 'time' : 'revision'} ${later[field]} instead of ${known[field]}`;
  }
  const { contents: read } = later;
  if (read === undefined || sameContents(read, version.contents, world, later.entry)) return undefined;
  if (!leftByAttempt(world, version, read, later.entry)) {
    const known = seenRight(world, version, later.entry);
    if (known === undefined || isOthersDoing(world, version, known, later)) return undefined;
  }
  const [now, before] = [formatContents(read), formatContents(version.contents)];
  return now === before ? `reads (${now}) of another write` : `reads (${now}) instead of (${before})`;
}

/** The latest entry that read a version as it was written, before the last attempt that precedes `entry`. */
export function seenRight(world: World, version: Version, entry: number): number | undefined {
  const attempt = world.mutations.findLast(
    ({ entry: tried, before, after }) => tried.index < entry && before === version && after === version,
  );
  return version.sightings.findLast(
    (sighting) =>
      sighting.contents !== undefined &&
      sighting.entry < (attempt?.entry.index ?? -1) &&
      sameContents(sighting.contents, version.contents, world, sighting.entry),
  )?.entry;
}

/** Whether what was read holds a part that only an attempt which had to change nothing can have left. */
export function leftByAttempt(world: World, { attempts, contents }: Version, read: Contents, entry: number): boolean {
  return attempts.some((attempt) => {
    const operation = attempt < entry ? world.entries[attempt]?.operation : undefined;
    if (operation === undefined) return false;
    if ('contents' in operation) return read.note === operation.contents.note && read.note !== contents.note;
    if (operation.op === 'append')
      return read.history.includes(operation.message) && !contents.history.includes(operation.message);
    return operation.op === 'cancel' && read.state === 'CANCELED' && contents.state !== 'CANCELED';
  });
}

/** Compares what was read with what was written, as far as the operation at `entry` asked for it. */
export function sameContents(read: Contents, written: Contents, world: World, entry: number): boolean {
  const operation = world.entries[entry]?.operation;
  const list = operation?.op === 'list' ? operation : undefined;
  const artifacts = list !== undefined && list.includeArtifacts !== true ? [] : written.artifacts;
  const length = list?.historyLength;
  const recent = length === undefined ? written.history : length <= 0 ? [] : written.history.slice(-length);
  return (
    read.id === written.id &&
    read.context === written.context &&
    read.state === written.state &&
    sameInstant(read.timestamp, written.timestamp) &&
    read.note === written.note &&
    (sameList(read.history, recent) || (list !== undefined && isTail(read.history, written.history, world))) &&
    (sameList(read.artifacts, artifacts) || (list !== undefined && sameList(read.artifacts, written.artifacts)))
  );
}

/**
 * In lists the full history is as good as its most recent part: a store may leave the cut to its caller. An external one
 * may also show less of it than was asked for (A2A 1.0 §3.2.4).
 */
function isTail(read: readonly string[], written: readonly string[], world: World): boolean {
  return sameList(read, world.external ? written.slice(written.length - read.length) : written);
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, position) => value === b[position]);
}
