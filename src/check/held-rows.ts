/** TIME-2 where another session held the row, or set its time ahead, while the store wrote the task. */
import type { HeldRowSight } from '../history/database.ts';
import type { Check } from './check.ts';
import { Tally } from './tally.ts';
import { finding } from './witness.ts';

/** Judges every held row of a history; linear in its writes. */
export const heldRows: Check = {
  rules: ['TIME-2'],
  judge(world) {
    const tally = new Tally();
    for (const { index, operation, result } of world.entries) {
      if (operation.op !== 'database' || result.kind !== 'database' || result.sight.seen !== 'held-row') continue;
      for (const [saw, isRight] of claims(result.sight)) {
        tally.witness('TIME-2');
        if (isRight) continue;
        tally.fail(
          finding(world, {
            rule: 'TIME-2',
            let: [],
            then: [index],
            saw,
            allowed:
              'every successful write advances the time by at least 1 µs over what stands when it holds the row, also after a wait',
          }),
        );
      }
    }
    return tally.reports();
  },
};

/** What has to hold, each with the words for where it does not. */
function* claims(sight: HeldRowSight): Generator<readonly [saw: string, isRight: boolean]> {
  const times = sight.writes.flatMap(({ micros }) => (isTime(micros) ? [BigInt(micros)] : []));
  if (!isTime(sight.held) || times.length === 0) return;
  const held = BigInt(sight.held);
  for (const micros of times)
    yield [`the holder left the time ${held}, and a write that waited for it has ${micros}`, micros > held];
  for (const [place, micros] of times.entries()) {
    if (place > 0) yield [`two writes have the time ${micros}`, !times.slice(0, place).includes(micros)];
  }
  if (!isTime(sight.read) || sight.writes.some(({ error }) => error === 'no answer')) return;
  const read = BigInt(sight.read);
  yield [
    `the task has the time ${read}, and its writes have ${times.join(' ')}`,
    times.includes(read) && times.every((micros) => micros <= read),
  ];
}

function isTime(text: string | undefined): text is string {
  return text !== undefined && /^-?[0-9]+$/.test(text);
}
