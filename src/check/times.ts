/** TIME-1 and TIME-2, where times are seen. */
import { parseInstant } from '../../models/instant.ts';
import { formatId } from '../history/notation.ts';
import type { Check } from './check.ts';
import { Tally } from './tally.ts';
import { finding, written } from './witness.ts';
import type { Version, World } from './world.ts';

export const times: Check = {
  rules: ['TIME-1', 'TIME-2'],
  judge(world) {
    if (world.tampered) return [];
    const tally = new Tally();
    const latest = new Map<number, Version>();
    for (const version of world.versions) {
      judgeStamp(world, version, latest.get(version.life), tally);
      judgeAdvance(world, version, latest.get(version.life), tally);
      latest.set(version.life, version);
    }
    return tally.reports();
  },
};

/** TIME-2: each mutation moves the task's time by at least 1 µs. */
function judgeAdvance(world: World, version: Version, before: Version | undefined, tally: Tally): void {
  if (version.micros === undefined || before?.micros === undefined) return;
  tally.witness('TIME-2');
  if (version.micros > before.micros) return;
  const { operation } = world.entries[version.entry] as World['entries'][number];
  tally.fail(
    finding(world, {
      rule: 'TIME-2',
      let: [before.entry, ...firstSighting(before)],
      then: [version.entry, ...firstSighting(version)],
      saw: `${operation.op} of ${formatId(version.id)} left its last-update time at ${version.micros}, which was ${before.micros} before`,
      allowed: 'every successful mutation advances the time by at least 1 µs',
    }),
  );
}

/**
 * TIME-1: the status timestamp is not the time. An equal number proves it only where nothing else explains it: a status
 * time decades away from the wall clock, or away from both the store's clock and the task's earlier time.
 */
function judgeStamp(world: World, version: Version, before: Version | undefined, tally: Tally): void {
  const stamp = version.contents.timestamp === undefined ? undefined : parseInstant(version.contents.timestamp);
  if (stamp === undefined || version.micros === undefined) return;
  const stampMicros = stamp / 1000n;
  const clock = world.entries.findLast((entry) => entry.index < version.entry && entry.operation.op === 'clock');
  const clockMicros = clock?.operation.op === 'clock' ? clock.operation.micros : undefined;
  const near = (other: bigint | undefined) =>
    other !== undefined && other - stampMicros < farMicros && stampMicros - other < farMicros;
  const explained = clockMicros === undefined ? stampMicros > wallFrom && stampMicros < wallTo : near(clockMicros);
  if (explained || near(before?.micros)) return;
  tally.witness('TIME-1');
  if (version.micros !== stampMicros) return;
  tally.fail(
    finding(world, {
      rule: 'TIME-1',
      let: [...written([before]), ...(clock === undefined ? [] : [clock.index])],
      then: [version.entry, ...firstSighting(version)],
      saw: `the last-update time of ${formatId(version.id)} is ${version.micros}, which is its status.timestamp ${version.contents.timestamp}`,
      allowed: 'storage assigns the time; status.timestamp never decides it',
    }),
  );
}

/** A second: no store adds that much to its clock. */
const farMicros = 1_000_000n;
/** 2020 to 2090: where a wall clock may stand. */
const wallFrom = 1_577_836_800_000_000n;
const wallTo = 3_786_912_000_000_000n;

function firstSighting(version: Version): number[] {
  const seen = version.sightings.find((sighting) => sighting.micros !== undefined);
  return seen === undefined ? [] : [seen.entry];
}
