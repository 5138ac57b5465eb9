/** Scenarios about what a list selects and how long it is: filters, totals, page sizes good and bad. */
import fc from 'fast-check';
import type { Step } from '../history/program.ts';
import { content, filter, timestamps } from './content.ts';
import { labels, taskIds } from './ids.ts';
import { clockAt, type Scenario, sequential } from './scenario.ts';
import { mutation, pageSize } from './steps.ts';
import { creations } from './walks.ts';

/** One state, listed whole and under filters; tokens carried to other filters. */
const filtering: Scenario = {
  name: 'filters',
  weight: 5,
  suits: () => true,
  programs: ({ ids }) =>
    fc
      .integer({ min: 3, max: 7 })
      .chain((count) =>
        fc
          .tuple(
            taskIds(count, ids),
            creations(count),
            fc.array(mutation(fc.constantFrom(...labels.slice(0, count))), { maxLength: 3 }),
            fc.array(fc.tuple(filter, pageSize(count)), { minLength: 1, maxLength: 3 }),
            fc.option(fc.tuple(fc.constantFrom(...labels.slice(0, count)), content)),
          )
          .map(([tasks, first, changes, filters, moved]) =>
            sequential('filters', tasks, [
              clockAt(0n),
              ...first,
              ...changes,
              { op: 'walk', walk: 'all', pageSize: 100 },
              ...filters.map(([one, size]): Step => ({ op: 'walk', walk: 'w', pageSize: size, filter: one })),
              ...(moved === null
                ? []
                : [
                    { op: 'replace', task: moved[0], content: moved[1] } as Step,
                    { op: 'walk', walk: 'all', pageSize: 100 } as Step,
                  ]),
              ...filters.map(([one, size]): Step => ({ op: 'walk', walk: 'w', pageSize: size, filter: one })),
              { op: 'first', walk: 'v', pageSize: 1 },
              ...filters.map(([one, size]): Step => ({ op: 'peek', walk: 'v', pageSize: size, filter: one })),
              { op: 'walk', walk: 'v', pageSize: 2 },
            ]),
          ),
      ),
};

/** Status timestamps one spelling or one microsecond apart, and filters that name exactly one of them. */
const statusTimes: Scenario = {
  name: 'status-times',
  weight: 2,
  suits: () => true,
  programs: ({ ids }) =>
    fc
      .tuple(
        taskIds(5, ids),
        fc.shuffledSubarray([...timestamps], { minLength: 5, maxLength: 5 }),
        fc.constantFrom(...timestamps),
        pageSize(5),
      )
      .map(([tasks, stamps, after, size]) =>
        sequential('status-times', tasks, [
          clockAt(0n),
          ...stamps.map(
            (timestamp, position): Step => ({ op: 'create', task: labels[position] as string, content: { timestamp } }),
          ),
          { op: 'walk', walk: 'all', pageSize: 100 },
          { op: 'walk', walk: 'w', pageSize: size, filter: { after } },
          { op: 'walk', walk: 'w', pageSize: size, filter: { after: stamps[0] as string } },
          { op: 'walk', walk: 'w', pageSize: 1 },
        ]),
      ),
};

/** Many tasks that do not match, all newer than the few that do. */
const sparse: Scenario = {
  name: 'sparse-filter',
  weight: 1,
  suits: () => true,
  programs: () =>
    fc
      .tuple(fc.integer({ min: 3, max: 14 }), fc.integer({ min: 1, max: 4 }), fc.constantFrom(1, 2, 3, 10))
      .map(([newer, older, size]) =>
        sequential('sparse-filter', { O: 'old', N: 'new' }, [
          clockAt(0n),
          { op: 'fill', task: 'O', count: older, context: 'd' },
          clockAt(1_000n),
          { op: 'fill', task: 'N', count: newer },
          { op: 'walk', walk: 'all', pageSize: 100 },
          { op: 'walk', walk: 'w', pageSize: size, filter: { context: 'd' } },
          { op: 'walk', walk: 'w', pageSize: size },
        ]),
      ),
};

const badSizes: readonly number[] = [0, -1, 101, 500, 1.5, Number.NaN, 2 ** 31];

/** Page sizes that are none, and the one that is not given. */
const sizes: Scenario = {
  name: 'bad-page-sizes',
  weight: 2,
  suits: () => true,
  programs: ({ validatesPageSize }) =>
    fc
      .tuple(
        fc.shuffledSubarray(validatesPageSize ? [...badSizes] : [], {
          minLength: validatesPageSize ? 1 : 0,
          maxLength: validatesPageSize ? 4 : 0,
        }),
        fc.constantFrom(3, 53, 104),
        fc.constantFrom(1, 2, 99, 100),
      )
      .map(([bad, count, size]) =>
        sequential('bad-page-sizes', { T: 'many' }, [
          clockAt(0n),
          { op: 'fill', task: 'T', count },
          ...bad.map((wrong): Step => ({ op: 'first', walk: 'w', pageSize: wrong })),
          { op: 'first', walk: 'w' },
          { op: 'walk', walk: 'v', pageSize: count > 10 && size < 99 ? 99 : size },
        ]),
      ),
};

/** Pages with and without totals, with the subject's counters read around each. */
const totals: Scenario = {
  name: 'totals',
  weight: 2,
  suits: () => true,
  programs: ({ ids }) =>
    fc
      .tuple(taskIds(4, ids), creations(4), mutation(fc.constantFrom('A', 'B')), fc.option(filter))
      .map(([tasks, first, change, one]) => {
        const by = one === null ? {} : { filter: one };
        return sequential(
          'totals',
          tasks,
          [
            clockAt(0n),
            ...first,
            { op: 'first', walk: 'w', pageSize: 2, ...by },
            { op: 'next', walk: 'w', pageSize: 1 },
            change,
            { op: 'first', walk: 'v', pageSize: 1, total: false, ...by },
            { op: 'walk', walk: 'v', pageSize: 1, total: false, ...by },
            { op: 'walk', walk: 'w', pageSize: 2, ...by },
          ],
          { counters: true },
        );
      }),
};

/** What of a task a list shows: artifacts only where asked for, the most recent messages where cut. */
const projections: Scenario = {
  name: 'projections',
  weight: 1,
  suits: () => true,
  programs: ({ ids }) =>
    fc
      .tuple(taskIds(2, ids), fc.constantFrom(0, 1, 2, 5))
      .map(([tasks, historyLength]) =>
        sequential('projections', tasks, [
          clockAt(0n),
          { op: 'create', task: 'A', content: { history: ['m1', 'm2', 'm3'], artifacts: ['r1'] } },
          { op: 'create', task: 'B' },
          { op: 'walk', walk: 'w', pageSize: 1, artifacts: true },
          { op: 'walk', walk: 'w', pageSize: 1, artifacts: false },
          { op: 'walk', walk: 'w', pageSize: 2, historyLength },
          { op: 'get', task: 'A' },
        ]),
      ),
};

export const listScenarios: readonly Scenario[] = [filtering, statusTimes, sparse, sizes, totals, projections];
