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

/** TIME-3 (TIME-5 at the end of time): what was known of the version before the attempt is what is seen after it. */
function judgeUnchanged(world: World, moment: MutationMoment, version: Version, tally: Tally): void {
  const { entry, expectation } = moment;
  const attempted = expectation.kind === 'nothing' ? 'a deduplicated append' : 'a rejected write';
  const rule = expectation.kind === 'refuse' && expectation.code === 'internal' ? 'TIME-5' : 'TIME-3';
  const next = world.mutations.find((other) => other.entry.index > entry.index && other.before === version);
  const until = next?.entry.index ?? Number.POSITIVE_INFINITY;
  const earlier = version.sightings.filter((sighting) => sighting.entry < entry.index);
  const micros = earlier.find((sighting) => sighting.micros !== undefined)?.micros;
  const revision = earlier.find((sighting) => sighting.revision !== undefined)?.revision;
  for (const later of version.sightings) {
    // The answer of the next mutation shows what that one left.
    if (later.entry < entry.index || later.entry >= until) continue;
    tally.witness(rule);
    const change = differs(world, later, version, micros, revision);
    if (change === undefined || isOthersDoing(world, version, earlier, later)) continue;
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

/**
 * A write of another task came between what was last seen of this one and what is seen now, and nothing of the attempt
 * itself is read: that write may have moved it (in a store that takes two ids for one, say).
 */
function isOthersDoing(world: World, version: Version, earlier: readonly Sighting[], later: Sighting): boolean {
  if (later.contents !== undefined && leftByAttempt(world, version, later.contents, later.entry)) return false;
  const known = earlier.findLast(
    ({ micros, revision }) =>
      (later.micros === undefined || micros !== undefined) && (later.revision === undefined || revision !== undefined),
  );
  const from = known?.entry ?? version.entry;
  return world.versions.some(({ entry, id }) => entry > from && entry < later.entry && id !== version.id);
}

function differs(
  world: World,
  later: Sighting,
  version: Version,
  micros: bigint | undefined,
  revision: string | undefined,
): string | undefined {
  if (micros !== undefined && later.micros !== undefined && later.micros !== micros)
    return `has the time ${later.micros} instead of ${micros}`;
  if (revision !== undefined && later.revision !== undefined && later.revision !== revision)
    return `has the revision ${later.revision} instead of ${revision}`;
  if (later.contents === undefined) return undefined;
  if (!seenRight(world, version, later.entry) && !leftByAttempt(world, version, later.contents, later.entry))
    return undefined;
  return sameContents(later.contents, version.contents, world, later.entry)
    ? undefined
    : `reads (${formatContents(later.contents)}) instead of (${formatContents(version.contents)})`;
}

/** Whether the contents of a version were read as they were written before the last attempt that precedes `entry`. */
export function seenRight(world: World, version: Version, entry: number): boolean {
  const attempt = world.mutations.findLast(
    ({ entry: tried, before, after }) => tried.index < entry && before === version && after === version,
  );
  return version.sightings.some(
    (sighting) =>
      sighting.contents !== undefined &&
      sighting.entry < (attempt?.entry.index ?? -1) &&
      sameContents(sighting.contents, version.contents, world, sighting.entry),
  );
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
