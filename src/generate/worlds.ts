/** Programs for two worlds: hidden tasks come, change and go around the tasks and boundaries of one observer (AUTH-8). */
import fc from 'fast-check';
import type { Step } from '../history/program.ts';
import { labels, taskIds } from './ids.ts';
import { clockAt, type Scenario, sequential } from './scenario.ts';
import { clockMove, mutation, pageSize } from './steps.ts';
import { creations } from './walks.ts';

/** Seven tasks, of which the observer may not access three; every step of the others may fall between its pages. */
const hiddenWorlds: Scenario = {
  name: 'two-worlds',
  weight: 8,
  suits: ({ callers }) => callers,
  programs: ({ ids }) =>
    fc.shuffledSubarray([...labels.slice(0, 7)], { minLength: 1, maxLength: 3 }).chain((hidden) => {
      const visible = labels.slice(0, 7).filter((label) => !hidden.includes(label));
      const ofHidden = fc.constantFrom(...hidden);
      const ofVisible = fc.constantFrom(...visible);
      const size = pageSize(visible.length);
      const page = fc.record({ walk: fc.constantFrom('w', 'v'), pageSize: size, caller: fc.constant('alice') });
      const own = fc.oneof(ofHidden, ofVisible);
      const step = fc.oneof<{ weight: number; arbitrary: fc.Arbitrary<Step> }[]>(
        { weight: 4, arbitrary: mutation(ofHidden) },
        { weight: 4, arbitrary: mutation(ofVisible) },
        { weight: 1, arbitrary: clockMove },
        { weight: 4, arbitrary: page.map((options): Step => ({ op: 'first', ...options })) },
        {
          weight: 4,
          arbitrary: fc.record({ op: fc.constant('next' as const), walk: fc.constantFrom('w', 'v'), pageSize: size }),
        },
        { weight: 1, arbitrary: page.map((options): Step => ({ op: 'walk', ...options })) },
        {
          weight: 1,
          arbitrary: fc.record({ op: fc.constant('get' as const), task: own, caller: fc.constant('alice') }),
        },
        {
          weight: 1,
          arbitrary: fc.record({
            op: fc.constant('cancel' as const),
            task: own,
            caller: fc.constant('alice'),
            timestamp: fc.constant('2001-01-01T00:00:00.000Z'),
          }),
        },
        {
          weight: 1,
          arbitrary: fc.record({
            op: fc.constant('append' as const),
            task: own,
            message: fc.constant('m5'),
            caller: fc.constant('alice'),
          }),
        },
        {
          weight: 1,
          arbitrary: fc
            .tuple(fc.constantFrom('bob'), size)
            .map(([who, pages]): Step => ({ op: 'walk', walk: 'b', caller: who, pageSize: pages })),
        },
        {
          weight: 1,
          arbitrary: fc.constant<Step>({ op: 'token', token: '1', means: { kind: 'number' }, caller: 'alice' }),
        },
      );
      return fc
        .tuple(taskIds(7, ids), creations(7), fc.array(step, { minLength: 5, maxLength: 16 }), size)
        .map(([tasks, first, steps, last]) =>
          sequential(
            'two-worlds',
            tasks,
            [
              clockAt(0n),
              ...hidden.map((task): Step => ({ op: 'deny', caller: 'alice', task })),
              ...first,
              ...steps,
              { op: 'walk', walk: 'z', caller: 'alice', pageSize: last },
              { op: 'walk', walk: 'y', caller: 'alice', pageSize: 1 },
            ],
            { worlds: { observer: 'alice', hidden } },
          ),
        );
    }),
};

export const worldScenarios: readonly Scenario[] = [hiddenWorlds];
