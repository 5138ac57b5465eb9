/** TIME-2, and TIME-3 of what was refused, where another session held the row, or set its time ahead, meanwhile. */
import type { HeldRowSight } from '../history/database.ts';
import type { Check } from './check.ts';
import { Tally } from './tally.ts';
import { finding } from './witness.ts';

/** Judges every held row of a history; linear in its writes. */
export const heldRows: Check = {
  rules: ['TIME-2', 'TIME-3'],
  judge(world) {
    const tally = new Tally();
    for (const { index, operation, result } of world.entries) {
      if (operation.op !== 'database' || result.kind !== 'database' || result.sight.seen !== 'held-row') continue;
      for (const [rule, saw, isRight] of claims(result.sight)) {
        tally.witness(rule);
        if (isRight) continue;
        tally.fail(
          finding(world, {
            rule,
            let: [],
            then: [index],
            saw,
            allowed:
              rule === 'TIME-3'
                ? 'a write that is refused leaves the time as it was'
                : 'every successful write advances the time by at least 1 µs over what stands when it holds the row, also after a wait',
          }),
        );
      }
    }
    return tally.reports();
  },
};

/** What has to hold by which rule, each with the words for where it does not. */
function* claims(sight: HeldRowSight): Generator<readonly [rule: string, saw: string, isRight: boolean]> {
  const times = sight.writes.flatMap(({ micros }) => (isTime(micros) ? [BigInt(micros)] : []));
  if (!isTime(sight.held) || times.length === 0) return;
  const held = BigInt(sight.held);
  for (const micros of times)
    yield ['TIME-2', `the holder left the time ${held}, and a write that waited for it has ${micros}`, micros > held];
  for (const [place, micros] of times.entries()) {
    if (place > 0) yield ['TIME-2', `two writes have the time ${micros}`, !times.slice(0, place).includes(micros)];
  }
  if (!isTime(sight.read) || sight.writes.some(({ error }) => error === 'no answer')) return;
  const read = BigInt(sight.read);
  const isRight = times.includes(read) && times.every((micros) => micros <= read);
  const wasRefused = sight.writes.some(({ error }) => error !== undefined);
  // A time that is later than every write that succeeded is the trace of one that was refused, where one was.
  const rule = wasRefused && times.every((micros) => micros < read) ? 'TIME-3' : 'TIME-2';
  yield [rule, `the task has the time ${read}, and its writes have ${times.join(' ')}`, isRight];
}

function isTime(text: string | undefined): text is string {
  return text !== undefined && /^-?[0-9]+$/.test(text);
}
