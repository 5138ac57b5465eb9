import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Change, fate } from './walk.ts';

const forever = Number.POSITIVE_INFINITY;
/** A change that took effect between two instants, after which the task matches. */
const on = (call: number, until: number): Change => ({ call, return: until, matches: true });
/** The same, after which it does not. */
const off = (call: number, until: number): Change => ({ call, return: until, matches: false });

describe('the fate of a task in a walk from 10 to 20', () => {
  it.each([
    ['nothing ever happened', [], 'never'],
    ['it was created before', [on(1, 2)], 'must'],
    ['it was created and deleted before', [on(1, 2), off(3, 4)], 'never'],
    ['it was created after', [on(21, 22)], 'never'],
    ['it was deleted after', [on(1, 2), off(21, 22)], 'must'],
    ['it was created during', [on(12, 13)], 'may'],
    ['it was deleted during', [on(1, 2), off(12, 13)], 'may'],
    ['it was written during and matches throughout', [on(1, 2), on(12, 13)], 'may'],
    ['it was written during and never matches', [off(1, 2), off(12, 13)], 'never'],
    ['its create returned after the start', [on(9, 11)], 'may'],
    ['its delete was called before the end', [on(1, 2), off(19, 25)], 'may'],
    ['its create returned just before the start', [on(1, 9)], 'must'],
    ['its create was called just after the end', [on(21, 30)], 'never'],
    ['a create and a delete overlap before', [on(1, 5), off(2, 6)], 'may'],
    ['a delete and a create overlap before', [off(1, 5), on(2, 6)], 'may'],
    ['two matching writes overlap before', [on(1, 5), on(2, 6)], 'must'],
    ['an overlap is settled by a later create', [on(1, 5), off(2, 6), on(7, 8)], 'must'],
    ['an overlap is settled by a later delete', [on(1, 5), off(2, 6), off(7, 8)], 'never'],
    ['a long create overlaps several deletes', [on(1, 9), off(2, 3), off(4, 5)], 'may'],
    ['the outcome of its create is unknown', [on(1, forever)], 'may'],
    ['the outcome of its delete is unknown', [on(1, 2), off(3, forever)], 'may'],
    ['the outcome of a delete of nothing is unknown', [off(1, forever)], 'never'],
    ['the outcome of a later write is unknown', [on(1, 2), off(21, forever)], 'must'],
  ] as const)('where %s', (_, changes, expected) => {
    expect(fate(changes, 10, 20)).toBe(expected);
  });
});

describe('the fate of a task', () => {
  /** A change between even instants, and the odd instant at which it took effect; none where it never did. */
  const happened = fc
    .tuple(
      fc.nat(14),
      fc.integer({ min: 1, max: 6 }),
      fc.nat(5),
      fc.boolean(),
      fc.constantFrom(true, true, true, false),
    )
    .map(([call, length, offset, matches, known]) => ({
      change: { call: 2 * call, return: known ? 2 * (call + length) : forever, matches },
      effect: known || offset > 0 ? 2 * (call + (offset % length)) + 1 : undefined,
    }));

  it('holds for whatever order overlapping changes really took effect in', () => {
    fc.assert(
      fc.property(fc.array(happened, { maxLength: 6 }), fc.nat(10), fc.nat(6), (all, begin, length) => {
        const [start, end] = [2 * begin, 2 * (begin + length)];
        // Two changes at one instant have no order of their own.
        fc.pre(new Set(all.map(({ effect }) => effect)).size === all.length);
        const ordered = [...all].sort((a, b) => a.change.call - b.change.call);
        const said = fate(
          ordered.map(({ change }) => change),
          start,
          end,
        );
        const effects = all.filter((one) => one.effect !== undefined).sort((a, b) => a.effect! - b.effect!);
        const atStart = effects.findLast(({ effect }) => effect! < start)?.change.matches ?? false;
        const states = [
          atStart,
          ...effects.filter(({ effect }) => effect! > start && effect! < end).map(({ change }) => change.matches),
        ];
        if (said === 'must') expect(states).toEqual([true]);
        if (said === 'never') expect(states).not.toContain(true);
      }),
      { numRuns: 3_000 },
    );
  });
});
