/** Scenarios about walks: any mixture, quiet page sizes, changed boundaries, inserts at the boundary's time. */
import fc from 'fast-check';
import type { Step } from '../history/program.ts';
import { content, timestamps } from './content.ts';
import { labels, taskIds } from './ids.ts';
import { baseMicros, clockAt, type Scenario, sequential } from './scenario.ts';
import { clockMove, listing, mutation, pageSize, touch } from './steps.ts';

/** Creates each label once, some with the clock moved between. */
export function creations(count: number): fc.Arbitrary<Step[]> {
  const one = (label: string) =>
    fc
      .tuple(fc.option(clockMove, { freq: 3 }), content)
      .map(([move, what]): Step[] => [...(move === null ? [] : [move]), { op: 'create', task: label, content: what }]);
  return fc.tuple(...labels.slice(0, count).map(one)).map((parts) => parts.flat());
}

/** Everything at once: mutations of few tasks, two walks under way, a clock that jumps. */
const churn: Scenario = {
  name: 'churn',
  weight: 8,
  suits: () => true,
  programs: ({ ids }) =>
    fc.integer({ min: 2, max: 6 }).chain((count) => {
      const task = fc.constantFrom(...labels.slice(0, count));
      const step = fc.oneof(
        { weight: 5, arbitrary: mutation(task) },
        { weight: 6, arbitrary: listing(count) },
        { weight: 1, arbitrary: fc.record({ op: fc.constant('get' as const), task }) },
        { weight: 1, arbitrary: clockMove },
      );
      return fc
        .tuple(taskIds(count, ids), creations(count), fc.array(step, { minLength: 4, maxLength: 24 }))
        .map(([tasks, first, steps]) => sequential('churn', tasks, [clockAt(0n), ...first, ...steps]));
    }),
};

/** One state, walked with every page size that matters; nothing changes meanwhile. */
const pageSizes: Scenario = {
  name: 'page-sizes',
  weight: 4,
  suits: () => true,
  programs: ({ ids }) =>
    fc
      .integer({ min: 2, max: 7 })
      .chain((count) =>
        fc
          .tuple(
            taskIds(count, ids),
            creations(count),
            fc.array(mutation(fc.constantFrom(...labels.slice(0, count))), { maxLength: 4 }),
            fc.shuffledSubarray([1, 2, 3, count - 1, count, count + 1], { minLength: 3 }),
          )
          .map(([tasks, first, changes, sizes]) =>
            sequential('page-sizes', tasks, [
              clockAt(0n),
              ...first,
              ...changes,
              { op: 'walk', walk: 'all', pageSize: 100 },
              ...sizes.filter((size) => size > 0).map((size): Step => ({ op: 'walk', walk: 'w', pageSize: size })),
            ]),
          ),
      ),
};

/** The task that a token stands for is updated, cancelled or deleted between two pages; the token is sent before and after. */
const changedBoundary: Scenario = {
  name: 'changed-boundary',
  weight: 6,
  suits: () => true,
  programs: ({ ids }) =>
    fc
      .integer({ min: 2, max: 6 })
      .chain((count) =>
        fc
          .tuple(
            taskIds(count, ids),
            creations(count),
            pageSize(count),
            fc.array(touch('@w'), { minLength: 1, maxLength: 3 }),
            pageSize(count),
            fc.nat(2),
            fc.boolean(),
          )
          .map(([tasks, first, size, touches, next, pages, again]) =>
            sequential('changed-boundary', tasks, [
              clockAt(0n),
              ...first,
              { op: 'first', walk: 'w', pageSize: Math.min(size, Math.max(1, count - 1)) },
              ...Array.from({ length: count > 3 ? pages : 0 }, (): Step => ({ op: 'next', walk: 'w', pageSize: 1 })),
              { op: 'peek', walk: 'w', pageSize: next },
              { op: 'peek', walk: 'w', pageSize: next },
              ...(again ? [clockAt(5n)] : []),
              ...touches.flatMap((change): Step[] => [change, { op: 'peek', walk: 'w', pageSize: next }]),
              { op: 'walk', walk: 'w', pageSize: next },
            ]),
          ),
      ),
};

/** Other tasks are created, written and deleted around the boundary while a walk is under way. */
const aroundBoundary: Scenario = {
  name: 'around-boundary',
  weight: 4,
  suits: () => true,
  programs: ({ ids }) =>
    fc.integer({ min: 3, max: 7 }).chain((count) => {
      const task = fc.constantFrom(...labels.slice(0, count));
      const between = fc.array(
        fc.oneof({ weight: 4, arbitrary: mutation(task) }, { weight: 1, arbitrary: clockMove }),
        { minLength: 1, maxLength: 3 },
      );
      return fc
        .tuple(
          taskIds(count, ids),
          creations(count),
          fc.array(fc.tuple(between, pageSize(count)), { minLength: 1, maxLength: 3 }),
          pageSize(count),
        )
        .map(([tasks, first, rounds, size]) =>
          sequential('around-boundary', tasks, [
            clockAt(0n),
            ...first,
            { op: 'first', walk: 'w', pageSize: Math.min(size, 2) },
            ...rounds.flatMap(([changes, next]): Step[] => [...changes, { op: 'next', walk: 'w', pageSize: next }]),
            { op: 'walk', walk: 'w', pageSize: size },
          ]),
        );
    }),
};

/** The clock stands still: tasks are inserted at the very time of the boundary, on either side of its id. */
const insertedTies: Scenario = {
  name: 'inserted-ties',
  weight: 2,
  suits: ({ clock, ties }) => clock && ties,
  programs: ({ ids, boundaries }) =>
    fc
      .tuple(
        taskIds(6, ids),
        fc.shuffledSubarray([...labels.slice(0, 6)], { minLength: 6, maxLength: 6 }),
        fc.integer({ min: 2, max: 4 }),
      )
      .map(([tasks, names, before]) =>
        sequential('inserted-ties', tasks, [
          clockAt(0n),
          ...names.slice(0, before).map((task): Step => ({ op: 'create', task })),
          { op: 'first', walk: 'w', pageSize: 1 },
          ...names.slice(before).map((task): Step => ({ op: 'create', task })),
          { op: 'next', walk: 'w', pageSize: 1 },
          { op: 'walk', walk: 'w', pageSize: 2 },
          // Where keys are unseen, the tokens of a walk in ones tell them.
          ...(boundaries ? [] : [{ op: 'walk', walk: 'k', pageSize: 1 } as Step]),
        ]),
      ),
};

/** Times of every size: below the epoch, beyond the exact doubles, beyond what a Date can hold; each walked in ones. */
const strangeTimes: Scenario = {
  name: 'strange-times',
  weight: 3,
  suits: ({ clock }) => clock,
  programs: ({ ids }) => {
    const start = fc.constantFrom(
      -5n,
      0n,
      -1n,
      2n ** 53n + 1n,
      8_640_000_000_000_000_001n,
      -(2n ** 63n),
      2n ** 63n - 9n,
      999n,
      -1_000_001n,
      baseMicros + 999n,
    );
    const steps = fc.array(fc.constantFrom(0n, 1n, 1n, 2n), { minLength: 3, maxLength: 5 });
    return fc.tuple(taskIds(5, ids), start, steps, fc.constantFrom(1, 2)).map(([tasks, from, moves, size]) => {
      let now = from;
      const created = moves.flatMap((move, position): Step[] => {
        now = now + move < 2n ** 63n ? now + move : now;
        return [
          { op: 'clock', micros: String(now) },
          { op: 'create', task: labels[position] as string },
        ];
      });
      return sequential('strange-times', tasks, [
        ...created,
        { op: 'walk', walk: 'all', pageSize: 100 },
        { op: 'walk', walk: 'w', pageSize: size },
        { op: 'get', task: 'A' },
      ]);
    });
  },
};

/** A walk pauses while the clock runs on for hours: a token does not expire. */
const pausedWalk: Scenario = {
  name: 'paused-walk',
  weight: 1,
  suits: ({ clock }) => clock,
  programs: ({ ids }) =>
    fc
      .tuple(
        taskIds(4, ids),
        creations(4),
        fc.constantFrom(2_000_000n, 3_600_000_000n, 864_000_000_000n, 31_536_000_000_000n),
      )
      .map(([tasks, first, pause]) =>
        sequential('paused-walk', tasks, [
          clockAt(0n),
          ...first,
          { op: 'first', walk: 'w', pageSize: 1 },
          clockAt(pause),
          { op: 'next', walk: 'w', pageSize: 1 },
          { op: 'restart' },
          { op: 'walk', walk: 'w', pageSize: 1 },
        ]),
      ),
};

/**
 * Subjects whose clock can't be set: real waits between writes, so that the later write certainly has the later time,
 * while status timestamps say whatever they like, in whatever spelling.
 */
const realTime: Scenario = {
  name: 'real-time',
  weight: 1,
  suits: ({ clock }) => !clock,
  programs: ({ ids }) =>
    fc
      .tuple(
        taskIds(3, ids),
        fc.shuffledSubarray([...timestamps], { minLength: 3, maxLength: 3 }),
        fc.array(touch('A'), { minLength: 1, maxLength: 2 }),
      )
      .map(([tasks, stamps, touches]) =>
        sequential('real-time', tasks, [
          ...['A', 'B', 'C'].flatMap((task, position): Step[] => [
            { op: 'tick' },
            { op: 'create', task, content: { timestamp: stamps[position] as string } },
          ]),
          { op: 'walk', walk: 'w', pageSize: 2 },
          { op: 'tick' },
          ...touches,
          { op: 'walk', walk: 'w', pageSize: 2 },
          { op: 'walk', walk: 'w', pageSize: 100 },
        ]),
      ),
};

export const walkScenarios: readonly Scenario[] = [
  churn,
  pageSizes,
  changedBoundary,
  aroundBoundary,
  insertedTies,
  strangeTimes,
  pausedWalk,
  realTime,
];
