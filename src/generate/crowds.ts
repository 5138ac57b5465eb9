/** Scenarios about stores of hundreds of tasks: what goes wrong only where an index has several levels, or a batch is full. */
import fc from 'fast-check';
import type { Step } from '../history/program.ts';
import { filledId } from '../run/requests.ts';
import { clockAt, type Scenario, sequential } from './scenario.ts';
import { clockMove, mutation } from './steps.ts';

/** The tasks of each part of a crowd: its label, what its ids begin with, and its context. */
const parts = [
  { task: 'T', id: 'crowd', context: 'ctx' },
  { task: 'U', id: 'crowds', context: 'd' },
  { task: 'V', id: 'Crowd', context: 'ctx' },
] as const;

/** Members of the crowd that are changed by name; a part that is smaller does not have the last ones. */
const members = parts.flatMap(({ id }) =>
  [0, 1, 7, 31, 32, 33, 48, 63, 64, 65, 99, 100].map((number) => filledId(id, number)),
);

/** A crowd is walked while its members are written, cancelled and deleted, and again when it is quiet. */
const crowd: Scenario = {
  name: 'crowd',
  weight: 1,
  suits: () => true,
  programs: () =>
    fc
      .tuple(
        fc.tuple(...parts.map(() => fc.constantFrom(1, 20, 51, 66, 101, 130))),
        fc.tuple(...parts.map(() => fc.constantFrom(0n, 0n, 1n, 1_000n, 1_000_000n))),
        fc.array(
          fc.tuple(
            fc.array(
              fc.oneof(
                { weight: 6, arbitrary: mutation(fc.constantFrom(...members)) },
                { weight: 1, arbitrary: clockMove },
              ),
              { minLength: 1, maxLength: 6 },
            ),
            fc.constantFrom(7, 20, 50, 99, 100),
          ),
          { minLength: 2, maxLength: 6 },
        ),
        fc.constantFrom(9, 33, 64, 100),
      )
      .map(([counts, moves, rounds, size]) =>
        sequential(
          'crowd',
          Object.fromEntries([...parts.map(({ task, id }) => [task, id]), ...members.map((id) => [id, id])]),
          [
            clockAt(0n),
            ...parts.flatMap(({ task, context }, part): Step[] => [
              { op: 'fill', task, count: counts[part] as number, context },
              clockAt(moves[part] as bigint),
            ]),
            { op: 'first', walk: 'w', pageSize: 20 },
            { op: 'first', walk: 'v', pageSize: 20, filter: { context: 'ctx' } },
            ...rounds.flatMap(([changes, next]): Step[] => [
              ...changes,
              { op: 'next', walk: 'w', pageSize: next },
              { op: 'next', walk: 'v', pageSize: next },
            ]),
            { op: 'walk', walk: 'w', pageSize: 100 },
            { op: 'walk', walk: 'v', pageSize: 100 },
            { op: 'walk', walk: 'all', pageSize: 100 },
            { op: 'walk', walk: 'u', pageSize: size, filter: { context: 'd' } },
            { op: 'walk', walk: 'u', pageSize: size },
          ],
        ),
      ),
};

export const crowdScenarios: readonly Scenario[] = [crowd];
