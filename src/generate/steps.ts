/** Single steps, drawn over the labels and walks of a program. */
import fc from 'fast-check';
import type { PageOptions, Step } from '../history/program.ts';
import { content, filter, timestamps } from './content.ts';
import { clockAt } from './scenario.ts';

const walkNames = ['w', 'v'] as const;
const walk = fc.constantFrom(...walkNames);

/** Valid page sizes that matter in a store of `count` tasks. */
export function pageSize(count: number): fc.Arbitrary<number> {
  return fc.constantFrom(...[1, 2, 3, count - 1, count, count + 1, 100].filter((size) => size >= 1));
}

/** A mutation of one of these labels, of every kind that changes a task or must not. */
export function mutation(task: fc.Arbitrary<string>): fc.Arbitrary<Step> {
  const at = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });
  return fc.oneof(
    at(3, fc.record({ op: fc.constant('create' as const), task, content })),
    at(4, fc.record({ op: fc.constant('replace' as const), task, content })),
    at(2, fc.record({ op: fc.constant('replace' as const), task })),
    at(
      2,
      fc.record({
        op: fc.constant('replace' as const),
        task,
        content,
        revision: fc.constantFrom('current' as const, 'stale' as const),
      }),
    ),
    at(3, fc.record({ op: fc.constant('append' as const), task, message: fc.constantFrom('m1', 'm2', 'm4') })),
    at(2, fc.record({ op: fc.constant('cancel' as const), task, timestamp: fc.constantFrom(...timestamps) })),
    at(1, fc.record({ op: fc.constant('delete' as const), task })),
  );
}

/** A change of a task that stands, each kind alike. */
export function touch(task: string): fc.Arbitrary<Step> {
  return fc.oneof(
    fc.record({ op: fc.constant('replace' as const), task: fc.constant(task), content }),
    fc.constant<Step>({ op: 'replace', task }),
    fc.constant<Step>({ op: 'append', task, message: 'm9' }),
    fc.constant<Step>({ op: 'cancel', task, timestamp: '2001-01-01T00:00:00.000Z' }),
    fc.constant<Step>({ op: 'delete', task }),
  );
}

/** Steps of one or two walks at once: beginnings, pages of changing sizes, repeats of one token, whole walks. */
export function listing(count: number): fc.Arbitrary<Step> {
  const options = fc.record({ pageSize: pageSize(count) }) as fc.Arbitrary<PageOptions>;
  const filtered = fc.oneof(
    { weight: 3, arbitrary: options },
    { weight: 1, arbitrary: fc.record({ pageSize: pageSize(count), filter }) },
  );
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc.tuple(walk, filtered).map(([name, rest]): Step => ({ op: 'first', walk: name, ...rest })),
    },
    { weight: 4, arbitrary: fc.record({ op: fc.constant('next' as const), walk, pageSize: pageSize(count) }) },
    {
      weight: 2,
      arbitrary: fc.tuple(walk, options).map(([name, rest]): Step => ({ op: 'peek', walk: name, ...rest })),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(walk, filtered).map(([name, rest]): Step => ({ op: 'peek', walk: name, ...rest })),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(walk, filtered).map(([name, rest]): Step => ({ op: 'walk', walk: name, ...rest })),
    },
  );
}

/** Moves of the clock: none, one microsecond, within a millisecond, back, far. */
export const clockMove: fc.Arbitrary<Step> = fc
  .constantFrom(0n, 1n, 2n, 700n, 1_000n, 1_000_000n, -1n, -3_600_000_000n)
  .map(clockAt);
