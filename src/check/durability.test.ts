import { describe, expect, it } from 'vitest';
import type { Contents, Entry, Operation, Result } from '../history/history.ts';
import { judgeDurability } from './durability.ts';

const contents = (history: readonly string[] = []): Contents => ({
  id: 't',
  context: 'ctx',
  state: 'WORKING',
  history,
  artifacts: [],
  note: '',
});
const create: Operation = { op: 'create', contents: contents() };
const replace: Operation = { op: 'replace', contents: contents() };
const append = (message: string): Operation => ({ op: 'append', id: 't', message });
const remove: Operation = { op: 'delete', id: 't' };
const get: Operation = { op: 'get', id: 't' };
const at = (micros: bigint): Result => ({ kind: 'written', micros });
const read = (micros: bigint, history: readonly string[] = []): Result => ({
  kind: 'read',
  contents: contents(history),
  micros,
});
const unknown: Result = { kind: 'unknown', message: 'gone' };
const error = (code: string): Result => ({ kind: 'error', code, message: code });

const judge = (...events: readonly (readonly [Operation, Result])[]) =>
  judgeDurability(
    events.map(
      ([operation, result], index): Entry => ({
        index,
        client: 0,
        step: index,
        call: 2 * index,
        return: 2 * index + 1,
        operation,
        result,
      }),
    ),
  );

describe('after faults', () => {
  it('what was acknowledged is there', () => {
    const { report, ...counts } = judge(
      [create, at(1n)],
      [append('m'), at(2n)],
      [replace, unknown],
      [get, read(2n, ['m'])],
    );
    expect(counts).toStrictEqual({ acknowledged: 2, unknown: 1, lost: 0 });
    expect(report).toStrictEqual({ rule: 'SNAP-2', witnesses: 2, findings: [] });
  });

  it('a task that is gone, an older time and a missing message are losses', () => {
    expect(judge([create, at(1n)], [get, { kind: 'read' }]).lost).toBe(1);
    expect(judge([create, at(1n)], [replace, at(5n)], [get, read(1n)]).lost).toBe(1);
    expect(judge([create, at(1n)], [append('m'), at(2n)], [get, read(2n)]).lost).toBe(1);
  });

  it('a message that a later replace took with it is no loss, nor one that a replace of unknown outcome may have', () => {
    expect(judge([create, at(1n)], [append('m'), at(2n)], [replace, at(3n)], [get, read(3n)]).lost).toBe(0);
    expect(judge([create, at(1n)], [append('m'), at(2n)], [replace, unknown], [get, read(3n)]).lost).toBe(0);
  });

  it('a deleted task is no loss, also where nobody knows whether it was', () => {
    expect(judge([create, at(1n)], [remove, { kind: 'done' }], [get, { kind: 'read' }]).lost).toBe(0);
    expect(judge([create, at(1n)], [remove, unknown], [get, { kind: 'read' }]).lost).toBe(0);
    expect(judge([create, at(1n)], [remove, { kind: 'done' }], [create, at(9n)], [get, { kind: 'read' }]).lost).toBe(1);
  });

  it('errors that say nothing, or blame the caller, are findings', () => {
    for (const code of ['unclassified', 'invalid-argument'])
      expect(judge([create, error(code)]).report.findings).toHaveLength(1);
    for (const code of ['internal', 'not-found'])
      expect(judge([create, error(code)]).report.findings).toStrictEqual([]);
  });
});
