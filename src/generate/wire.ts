/** Scenarios about what crosses the wire: one request over every transport, raw fields right and wrong, raw answers. */
import fc from 'fast-check';
import type { RawMeaning, Step } from '../history/program.ts';
import type { Capabilities } from '../subject/subject.ts';
import { filter } from './content.ts';
import { labels, taskIds } from './ids.ts';
import { clockAt, type Scenario, sequential } from './scenario.ts';
import { pageSize } from './steps.ts';
import { creations } from './walks.ts';

/** An agent of ours, whose raw answers can be seen. */
const isWire = ({ scope, agent, transports = [] }: Capabilities): boolean =>
  scope.includes('W') && agent !== true && transports.length > 0;

/** Each request as often as there are transports, which take turns. */
const transports: Scenario = {
  name: 'transports',
  weight: 5,
  suits: (capabilities) => isWire(capabilities) && (capabilities.transports?.length ?? 0) > 1,
  programs: ({ ids, transports: names = [] }) =>
    fc.integer({ min: 2, max: 6 }).chain((count) =>
      fc
        .tuple(
          taskIds(count, ids),
          creations(count),
          fc.array(fc.constantFrom(...labels.slice(0, count)), { maxLength: 2 }),
          filter,
          pageSize(count),
          fc.constantFrom(0, 1, 2),
          fc.boolean(),
        )
        .map(([tasks, first, hidden, one, size, historyLength, artifacts]) => {
          const each = (step: Step): Step[] => names.map(() => step);
          return sequential('transports', tasks, [
            clockAt(0n),
            ...each({ op: 'token', token: '', pageSize: 2 }),
            ...first,
            ...hidden.map((task): Step => ({ op: 'deny', caller: 'alice', task })),
            ...each({ op: 'token', token: '', pageSize: size, caller: 'alice' }),
            ...each({ op: 'token', token: '', filter: one }),
            ...each({ op: 'token', token: '', pageSize: 3, artifacts, historyLength }),
            ...each({ op: 'token', token: 'v1.0.', means: { kind: 'invalid-v1', reason: 'empty id' } }),
            ...each({ op: 'token', token: '', pageSize: 0 }),
            { op: 'first', walk: 'w', pageSize: 1 },
            ...each({ op: 'peek', walk: 'w', pageSize: size }),
            ...each({ op: 'peek', walk: 'w', caller: 'alice' }),
            { op: 'walk', walk: 'w', pageSize: 1 },
          ]);
        }),
    ),
};

type Fields = Readonly<Record<string, unknown>>;

const valid: RawMeaning = { kind: 'valid' };

/** Right requests: on an empty store and a full one, what is asked for and what is not, internal fields among them. */
const rawLists: Scenario = {
  name: 'raw-lists',
  weight: 4,
  suits: isWire,
  programs: ({ ids, transports: names = [] }) => {
    const fields = fc.constantFrom<Fields>(
      {},
      { pageSize: 1 },
      { pageToken: '' },
      { contextId: 'nothing-here' },
      { includeArtifacts: true },
      { includeArtifacts: false },
      { historyLength: 0 },
      { historyLength: 1 },
      { includeArtifacts: true, historyLength: 2 },
      { includeTotalSize: false },
      { include_total_size: false },
      { pageSize: 1, includeTotalSize: false },
    );
    const list = fc.tuple(fc.constantFrom(...names), fields, fc.constantFrom('alice', undefined)).map(
      ([transport, sent, caller]): Step => ({
        op: 'raw',
        transport,
        method: 'ListTasks',
        fields: sent,
        means: valid,
        ...(caller === undefined ? {} : { caller }),
      }),
    );
    return fc
      .tuple(
        taskIds(3, ids),
        fc.array(list, { minLength: 1, maxLength: 2 }),
        fc.array(list, { minLength: 3, maxLength: 8 }),
      )
      .map(([tasks, empty, full]) =>
        sequential('raw-lists', tasks, [
          ...empty,
          clockAt(0n),
          { op: 'create', task: 'A', content: { history: ['m1', 'm2', 'm3'], artifacts: ['r1', 'r2'] } },
          { op: 'create', task: 'B', content: { context: 'd' } },
          { op: 'create', task: 'C', content: { artifacts: ['r1'] } },
          { op: 'deny', caller: 'alice', task: 'C' },
          ...full,
        ]),
      );
  },
};

interface WrongField {
  readonly name: string;
  readonly rule: string;
  /** Values that are wrong on each transport; gRPC has no spelling for most. */
  readonly values: Readonly<Record<string, readonly unknown[]>>;
}

const wrongFields: readonly WrongField[] = [
  {
    name: 'pageSize',
    rule: 'WIRE-5',
    values: {
      jsonrpc: ['abc', '', true, [5], '0x5', 0, -1, 101, 1.5, 2 ** 31],
      http: ['abc', '', '0', '-1', '101', '1.5', '0x5', ['5', '5'], '1e1', ' 5', '2147483648'],
      grpc: [0, -1, 101, 2 ** 31 - 1],
    },
  },
  {
    name: 'status',
    rule: 'FILTER-1',
    values: { jsonrpc: ['BOGUS', 'working', [1]], http: ['BOGUS', 'working', ''], grpc: [99] },
  },
  {
    name: 'statusTimestampAfter',
    rule: 'FILTER-1',
    values: { jsonrpc: ['yesterday', '2001-13-01T00:00:00Z', 7], http: ['yesterday', '2001-01-01'], grpc: [] },
  },
  {
    name: 'includeArtifacts',
    rule: 'WIRE-4',
    values: { jsonrpc: ['false', 0, 'no'], http: ['no', '0'], grpc: [] },
  },
  {
    name: 'historyLength',
    rule: 'WIRE-4',
    values: { jsonrpc: [-1, 'abc', 1.5], http: ['-1', 'abc', '1.5'], grpc: [-1] },
  },
];

const wrongRequests = (transport: string): Step[] =>
  wrongFields.flatMap(({ name, rule, values }) =>
    (values[transport] ?? []).map(
      (value): Step => ({
        op: 'raw',
        transport,
        method: 'ListTasks',
        fields: { [name]: value },
        means: { kind: 'invalid', rule },
      }),
    ),
  );

/** Fields of a wrong type, range or spelling: an invalid argument on each transport, whoever asks. */
const rawInvalid: Scenario = {
  name: 'raw-invalid',
  weight: 4,
  suits: isWire,
  programs: ({ ids, transports: names = [] }) =>
    fc
      .tuple(
        taskIds(1, ids),
        fc.array(fc.constantFrom(...names.flatMap(wrongRequests)), { minLength: 4, maxLength: 10 }),
      )
      .map(([tasks, requests]) =>
        sequential('raw-invalid', tasks, [{ op: 'create', task: 'A', content: { artifacts: ['r1'] } }, ...requests]),
      ),
};

/** Get and cancel of tasks that never were, that are hidden, and of both while the policy fails. */
const rawErrors: Scenario = {
  name: 'raw-errors',
  weight: 3,
  suits: isWire,
  programs: ({ ids, transports: names = [] }) => {
    const ask = (task: string, means: RawMeaning): fc.Arbitrary<Step> =>
      fc.tuple(fc.constantFrom(...names), fc.constantFrom('GetTask' as const, 'CancelTask' as const)).map(
        ([transport, method]): Step => ({
          op: 'raw',
          transport,
          method,
          fields: { id: task },
          means,
          caller: 'alice',
        }),
      );
    const failing = fc.tuple(fc.constantFrom(...names), fc.constantFrom('ListTasks' as const, 'GetTask' as const)).map(
      ([transport, method]): Step => ({
        op: 'raw',
        transport,
        method,
        fields: method === 'GetTask' ? { id: 'hidden' } : {},
        means: valid,
        caller: 'alice',
      }),
    );
    return fc
      .tuple(
        taskIds(2, ids),
        fc.constantFrom('WORKING' as const, 'COMPLETED' as const),
        fc.array(fc.oneof(ask('never-was', { kind: 'missing' }), ask('hidden', valid)), { minLength: 4, maxLength: 9 }),
        fc.array(failing, { minLength: 2, maxLength: 4 }),
        fc.constantFrom('throws' as const, 'rejects' as const, 'number' as const),
      )
      .map(([tasks, state, asked, broken, how]) =>
        sequential('raw-errors', { ...tasks, H: 'hidden' }, [
          clockAt(0n),
          { op: 'deny', caller: 'alice', task: 'H' },
          { op: 'create', task: 'H', content: { state } },
          { op: 'create', task: 'A' },
          ...asked,
          { op: 'beneath', plan: { at: 'policy', how, on: 'scope' } },
          ...broken,
          { op: 'beneath', plan: { at: 'nothing' } },
        ]),
      );
  },
};

/** The store itself fails: an internal error, and nothing of what it said. */
const failingStore: Scenario = {
  name: 'probe-failing-store',
  weight: 1,
  suits: isWire,
  programs: ({ ids, transports: names = [] }) =>
    fc.tuple(taskIds(1, ids), fc.constantFrom('list' as const, 'get' as const)).map(([tasks, on]) =>
      sequential('probe-failing-store', { ...tasks, A: 'task' }, [
        { op: 'create', task: 'A' },
        { op: 'beneath', plan: { at: 'store', on } },
        ...names.map(
          (transport): Step => ({
            op: 'raw',
            transport,
            method: on === 'list' ? 'ListTasks' : 'GetTask',
            fields: on === 'list' ? {} : { id: 'task' },
            means: valid,
          }),
        ),
      ]),
    ),
};

export const wireScenarios: readonly Scenario[] = [transports, rawLists, rawInvalid, rawErrors, failingStore];
