/** Scenarios about push-notification configurations: their pages, while tasks change, and tokens of the other list. */
import fc from 'fast-check';
import type { Step } from '../history/program.ts';
import { taskIds } from './ids.ts';
import { clockAt, type Scenario, sequential } from './scenario.ts';
import { touch } from './steps.ts';

const pushPages: Scenario = {
  name: 'push-pages',
  weight: 3,
  suits: ({ scope, agent }) => (scope.includes('D') || scope.includes('W')) && agent !== true,
  programs: ({ ids }) => {
    const change = fc.oneof<fc.Arbitrary<Step>[]>(
      touch('B'),
      fc.constant<Step>({ op: 'replace', task: 'A', content: { note: 'changed' } }),
      fc.constant<Step>({ op: 'append', task: 'A', message: 'm1' }),
      fc.constantFrom('p1', 'p3').map((config): Step => ({ op: 'push', verb: 'delete', task: 'A', config })),
      fc.constant<Step>({ op: 'push', verb: 'set', task: 'A', config: 'p0' }),
    );
    return fc
      .tuple(
        taskIds(3, ids),
        fc.shuffledSubarray(['p1', 'p2', 'p3', 'p4', 'p5'], { minLength: 2 }),
        fc.constantFrom(1, 2, 3, 100),
        fc.array(change, { maxLength: 2 }),
      )
      .map(([tasks, configs, size, changes]) =>
        sequential('push-pages', tasks, [
          clockAt(0n),
          { op: 'create', task: 'A' },
          { op: 'create', task: 'B' },
          { op: 'create', task: 'C' },
          ...configs.map((config): Step => ({ op: 'push', verb: 'set', task: 'A', config })),
          { op: 'push', verb: 'set', task: 'B', config: 'p9' },
          { op: 'first', walk: 'w', pageSize: 1 },
          { op: 'push-list', task: 'A', pageSize: size },
          { op: 'push-token', pageSize: 2 },
          { op: 'push-list', task: 'A', from: 'walk', walk: 'w', pageSize: size },
          ...changes,
          { op: 'push-list', task: 'A', from: 'next', pageSize: size },
          { op: 'push-list', task: 'A', from: 'next', pageSize: size },
          { op: 'push-list', task: 'A', from: 'next', pageSize: 100 },
          { op: 'walk', walk: 'w', pageSize: 1 },
          { op: 'push-list', task: 'A' },
        ]),
      );
  },
};

export const pushScenarios: readonly Scenario[] = [pushPages];
