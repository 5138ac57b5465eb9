import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ruleById } from '../../spec/contract.ts';
import type { Program, Step } from '../history/program.ts';
import type { Subject } from '../subject/subject.ts';
import { createWireSubject } from '../subject/wire.ts';
import { contextOf } from '../suite/certify.ts';
import { judgeProgram } from '../suite/judge.ts';
import { wireMutants } from './wire.ts';

const options = { operationTimeoutMs: 5_000 };
const raw = (transport: string, fields: Record<string, unknown>, rule?: string): Step => ({
  op: 'raw',
  transport,
  method: 'ListTasks',
  fields,
  means: rule === undefined ? { kind: 'valid' } : { kind: 'invalid', rule },
});
const everywhere = (step: Step): Step[] => [step, step, step];

/** One program that asks everything once; the mutants that it tells, each with the rule. */
const program: Program = {
  version: 1,
  scenario: 'told',
  tasks: { A: 'task-a', B: 'task-b', H: 'hidden', N: 'never-was' },
  clients: [
    [
      raw('jsonrpc', {}),
      raw('http', {}),
      { op: 'create', task: 'A', content: { history: ['m1', 'm2'], artifacts: ['r1'] } },
      { op: 'create', task: 'B', content: { timestamp: '2001-01-01T00:00:00.000001Z' } },
      { op: 'create', task: 'H' },
      { op: 'deny', caller: 'alice', task: 'H' },
      ...everywhere({ op: 'token', token: '', pageSize: 2 }),
      ...everywhere({ op: 'token', token: '', filter: { after: '2001-01-01T00:00:00.000002Z' } }),
      ...everywhere({ op: 'token', token: 'v1.0.', means: { kind: 'invalid-v1', reason: 'empty id' } }),
      { op: 'first', walk: 'w', pageSize: 1 },
      ...everywhere({ op: 'peek', walk: 'w', pageSize: 5 }),
      raw('jsonrpc', { includeTotalSize: false }),
      raw('http', { historyLength: 1 }),
      raw('jsonrpc', { pageSize: 'abc' }, 'WIRE-5'),
      raw('jsonrpc', { pageSize: 1.5 }, 'WIRE-5'),
      raw('http', { pageSize: '0' }, 'WIRE-5'),
      raw('grpc', { pageSize: 101 }, 'WIRE-5'),
      raw('http', { status: 'BOGUS' }, 'FILTER-1'),
      raw('jsonrpc', { includeArtifacts: 'false' }, 'WIRE-4'),
      {
        op: 'raw',
        transport: 'http',
        method: 'GetTask',
        fields: { id: 'never-was' },
        means: { kind: 'missing' },
        caller: 'alice',
      },
      ...everywhere({ op: 'get', task: 'H', caller: 'alice' }),
      ...everywhere({ op: 'push-list', task: 'H', caller: 'alice' }),
      { op: 'push', verb: 'set', task: 'A', config: 'p1' },
      { op: 'push', verb: 'set', task: 'A', config: 'p2' },
      { op: 'push-list', task: 'A', pageSize: 1 },
      { op: 'push-list', task: 'A', from: 'next', pageSize: 1 },
      { op: 'push-list', task: 'A', from: 'walk', walk: 'w' },
    ],
  ],
};

const tells: Record<string, string> = {
  'WIRE-01': 'WIRE-4',
  'WIRE-03': 'WIRE-4',
  'WIRE-04': 'WIRE-4',
  'WIRE-07': 'WIRE-2',
  'WIRE-08': 'WIRE-2',
  'WIRE-11': 'WIRE-1',
  'WIRE-17': 'WIRE-5',
  'WIRE-21': 'TOKEN-4',
  'WIRE-22': 'FILTER-1',
  'WIRE-24': 'TOKEN-7',
  'WIRE-31': 'WIRE-4',
  'WIRE-32': 'WIRE-4',
  'WIRE-33': 'WIRE-3',
  'WIRE-35': 'AUTH-9',
  'WIRE-36': 'PUSH-1',
  'WIRE-37': 'PUSH-1',
};
/** Driven over one transport, where the program's own turn would not meet the fault. */
const mutantById = new Map(wireMutants.map((mutant) => [mutant.id, mutant]));

async function broken(subject: Subject): Promise<string[]> {
  await subject.start?.();
  try {
    const { judged } = await judgeProgram(subject, program, contextOf(subject, {}), options);
    return [...new Set(judged.filter(({ findings }) => findings.length > 0).map(({ rule }) => rule))];
  } finally {
    await subject.stop?.();
  }
}

describe('one program over all transports', () => {
  const right = createWireSubject();
  beforeAll(() => right.start?.());
  afterAll(() => right.stop?.());

  it('breaks nothing on the right agent', async () => {
    expect(await broken(right)).toEqual([]);
  });

  it.each(Object.entries(tells))('shows %s by %s', async (id, rule) => {
    const mutant = mutantById.get(id);
    expect(mutant?.breaks).toContain(rule);
    expect(await broken(mutant!.subject())).toContain(rule);
  });
});

describe('the catalogue', () => {
  it('has every id once, and names rules that there are', () => {
    expect(mutantById.size).toBe(wireMutants.length);
    const unknown = wireMutants.flatMap(({ breaks }) => breaks).filter((rule) => ruleById(rule) === undefined);
    expect(unknown).toEqual([]);
  });
});
