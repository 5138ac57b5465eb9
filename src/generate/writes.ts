/** Scenarios about writes: rejected ones, deduplicated ones, tasks at the end of time, confusable ids, shared objects. */
import fc from 'fast-check';
import type { Step } from '../history/program.ts';
import type { Capabilities } from '../subject/subject.ts';
import { content, liveState } from './content.ts';
import { awkwardIds, labels, refusedIds, taskIds } from './ids.ts';
import { clockAt, type Scenario, sequential } from './scenario.ts';
import { mutation } from './steps.ts';

/** The rules of writes are asked of stores; a dispatcher or an agent passes them on. */
const judgesWrites = ({ scope }: Capabilities): boolean => scope.some((letter) => letter !== 'D' && letter !== 'W');

/** Writes that must change nothing, each seen from before and after. */
const rejected: Scenario = {
  name: 'rejected-writes',
  weight: 4,
  suits: judgesWrites,
  programs: ({ ids }) => {
    const attempt = fc.constantFrom<Step>(
      { op: 'replace', task: 'A', content: { note: 'never', history: ['m7'] }, revision: 'stale' },
      { op: 'append', task: 'A', message: 'm1' },
      { op: 'cancel', task: 'B', timestamp: '2001-01-01T00:00:00.000Z' },
      { op: 'create', task: 'A', content: { note: 'never' } },
      { op: 'append', task: 'D', message: 'm1' },
      { op: 'cancel', task: 'D' },
      { op: 'replace', task: 'D', content: { note: 'never' }, revision: 'stale' },
    );
    const ended = fc.constantFrom('COMPLETED' as const, 'FAILED' as const, 'CANCELED' as const, 'REJECTED' as const);
    return fc
      .tuple(taskIds(4, ids), ended, liveState, fc.array(attempt, { minLength: 1, maxLength: 3 }), fc.boolean())
      .map(([tasks, end, state, attempts, update]) =>
        sequential('rejected-writes', tasks, [
          clockAt(0n),
          { op: 'create', task: 'A', content: { state, history: ['m1'] } },
          { op: 'create', task: 'B', content: { state: end } },
          ...(update ? [{ op: 'replace', task: 'A', content: { state, history: ['m1', 'm2'] } } as Step] : []),
          { op: 'tick' },
          { op: 'create', task: 'C' },
          { op: 'get', task: 'A' },
          { op: 'get', task: 'B' },
          { op: 'walk', walk: 'w', pageSize: 2 },
          clockAt(7n),
          { op: 'tick' },
          ...attempts,
          { op: 'walk', walk: 'w', pageSize: 2 },
          { op: 'get', task: 'A' },
          { op: 'get', task: 'B' },
          { op: 'replace', task: 'A', revision: 'current' },
        ]),
      );
  },
};

/** Each kind of mutation in turn of the oldest task, with the clock standing still, moving, or running backwards. */
const advances: Scenario = {
  name: 'advances',
  weight: 4,
  suits: judgesWrites,
  programs: ({ ids }) => {
    const move = fc.constantFrom(0n, 0n, 1n, -1n, -3_600_000_000n, 999n).map(clockAt);
    const what = fc.oneof(
      fc.constant<Step>({ op: 'replace', task: 'A' }),
      content.map((one): Step => ({ op: 'replace', task: 'A', content: one })),
      fc.constant<Step>({ op: 'replace', task: 'A', content: { note: 'same', artifacts: ['r1', 'r2'] } }),
      fc.constant<Step>({ op: 'replace', task: 'A', content: { note: 'same' }, revision: 'current' }),
      fc.constantFrom('m1', 'm2', 'm3', 'm4').map((message): Step => ({ op: 'append', task: 'A', message })),
      fc.constant<Step>({ op: 'cancel', task: 'A', timestamp: '2001-01-01T00:00:00.000Z' }),
    );
    return fc
      .tuple(
        taskIds(3, ids),
        fc.array(fc.tuple(move, what), { minLength: 2, maxLength: 6 }),
        fc.constantFrom(1, 2, 100),
      )
      .map(([tasks, turns, size]) =>
        sequential('advances', tasks, [
          clockAt(0n),
          { op: 'create', task: 'A', content: { note: 'same' } },
          { op: 'create', task: 'B' },
          { op: 'create', task: 'C' },
          ...turns.flat(),
          { op: 'walk', walk: 'w', pageSize: size },
          { op: 'get', task: 'A' },
        ]),
      );
  },
};

/** One task at the largest time: it can't be mutated, others can, and a repeated message still succeeds. */
const endOfTime: Scenario = {
  name: 'end-of-time',
  weight: 3,
  suits: (capabilities) => judgesWrites(capabilities) && capabilities.clock && capabilities.ties,
  programs: ({ ids }) => {
    const attempt = fc.constantFrom<Step>(
      { op: 'replace', task: 'A', content: { note: 'never', artifacts: ['r1'] } },
      { op: 'replace', task: 'A', content: { note: 'never' }, revision: 'current' },
      { op: 'replace', task: 'A' },
      { op: 'append', task: 'A', message: 'm2' },
      { op: 'append', task: 'A', message: 'm1' },
      { op: 'cancel', task: 'A', timestamp: '2001-01-01T00:00:00.000Z' },
    );
    const elsewhere = fc.oneof(mutation(fc.constantFrom('B', 'C')), fc.constant<Step>({ op: 'create', task: 'D' }));
    return fc
      .tuple(
        taskIds(4, ids),
        fc.constantFrom(0n, 1n),
        fc.array(attempt, { minLength: 1, maxLength: 3 }),
        fc.array(elsewhere, { minLength: 1, maxLength: 3 }),
      )
      .map(([tasks, below, attempts, others]) =>
        sequential('end-of-time', tasks, [
          clockAt(0n),
          { op: 'create', task: 'B', content: { history: ['m1'] } },
          { op: 'clock', micros: String(2n ** 63n - 1n - below) },
          { op: 'create', task: 'A', content: { history: ['m1'] } },
          ...(below > 0n ? [{ op: 'replace', task: 'A' } as Step] : []),
          { op: 'get', task: 'A' },
          ...attempts,
          { op: 'get', task: 'A' },
          { op: 'walk', walk: 'w', pageSize: 1 },
          { op: 'replace', task: 'A', revision: 'current' },
          clockAt(1n),
          ...others,
          { op: 'get', task: 'A' },
          { op: 'walk', walk: 'w', pageSize: 1 },
        ]),
      );
  },
};

/** Ids of one awkward class at one time: each created, read, changed and listed alone; ids that can't be kept are refused. */
const identity: Scenario = {
  name: 'identity',
  weight: 5,
  suits: () => true,
  programs: ({ ids }) =>
    fc.tuple(awkwardIds(ids), fc.constantFrom(...refusedIds(ids)), fc.boolean()).chain(([tasks, refused, door]) => {
      const names = Object.keys(tasks);
      const change = fc
        .constantFrom(...names)
        .chain((task) =>
          fc.constantFrom<Step>({ op: 'replace', task }, { op: 'delete', task }, { op: 'append', task, message: 'm1' }),
        );
      return fc.array(change, { maxLength: 2 }).map((changes) =>
        sequential('identity', { ...tasks, Z: refused }, [
          clockAt(0n),
          ...names.map((task): Step => ({ op: 'create', task })),
          ...names.map((task): Step => ({ op: 'get', task })),
          { op: 'walk', walk: 'all', pageSize: 100 },
          { op: 'walk', walk: 'w', pageSize: 1 },
          { op: 'walk', walk: 'w', pageSize: 2 },
          ...changes,
          ...names.map((task): Step => ({ op: 'get', task })),
          { op: 'walk', walk: 'w', pageSize: 1 },
          // At the end, so that a store that lets such an id in is judged for that alone.
          ...(door ? [{ op: 'create', task: 'Z' } as Step, { op: 'get', task: 'Z' } as Step] : []),
        ]),
      );
    }),
};

/** The harness scribbles over every object that it passed or got, then reads again. */
const isolation: Scenario = {
  name: 'isolation',
  weight: 1,
  suits: judgesWrites,
  programs: () =>
    fc
      .array(
        fc.oneof(
          mutation(fc.constantFrom('A', 'B')),
          fc.constantFrom<Step>({ op: 'get', task: 'A' }, { op: 'walk', walk: 'w', pageSize: 1 }),
        ),
        { minLength: 1, maxLength: 6 },
      )
      .map((steps) =>
        sequential(
          'isolation',
          Object.fromEntries(labels.slice(0, 2).map((label) => [label, `task-${label.toLowerCase()}`])),
          [
            { op: 'create', task: 'A', content: { history: ['m1'], artifacts: ['r1'] } },
            { op: 'create', task: 'B', content: { history: ['m1'] } },
            ...steps,
            { op: 'walk', walk: 'w', pageSize: 2, artifacts: true },
            { op: 'get', task: 'A' },
            { op: 'get', task: 'A' },
            { op: 'append', task: 'A', message: 'm5' },
            { op: 'walk', walk: 'w', pageSize: 1, artifacts: true },
            { op: 'get', task: 'B' },
          ],
          { tamper: true },
        ),
      ),
};

/** A conversation: more messages than a store may care to keep, some sent again long after. */
const conversation: Scenario = {
  name: 'conversation',
  weight: 1,
  suits: judgesWrites,
  programs: () =>
    fc
      .tuple(fc.constantFrom(5, 11, 21), fc.array(fc.nat(20), { maxLength: 3 }))
      .map(([count, again]) =>
        sequential('conversation', { A: 'task-a', B: 'task-b' }, [
          { op: 'create', task: 'A' },
          { op: 'create', task: 'B' },
          ...Array.from({ length: count }, (_, number): Step => ({ op: 'append', task: 'A', message: `n${number}` })),
          ...again.map((number): Step => ({ op: 'append', task: 'A', message: `n${number % count}` })),
          { op: 'get', task: 'A' },
          { op: 'walk', walk: 'w', pageSize: 1 },
        ]),
      ),
};

export const writeScenarios: readonly Scenario[] = [rejected, advances, endOfTime, identity, isolation, conversation];
