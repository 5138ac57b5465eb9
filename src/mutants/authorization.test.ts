import { describe, expect, it } from 'vitest';
import { ruleById } from '../../spec/contract.ts';
import type { BeneathPlan, Program, Step } from '../history/program.ts';
import { createDispatcherSubject } from '../subject/dispatcher.ts';
import type { Subject } from '../subject/subject.ts';
import { contextOf } from '../suite/certify.ts';
import { judgeProgram } from '../suite/judge.ts';
import { authorizationMutants } from './authorization.ts';

const options = { operationTimeoutMs: 5_000 };
const tasks = { A: 'task-a', B: 'task-b', C: 'task-c', N: 'never-was' };
const clock = (micros: number): Step => ({ op: 'clock', micros: String(1_700_000_000_000_000 + micros) });
const beneath = (plan: BeneathPlan): Step => ({ op: 'beneath', plan });
const deny = (task: string, count?: number): Step => ({
  op: 'deny',
  caller: 'alice',
  task,
  ...(count === undefined ? {} : { count }),
});
const program = (scenario: string, steps: readonly Step[], more: Partial<Program> = {}): Program => ({
  version: 1,
  scenario,
  tasks,
  clients: [steps],
  counters: true,
  ...more,
});
const watch = beneath({ at: 'watch', projection: 'full' });
const lists = (pageSize: number): Step => ({ op: 'walk', walk: 'w', caller: 'alice', pageSize });
const three: Step[] = ['A', 'B', 'C'].flatMap((task, position): Step[] => [
  clock(position),
  { op: 'create', task, content: { history: ['m1'], state: task === 'B' ? 'COMPLETED' : 'WORKING' } },
]);

/** Programs of a few lines, each with the faults that it shows: by id, the rule that tells. */
const stories: readonly { readonly what: string; readonly program: Program; readonly tells: Record<string, string> }[] =
  [
    {
      what: 'a hidden task between two visible ones',
      program: program('told', [watch, deny('B'), ...three, lists(1), lists(2)]),
      tells: {
        'AUTH-02': 'COUNT-1',
        'AUTH-03': 'WALK-3',
        'AUTH-05': 'TOKEN-6',
        'AUTH-09': 'COUNT-1',
        'AUTH-19': 'AUTH-3',
        'AUTH-20': 'AUTH-3',
        'AUTH-40': 'AUTH-7',
        'COST-20': 'AUTH-6',
      },
    },
    {
      what: 'tasks older than the observer is shown, and a hidden one below them all',
      program: program('told', [deny('A'), ...three, lists(1), { op: 'cancel', task: 'A', caller: 'alice' }], {
        worlds: { observer: 'alice', hidden: ['A'] },
      }),
      tells: { 'AUTH-02': 'AUTH-8', 'AUTH-06': 'AUTH-8', 'AUTH-30': 'AUTH-8', 'AUTH-34': 'AUTH-8' },
    },
    {
      what: 'more than a batch of hidden tasks before one of its own',
      program: program('told', [
        beneath({ at: 'watch' }),
        { op: 'create', task: 'A' },
        deny('H', 120),
        clock(5),
        { op: 'fill', task: 'H', count: 120 },
        lists(1),
      ]),
      tells: {
        'AUTH-07-hundred': 'WALK-3',
        'AUTH-13': 'WALK-3',
        'COST-23': 'AUTH-6',
        'COST-21': 'AUTH-7',
      },
    },
    {
      what: 'more than a batch of tasks of its own',
      program: program('told', [
        beneath({ at: 'watch' }),
        { op: 'fill', task: 'H', count: 120 },
        { op: 'first', walk: 'w', caller: 'alice', pageSize: 1 },
      ]),
      tells: { 'AUTH-12': 'COUNT-1', 'COST-24': 'AUTH-6' },
    },
    {
      what: 'a store that gives one task at a time',
      program: program('told', [...three, beneath({ at: 'short', size: 1 }), lists(2)]),
      tells: { 'AUTH-14': 'COUNT-1', 'AUTH-10': 'COUNT-1' },
    },
    {
      what: 'a task revoked before the final read',
      program: program('probe', [
        ...three,
        { op: 'cancel', task: 'N', caller: 'alice' },
        beneath({ at: 'moment', before: 'final-read', do: [{ op: 'deny', caller: 'alice', task: 'B' }] }),
        { op: 'first', walk: 'w', caller: 'alice', pageSize: 3 },
      ]),
      tells: { 'AUTH-23': 'AUTH-4', 'AUTH-24': 'AUTH-4', 'AUTH-24-words': 'AUTH-4' },
    },
    {
      what: 'a task deleted before the final read',
      program: program('probe', [
        ...three,
        beneath({ at: 'moment', before: 'final-read', do: [{ op: 'delete', task: 'B' }] }),
        { op: 'first', walk: 'w', caller: 'alice', pageSize: 3 },
      ]),
      tells: { 'AUTH-26': 'AUTH-4' },
    },
    {
      what: 'the last task of a page written before the final read, and another list meanwhile',
      program: program('probe', [
        ...three,
        clock(9),
        beneath({
          at: 'moment',
          before: 'final-read',
          do: [
            { op: 'replace', task: 'C', content: { note: 'later' } },
            { op: 'first', walk: 'n', caller: 'bob', pageSize: 1 },
          ],
        }),
        { op: 'first', walk: 'w', caller: 'alice', pageSize: 1 },
      ]),
      tells: { 'RACE-12': 'TOKEN-6', 'RACE-16': 'AUTH-2', 'AUTH-21': 'AUTH-3' },
    },
    {
      what: 'a store without cursors',
      program: program('probe', [...three, beneath({ at: 'page', how: 'absent', batch: 1 }), lists(2)]),
      tells: { 'AUTH-27': 'AUTH-5' },
    },
    {
      what: 'a store with a cursor less than tasks',
      program: program('probe', [...three, beneath({ at: 'page', how: 'fewer', batch: 1 }), lists(2)]),
      tells: { 'AUTH-28': 'AUTH-5' },
    },
    {
      what: 'a store that gives its tasks the wrong way round',
      program: program('probe', [...three, beneath({ at: 'page', how: 'reversed', batch: 1 }), lists(2)]),
      tells: { 'AUTH-28-order': 'AUTH-5' },
    },
    {
      what: 'a policy that throws',
      program: program('probe', [...three, beneath({ at: 'policy', how: 'throws', on: 'scan' }), lists(2)]),
      tells: { 'AUTH-51': 'AUTH-5', 'AUTH-52': 'AUTH-5', 'AUTH-54': 'AUTH-5' },
    },
    {
      what: 'a policy that throws when it is asked for the scope',
      program: program('probe', [...three, beneath({ at: 'policy', how: 'throws', on: 'scope' }), lists(2)]),
      tells: { 'AUTH-53': 'AUTH-5' },
    },
    {
      what: 'a scope of one context, another, and none',
      program: program('told', [
        { op: 'create', task: 'A' },
        { op: 'create', task: 'B', content: { context: 'd' } },
        { op: 'scope', caller: 'alice', contexts: ['ctx'] },
        { op: 'walk', walk: 'w', caller: 'alice', pageSize: 5, filter: { context: 'd' } },
        { op: 'scope', caller: 'alice', contexts: [] },
        lists(5),
      ]),
      tells: { 'AUTH-16': 'FILTER-1', 'AUTH-17': 'AUTH-1', 'AUTH-37': 'AUTH-1' },
    },
    {
      what: 'what is tried on hidden tasks and on one that never was',
      program: program('told', [
        ...three,
        deny('A'),
        deny('B'),
        ...['N', 'A', 'B'].flatMap((task): Step[] => [
          { op: 'get', task, caller: 'alice' },
          { op: 'cancel', task, caller: 'alice' },
          { op: 'replace', task, caller: 'alice' },
        ]),
      ]),
      tells: {
        'AUTH-30': 'AUTH-9',
        'AUTH-31': 'AUTH-9',
        'AUTH-33': 'AUTH-9',
        'AUTH-34': 'AUTH-9',
        'AUTH-35': 'AUTH-9',
      },
    },
    {
      what: "two callers, one after the other, with one's token carried to the other",
      program: program('told', [
        watch,
        ...three,
        deny('B'),
        { op: 'walk', walk: 'b', caller: 'bob', pageSize: 5 },
        lists(5),
        { op: 'walk', walk: 'c', caller: 'bob', pageSize: 5, filter: { state: 'COMPLETED' } },
        { op: 'first', walk: 'v', caller: 'bob', pageSize: 1 },
        { op: 'peek', walk: 'v', caller: 'alice', pageSize: 5 },
        { op: 'peek', walk: 'v', caller: 'bob', pageSize: 5, filter: { state: 'COMPLETED' } },
        { op: 'scope', caller: 'bob', contexts: [] },
        { op: 'token', token: 'v1.1.', means: { kind: 'invalid-v1', reason: 'empty id' }, caller: 'bob' },
      ]),
      tells: {
        'AUTH-41': 'AUTH-2',
        'AUTH-38': 'AUTH-2',
        'TOK-40': 'TOKEN-4',
        'TOK-42': 'TOKEN-8',
        'TOK-43': 'TOKEN-8',
        'TOK-44': 'TOKEN-8',
      },
    },
    {
      what: 'a boundary that is gone',
      program: program('told', [
        ...three,
        { op: 'first', walk: 'w', caller: 'alice', pageSize: 1 },
        { op: 'peek', walk: 'w', pageSize: 5 },
        { op: 'peek', walk: 'w', pageSize: 5 },
        { op: 'delete', task: '@w' },
        { op: 'peek', walk: 'w', pageSize: 5 },
      ]),
      tells: { 'TOK-53': 'TOKEN-5' },
    },
  ];

async function broken(subject: Subject, { clients, ...rest }: Program): Promise<Set<string>> {
  const judgement = await judgeProgram(subject, { clients, ...rest }, contextOf(subject, {}), options);
  return new Set(judgement.judged.filter(({ findings }) => findings.length > 0).map(({ rule }) => rule));
}

const mutantById = new Map(authorizationMutants.map((mutant) => [mutant.id, mutant]));

describe.each(stories)('$what', ({ program: told, tells }) => {
  it('breaks nothing on the right dispatcher', async () => {
    expect([...(await broken(createDispatcherSubject(), told))]).toEqual([]);
  });

  it.each(Object.entries(tells))('shows %s by %s', async (id, rule) => {
    const mutant = mutantById.get(id);
    expect(mutant?.breaks).toContain(rule);
    expect([...(await broken(mutant!.subject(), told))]).toContain(rule);
  });
});

describe('the catalogue', () => {
  it('has every id once, and names rules that there are', () => {
    expect(mutantById.size).toBe(authorizationMutants.length);
    const unknown = authorizationMutants.flatMap(({ breaks }) => breaks).filter((rule) => ruleById(rule) === undefined);
    expect(unknown).toEqual([]);
  });
});
