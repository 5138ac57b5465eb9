/** Scenarios with several callers: who may access what, and when that changes. */
import fc from 'fast-check';
import type { Content, Program, Step } from '../history/program.ts';
import type { Capabilities } from '../subject/subject.ts';
import { content, contexts, filter } from './content.ts';
import { labels, taskIds } from './ids.ts';
import { clockAt, type Scenario, sequential } from './scenario.ts';
import { clockMove, mutation, pageSize } from './steps.ts';
import { creations } from './walks.ts';

const callers = ['alice', 'bob'] as const;
const caller = fc.constantFrom(...callers);

/** Callers and something to keep them apart by. */
const suits = (capabilities: Capabilities): boolean => capabilities.callers;

/** Looks on beneath the dispatcher, where there is one: then it shows what was asked and read. */
export const watch: fc.Arbitrary<Step[]> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Step[]>([]) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('light' as const, 'light' as const, 'full' as const)
      .map((projection): Step[] => [{ op: 'beneath', plan: { at: 'watch', projection } }]),
  },
);

const grant = (task: fc.Arbitrary<string>): fc.Arbitrary<Step> =>
  fc.record({ op: fc.constantFrom('deny' as const, 'deny' as const, 'allow' as const), caller, task });

/** Everything at once: two callers and the owner write, list and carry each other's tokens while access changes. */
const mixed: Scenario = {
  name: 'callers',
  weight: 6,
  suits,
  programs: ({ ids }) =>
    fc.integer({ min: 3, max: 6 }).chain((count) => {
      const task = fc.constantFrom(...labels.slice(0, count));
      const size = pageSize(count);
      const page = fc.record({ walk: fc.constantFrom('w', 'v'), caller, pageSize: size });
      const step = fc.oneof<fc.Arbitrary<Step>[]>(
        mutation(task),
        fc.tuple(mutation(task), caller).map(([what, who]) => ({ ...what, caller: who }) as Step),
        grant(task),
        grant(task),
        page.map((options): Step => ({ op: 'first', ...options })),
        page.map((options): Step => ({ op: 'peek', ...options })),
        page.map((options): Step => ({ op: 'walk', ...options })),
        fc.record({ op: fc.constant('next' as const), walk: fc.constantFrom('w', 'v'), pageSize: size }),
        fc.record({ op: fc.constant('get' as const), task, caller }),
        clockMove,
      );
      return fc
        .tuple(
          taskIds(count, ids),
          watch,
          fc.array(grant(task), { maxLength: 3 }),
          creations(count),
          fc.array(step, { minLength: 6, maxLength: 18 }),
        )
        .map(([tasks, look, before, first, steps]) =>
          sequential(
            'callers',
            tasks,
            [
              clockAt(0n),
              ...look,
              ...before,
              ...first,
              ...steps,
              { op: 'walk', walk: 'a', caller: 'alice', pageSize: 2 },
              { op: 'walk', walk: 'b', caller: 'bob', pageSize: 100 },
            ],
            { counters: true },
          ),
        );
    }),
};

/** Long runs of tasks that the caller may not access: newer than its own, between them, around them. */
const hiddenRuns: Scenario = {
  name: 'hidden-runs',
  weight: 1,
  suits,
  programs: () => {
    const run = fc.constantFrom(0, 1, 99, 100, 101, 103);
    return fc
      .tuple(run, run, run, fc.constantFrom(1, 2, 3, 100), watch, fc.boolean(), fc.boolean())
      .map(([newer, between, older, size, look, isTied, isNewestSeen]) => {
        const fills = [older, between, newer].flatMap((count, position): Step[] => {
          const task = `H${position}`;
          const isSeen = position === 2 && isNewestSeen;
          const hide: Step[] = count === 0 || isSeen ? [] : [{ op: 'deny', caller: 'alice', task, count }];
          const fill: Step[] = count === 0 ? [] : [{ op: 'fill', task, count }];
          const own: Step[] = position === 2 ? [] : [{ op: 'create', task: `A${position}` }];
          return [clockAt(isTied ? 0n : BigInt(position)), ...hide, ...fill, ...own];
        });
        return sequential(
          'hidden-runs',
          { H0: 'hidden-0', H1: 'm', H2: 'zz', A0: 'own-a', A1: 'own-b' },
          [
            ...look,
            ...fills,
            { op: 'walk', walk: 'w', caller: 'alice', pageSize: size },
            { op: 'first', walk: 'v', caller: 'alice', pageSize: 1, total: false },
            { op: 'next', walk: 'v', pageSize: 1 },
          ],
          { counters: true },
        );
      });
  },
};

/** What a caller tries on a task that it may not access, and the same on one that never was. */
const foreign: Scenario = {
  name: 'foreign-tasks',
  weight: 5,
  suits,
  programs: ({ ids }) => {
    const attempt = fc.constantFrom<(task: string) => Step>(
      (task) => ({ op: 'get', task, caller: 'alice' }),
      (task) => ({ op: 'cancel', task, timestamp: '2001-01-01T00:00:00.000Z', caller: 'alice' }),
      (task) => ({ op: 'append', task, message: 'm1', caller: 'alice' }),
      (task) => ({ op: 'append', task, message: 'm2', caller: 'alice' }),
      (task) => ({ op: 'replace', task, content: { note: 'never' }, caller: 'alice' }),
      (task) => ({ op: 'replace', task, content: { note: 'never' }, revision: 'stale', caller: 'alice' }),
      (task) => ({ op: 'delete', task, caller: 'alice' }),
      (task) => ({ op: 'push', verb: 'set', task, config: 'p1', caller: 'alice' }),
      (task) => ({ op: 'push', verb: 'get', task, config: 'p1', caller: 'alice' }),
      (task) => ({ op: 'push', verb: 'delete', task, config: 'p1', caller: 'alice' }),
      (task) => ({ op: 'push-list', task, caller: 'alice' }),
    );
    const state = fc.constantFrom<NonNullable<Content['state']>>('WORKING', 'COMPLETED', 'CANCELED', 'INPUT_REQUIRED');
    return fc
      .tuple(taskIds(3, ids), state, fc.array(attempt, { minLength: 2, maxLength: 5 }), fc.boolean())
      .map(([tasks, first, attempts, isScoped]) =>
        sequential('foreign-tasks', tasks, [
          clockAt(0n),
          { op: 'create', task: 'A', content: { state: first, history: ['m1'], context: isScoped ? 'd' : 'ctx' } },
          { op: 'create', task: 'B' },
          { op: 'push', verb: 'set', task: 'A', config: 'p1' },
          isScoped ? { op: 'scope', caller: 'alice', contexts: ['ctx'] } : { op: 'deny', caller: 'alice', task: 'A' },
          ...attempts.flatMap((make): Step[] => [make('C'), make('A'), make('C'), make('A'), make('C'), make('A')]),
          { op: 'get', task: 'A' },
          { op: 'walk', walk: 'w', caller: 'alice', pageSize: 1 },
          { op: 'walk', walk: 'all', pageSize: 100 },
        ]),
      );
  },
};

/** Scopes narrow lists; tasks move between contexts; some scopes are empty, some name contexts that are not there. */
const scoped: Scenario = {
  name: 'scopes',
  weight: 4,
  suits,
  programs: ({ ids }) =>
    fc.integer({ min: 3, max: 6 }).chain((count) => {
      const task = fc.constantFrom(...labels.slice(0, count));
      const places = ['ctx', 'd', ...contexts.slice(2, 4)];
      const scope = fc
        .oneof(
          { weight: 4, arbitrary: fc.subarray(places, { minLength: 1 }) },
          { weight: 1, arbitrary: fc.constant<string[]>([]) },
          { weight: 1, arbitrary: fc.constant('all' as const) },
        )
        .map((allowed): Step => ({ op: 'scope', caller: 'alice', contexts: allowed }));
      const list = fc.tuple(pageSize(count), fc.option(fc.constantFrom(...places))).map(
        ([size, context]): Step => ({
          op: 'walk',
          walk: 'w',
          caller: 'alice',
          pageSize: size,
          ...(context === null ? {} : { filter: { context } }),
        }),
      );
      const moved = fc
        .tuple(task, fc.constantFrom(...places))
        .map(([which, context]): Step => ({ op: 'replace', task: which, content: { context } }));
      const step = fc.oneof<fc.Arbitrary<Step>[]>(
        list,
        list,
        moved,
        moved,
        scope,
        fc.record({ op: fc.constant('get' as const), task, caller: fc.constant('alice') }),
        fc.record({ op: fc.constant('next' as const), walk: fc.constant('v'), pageSize: pageSize(count) }),
      );
      return fc
        .tuple(
          taskIds(count, ids),
          watch,
          scope,
          fc.array(fc.constantFrom(...places), { minLength: count, maxLength: count }),
          fc.array(step, { minLength: 3, maxLength: 8 }),
        )
        .map(([tasks, look, first, where, steps]) =>
          sequential('scopes', tasks, [
            clockAt(0n),
            ...look,
            ...where.map(
              (context, position): Step => ({ op: 'create', task: labels[position] as string, content: { context } }),
            ),
            first,
            { op: 'first', walk: 'v', caller: 'alice', pageSize: 1 },
            ...steps,
            { op: 'walk', walk: 'w', caller: 'alice', pageSize: 2 },
          ]),
        );
    }),
};

/** The task that a caller's token stands for is taken from it, or deleted, between two pages. */
const revokedBoundary: Scenario = {
  name: 'revoked-boundary',
  weight: 6,
  suits,
  programs: ({ ids }) =>
    fc.integer({ min: 3, max: 6 }).chain((count) => {
      const task = fc.constantFrom(...labels.slice(0, count));
      const loss = fc.constantFrom<Step>(
        { op: 'deny', caller: 'alice', task: '@w' },
        { op: 'deny', caller: 'alice', task: '@w' },
        { op: 'delete', task: '@w' },
        { op: 'replace', task: '@w', content: { note: 'changed' } },
      );
      return fc
        .tuple(
          taskIds(count, ids),
          creations(count),
          fc.array(task, { maxLength: 2 }),
          fc.array(loss, { minLength: 1, maxLength: 2 }),
          pageSize(count),
        )
        .map(([tasks, first, hidden, losses, size]) =>
          sequential('revoked-boundary', tasks, [
            clockAt(0n),
            ...first,
            ...hidden.map((which): Step => ({ op: 'deny', caller: 'alice', task: which })),
            ...losses.flatMap((lost): Step[] => [
              { op: 'first', walk: 'w', caller: 'alice', pageSize: 1 },
              { op: 'peek', walk: 'w', pageSize: size },
              { op: 'peek', walk: 'w', pageSize: size },
              lost,
              { op: 'peek', walk: 'w', pageSize: size },
              { op: 'peek', walk: 'w', pageSize: size, caller: 'bob' },
              { op: 'next', walk: 'w', pageSize: size },
            ]),
            { op: 'walk', walk: 'w', pageSize: size },
          ]),
        );
    }),
};

/** A token of one caller, sent by another, and with other filters; each sees its own tasks below the boundary. */
const carried: Scenario = {
  name: 'carried-tokens',
  weight: 4,
  suits,
  programs: ({ ids }) =>
    fc.integer({ min: 3, max: 7 }).chain((count) => {
      const task = fc.constantFrom(...labels.slice(0, count));
      return fc
        .tuple(
          taskIds(count, ids),
          creations(count),
          fc.array(fc.tuple(caller, task), { minLength: 1, maxLength: 4 }),
          fc.integer({ min: 1, max: 3 }),
          pageSize(count),
          filter,
        )
        .map(([tasks, first, denied, begin, size, one]) =>
          sequential('carried-tokens', tasks, [
            clockAt(0n),
            ...first,
            ...denied.map(([who, which]): Step => ({ op: 'deny', caller: who, task: which })),
            { op: 'walk', walk: 'all', pageSize: 100, caller: 'alice' },
            { op: 'walk', walk: 'all', pageSize: 100, caller: 'bob' },
            { op: 'walk', walk: 'all', pageSize: 100, caller: 'alice', filter: one },
            { op: 'walk', walk: 'all', pageSize: 100, caller: 'bob', filter: one },
            { op: 'walk', walk: 'k', pageSize: 1 },
            { op: 'first', walk: 'w', pageSize: begin, caller: 'alice' },
            { op: 'peek', walk: 'w', pageSize: size, caller: 'bob' },
            { op: 'peek', walk: 'w', pageSize: size, caller: 'bob', filter: one },
            { op: 'peek', walk: 'w', pageSize: size, caller: 'alice', filter: one },
            { op: 'walk', walk: 'w', pageSize: size },
            { op: 'first', walk: 'v', pageSize: begin, caller: 'bob' },
            { op: 'peek', walk: 'v', pageSize: size, caller: 'alice' },
          ]),
        );
    }),
};

const badTokens: readonly Step[] = [
  { op: 'token', token: '0', means: { kind: 'number' } },
  { op: 'token', token: '2', means: { kind: 'number' } },
  { op: 'token', token: 'not a token', means: { kind: 'foreign' } },
  { op: 'token', token: ' ', means: { kind: 'foreign' } },
  { op: 'token', token: 'v1.1.', means: { kind: 'invalid-v1', reason: 'empty id' } },
  { op: 'token', token: 'v2.1.YQ', means: { kind: 'invalid-v1', reason: 'another version' } },
  { op: 'token', token: 'v1.9223372036854775808.YQ', means: { kind: 'invalid-v1', reason: 'time out of range' } },
];

/** One error for a bad token: on an empty store and a full one, for who sees everything, nothing, or has an empty scope. */
const badTokensOfAll: Scenario = {
  name: 'bad-tokens-of-callers',
  weight: 2,
  suits,
  programs: ({ ids }) =>
    fc
      .tuple(taskIds(2, ids), fc.shuffledSubarray([...badTokens], { minLength: 2, maxLength: 3 }))
      .map(([tasks, tokens]) => {
        const as = (who: string): Step[] => tokens.map((step) => ({ ...step, caller: who, pageSize: 2 }) as Step);
        return sequential('bad-tokens-of-callers', tasks, [
          ...as('alice'),
          clockAt(0n),
          { op: 'create', task: 'A' },
          { op: 'create', task: 'B' },
          ...as('bob'),
          { op: 'deny', caller: 'alice', task: 'A' },
          { op: 'deny', caller: 'alice', task: 'B' },
          ...as('alice'),
          { op: 'scope', caller: 'bob', contexts: [] },
          ...as('bob'),
          ...as('bob'),
        ]);
      }),
};

/** Names of callers and tasks that run into each other where somebody joins them. */
const confusable: Scenario = {
  name: 'confusable-callers',
  weight: 1,
  suits,
  programs: () =>
    fc.tuple(fc.constantFrom(':', '/', '|', '.', ''), fc.boolean(), watch).map(([between, isFirst, look]) => {
      const [short, long] = ['a', `a${between}b`];
      const denied: Step[] = [
        { op: 'deny', caller: short, task: 'X' },
        { op: 'deny', caller: long, task: 'Z' },
        { op: 'scope', caller: short, contexts: ['ctx', 'd'] },
        { op: 'scope', caller: long, contexts: ['ctx'] },
      ];
      const lists = (isFirst ? [short, long] : [long, short]).map(
        (who): Step => ({ op: 'walk', walk: 'w', caller: who, pageSize: 2 }),
      );
      return sequential('confusable-callers', { X: `b${between}c`, Y: 'c', Z: `b${between}d`, W: 'd' }, [
        clockAt(0n),
        ...look,
        ...['X', 'Y', 'Z', 'W'].map(
          (task, position): Step => ({
            op: 'create',
            task,
            ...(position === 2 ? { content: { context: 'd' } } : {}),
          }),
        ),
        ...denied,
        ...lists,
        { op: 'get', task: 'X', caller: short },
        { op: 'get', task: 'Y', caller: long },
        ...lists,
      ]);
    }),
};

/** A task with history and artifacts under a policy that asks for all of it, listed with as little as can be asked for. */
const shown: Scenario = {
  name: 'shown-to-policy',
  weight: 2,
  suits: ({ scope, callers: several }) => several && scope.includes('D'),
  programs: ({ ids }) =>
    fc
      .tuple(taskIds(3, ids), content, fc.constantFrom(0, 1, 5), fc.constantFrom('full' as const, 'light' as const))
      .map(([tasks, other, historyLength, projection]) =>
        sequential(
          'shown-to-policy',
          tasks,
          [
            clockAt(0n),
            { op: 'beneath', plan: { at: 'watch', projection } },
            { op: 'create', task: 'A', content: { history: ['m1', 'm2', 'm3'], artifacts: ['r1', 'r2'] } },
            { op: 'create', task: 'B', content: other },
            { op: 'create', task: 'C' },
            { op: 'deny', caller: 'alice', task: 'C' },
            { op: 'walk', walk: 'w', caller: 'alice', pageSize: 1, historyLength },
            { op: 'walk', walk: 'w', caller: 'alice', pageSize: 2, historyLength, artifacts: true },
            { op: 'first', walk: 'v', caller: 'alice', pageSize: 1, total: false },
          ],
          { counters: true },
        ),
      ),
};

export const accessScenarios: readonly Scenario[] = [
  mixed,
  hiddenRuns,
  foreign,
  scoped,
  revokedBoundary,
  carried,
  badTokensOfAll,
  confusable,
  shown,
];

/** One task of the caller's own behind 10,001 that it may not access, and one before them. */
export const behindTenThousand: Program = sequential(
  'hidden-runs',
  { H: 'hidden', A: 'own-a', B: 'own-b' },
  [
    { op: 'beneath', plan: { at: 'watch' } },
    clockAt(0n),
    { op: 'create', task: 'A' },
    clockAt(1n),
    { op: 'deny', caller: 'alice', task: 'H', count: 10_001 },
    { op: 'fill', task: 'H', count: 10_001 },
    clockAt(2n),
    { op: 'create', task: 'B' },
    // Pages one by one: a walk would take thousands where a step is left out that hides them.
    { op: 'first', walk: 'w', caller: 'alice', pageSize: 1 },
    { op: 'next', walk: 'w', pageSize: 1 },
  ],
  { counters: true },
);
