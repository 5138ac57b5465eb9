/** Scenarios that meddle beneath a dispatcher: unsound stores, failing policies, changes in the middle of one list. */
import fc from 'fast-check';
import type { MomentStep, PageFault, PolicyFault, Step } from '../history/program.ts';
import type { Capabilities } from '../subject/subject.ts';
import { labels, taskIds } from './ids.ts';
import { clockAt, type Scenario, sequential } from './scenario.ts';
import { pageSize } from './steps.ts';

const suits = ({ scope, callers }: Capabilities): boolean => callers && scope.includes('D');

const made = (count: number): Step[] =>
  labels.slice(0, count).map((task): Step => ({ op: 'create', task, content: { history: ['m1'] } }));

const stop: Step = { op: 'beneath', plan: { at: 'nothing' } };

/** Something happens to a task between the scan of a list and its final read; list after list. */
const finalRead: Scenario = {
  name: 'probe-final-read',
  weight: 7,
  suits,
  programs: ({ ids }) =>
    fc.integer({ min: 3, max: 6 }).chain((count) => {
      const task = fc.constantFrom(...labels.slice(0, count));
      const change = fc.oneof<fc.Arbitrary<MomentStep>[]>(
        // The last task of the page that was seen before is likely to be chosen again.
        fc.constant<MomentStep>({ op: 'deny', caller: 'alice', task: '@w' }),
        fc.constant<MomentStep>({ op: 'delete', task: '@w' }),
        fc.constant<MomentStep>({ op: 'replace', task: '@w', content: { note: 'at the boundary' } }),
        fc.constant<MomentStep>({ op: 'append', task: '@w', message: 'm7' }),
        task.map((which): MomentStep => ({ op: 'deny', caller: 'alice', task: which })),
        task.map((which): MomentStep => ({ op: 'delete', task: which })),
        task.map((which): MomentStep => ({ op: 'replace', task: which, content: { note: 'later' } })),
        task.map((which): MomentStep => ({ op: 'replace', task: which, content: { note: 'moved', context: 'd' } })),
        task.map((which): MomentStep => ({ op: 'append', task: which, message: 'm8' })),
        fc.constant<MomentStep>({ op: 'create', task: 'L' }),
        task.map((which): MomentStep => ({ op: 'deny', caller: 'bob', task: which })),
        task.map((which): MomentStep => ({ op: 'allow', caller: 'alice', task: which })),
        // Another caller's list, in the middle of this one.
        fc.constant<MomentStep>({ op: 'first', walk: 'n', caller: 'bob', pageSize: 2 }),
      );
      const round = fc
        .tuple(fc.array(change, { minLength: 1, maxLength: 2 }), pageSize(count), fc.boolean())
        .map(([changes, size, total]): Step[] => [
          { op: 'first', walk: 'w', caller: 'alice', pageSize: size },
          { op: 'beneath', plan: { at: 'moment', before: 'final-read', do: changes } },
          { op: 'first', walk: 'w', caller: 'alice', pageSize: size, ...(total ? {} : { total }) },
        ]);
      return fc
        .tuple(
          taskIds(count, ids),
          fc.array(task, { maxLength: 1 }),
          fc.array(round, { minLength: 1, maxLength: 3 }),
          fc.constantFrom('deny' as const, 'delete' as const),
        )
        .map(([tasks, hidden, rounds, loss]) =>
          sequential('probe-final-read', { ...tasks, L: 'late', N: 'never' }, [
            clockAt(0n),
            ...made(count),
            ...hidden.map((which): Step => ({ op: 'deny', caller: 'alice', task: which })),
            { op: 'cancel', task: 'N', caller: 'alice' },
            clockAt(9n),
            ...rounds.flat(),
            ...sureLoss(loss),
          ]),
        );
    }),
};

/** Whatever came before: the first task that alice sees is chosen, and is lost to her before the final read (AUTH-4). */
function sureLoss(loss: 'deny' | 'delete'): Step[] {
  const first: Step = { op: 'first', walk: 'z', caller: 'alice', pageSize: 1 };
  const lost: MomentStep = loss === 'deny' ? { op: 'deny', caller: 'alice', task: '@z' } : { op: 'delete', task: '@z' };
  return [stop, first, { op: 'beneath', plan: { at: 'moment', before: 'final-read', do: [lost] } }, first];
}

/** Grants, revocations and writes between two batches of one scan. */
const betweenBatches: Scenario = {
  name: 'probe-between-batches',
  weight: 1,
  suits,
  programs: () => {
    const at = fc.constantFrom(0, 1, 50, 99, 100, 101, 104).map((number) => `many-${String(number).padStart(7, '0')}`);
    const change = fc.oneof<fc.Arbitrary<MomentStep>[]>(
      at.map((task): MomentStep => ({ op: 'deny', caller: 'alice', task })),
      at.map((task): MomentStep => ({ op: 'allow', caller: 'alice', task })),
      at.map((task): MomentStep => ({ op: 'replace', task, content: { note: 'later' } })),
      at.map((task): MomentStep => ({ op: 'delete', task })),
      fc.constant<MomentStep>({ op: 'create', task: 'L' }),
    );
    return fc
      .tuple(
        fc.constantFrom(102, 105),
        fc.array(at, { maxLength: 2 }),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(1, 2),
        fc.constantFrom(1, 100),
        fc.boolean(),
      )
      .map(([count, hidden, changes, batch, size, isTied]) =>
        sequential('probe-between-batches', { T: 'many', L: 'late', N: 'never' }, [
          clockAt(0n),
          { op: 'cancel', task: 'N', caller: 'alice' },
          { op: 'fill', task: 'T', count },
          ...hidden.map((task): Step => ({ op: 'deny', caller: 'alice', task })),
          clockAt(isTied ? 0n : 5n),
          { op: 'beneath', plan: { at: 'moment', before: 'batch', batch, do: changes } },
          { op: 'first', walk: 'w', caller: 'alice', pageSize: size },
        ]),
      );
  },
};

const pageFaults: readonly PageFault[] = ['absent', 'fewer', 'shifted', 'repeated', 'reversed', 'foreign'];

/** A store under the dispatcher whose boundaries are missing, misaligned, repeated, out of order or another task's. */
const unsoundStore: Scenario = {
  name: 'probe-unsound-store',
  weight: 3,
  suits,
  programs: ({ ids }) =>
    fc
      .integer({ min: 1, max: 5 })
      .chain((count) =>
        fc
          .tuple(taskIds(count, ids), fc.constantFrom(...pageFaults), pageSize(count), fc.boolean())
          .map(([tasks, how, size, total]) =>
            sequential('probe-unsound-store', tasks, [
              clockAt(0n),
              ...made(count),
              { op: 'beneath', plan: { at: 'page', how, batch: 1 } },
              { op: 'first', walk: 'w', caller: 'alice', pageSize: size, ...(total ? {} : { total }) },
              stop,
            ]),
          ),
      ),
};

/** The same in the second batch, or a second batch that is the first one over again. */
const unsoundBatch: Scenario = {
  name: 'probe-unsound-batch',
  weight: 2,
  suits,
  programs: () =>
    fc
      .tuple(fc.constantFrom<PageFault[]>('rewound', 'rewound', 'reversed', 'fewer', 'absent'), fc.constantFrom(1, 100))
      .map(([how, size]) =>
        sequential('probe-unsound-batch', { T: 'many' }, [
          clockAt(0n),
          { op: 'fill', task: 'T', count: 103 },
          { op: 'beneath', plan: { at: 'page', how, batch: 2 } },
          { op: 'first', walk: 'w', caller: 'alice', pageSize: size },
        ]),
      ),
};

const policyFaults: readonly PolicyFault[] = [
  'throws',
  'rejects',
  'late',
  'undefined',
  'null',
  'number',
  'text',
  'object',
  'promised number',
];
const noScope: readonly PolicyFault[] = ['throws', 'rejects', 'late', 'undefined', 'null'];

/** A policy that fails to answer: at the scope, during the scan, at the final read, at the door to one task. */
const failingPolicy: Scenario = {
  name: 'probe-failing-policy',
  weight: 4,
  suits,
  programs: ({ ids }) => {
    const plan = fc.oneof(
      fc.tuple(fc.constant('scope' as const), fc.constantFrom(...noScope)),
      fc.tuple(fc.constantFrom('scan' as const, 'final' as const), fc.constantFrom(...policyFaults)),
    );
    return fc.tuple(taskIds(3, ids), plan, fc.constantFrom(1, 2, 100)).map(([tasks, [on, how], size]) =>
      sequential('probe-failing-policy', tasks, [
        clockAt(0n),
        ...made(3),
        { op: 'deny', caller: 'alice', task: 'B' },
        { op: 'beneath', plan: { at: 'policy', how, on } },
        { op: 'first', walk: 'w', caller: 'alice', pageSize: size },
        ...(how === 'late'
          ? []
          : ([
              { op: 'get', task: 'A', caller: 'alice' },
              { op: 'append', task: 'A', message: 'm4', caller: 'alice' },
              { op: 'cancel', task: 'A', caller: 'alice' },
            ] satisfies Step[])),
        stop,
      ]),
    );
  },
};

/** A right store that gives fewer tasks than the dispatcher asks for: nothing is disturbed, so every check holds. */
const shortBatches: Scenario = {
  name: 'short-batches',
  weight: 2,
  suits,
  programs: ({ ids }) =>
    fc
      .integer({ min: 3, max: 7 })
      .chain((count) =>
        fc
          .tuple(
            taskIds(count, ids),
            fc.constantFrom(1, 2, 3),
            fc.array(fc.constantFrom(...labels.slice(0, count)), { maxLength: 3 }),
            pageSize(count),
          )
          .map(([tasks, short, hidden, size]) =>
            sequential('short-batches', tasks, [
              clockAt(0n),
              ...made(count),
              ...hidden.map((task): Step => ({ op: 'deny', caller: 'alice', task })),
              { op: 'beneath', plan: { at: 'short', size: short } },
              { op: 'walk', walk: 'w', caller: 'alice', pageSize: size },
              { op: 'walk', walk: 'v', caller: 'alice', pageSize: 1, total: false },
            ]),
          ),
      ),
};

export const probeScenarios: readonly Scenario[] = [
  finalRead,
  betweenBatches,
  unsoundStore,
  unsoundBatch,
  failingPolicy,
  shortBatches,
];
