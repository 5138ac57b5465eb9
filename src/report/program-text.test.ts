import { describe, expect, it } from 'vitest';
import type { Program, Step } from '../history/program.ts';
import { renderProgram } from './program-text.ts';

const program = (...steps: Step[]): Program => ({
  version: 1,
  scenario: 'test',
  tasks: { A: 'a|1', B: '\u{1f600}\0' },
  clients: [steps],
});

describe('the text of a program', () => {
  it('gives a line to every kind of step', () => {
    const lines = renderProgram(
      program(
        { op: 'clock', micros: '-5' },
        { op: 'create', task: 'A', content: { state: 'WORKING' } },
        { op: 'create', task: 'B', caller: 'alice' },
        { op: 'replace', task: 'A' },
        { op: 'replace', task: 'A', content: { note: 'n', history: ['m1', 'm2'], artifacts: [] }, revision: 'stale' },
        { op: 'append', task: 'A', message: 'm1' },
        { op: 'cancel', task: 'A', timestamp: '2026-01-01T00:00:00Z' },
        { op: 'get', task: 'B', caller: 'bob' },
        { op: 'first', walk: 'w', pageSize: 1 },
        { op: 'next', walk: 'w' },
        { op: 'next', walk: 'w', pageSize: 3 },
        {
          op: 'walk',
          walk: 'v',
          filter: { context: 'c', state: 'WORKING', after: '2026-01-01T00:00:00Z' },
          total: false,
        },
        { op: 'peek', walk: 'w', artifacts: true, historyLength: 0, caller: 'bob' },
        { op: 'token', token: '0', means: { kind: 'number' }, pageSize: 2 },
        { op: 'token', token: 'x', means: { kind: 'v1', id: 'a', micros: '7' } },
        { op: 'delete', task: 'A' },
        { op: 'tick' },
        { op: 'deny', caller: 'bob', task: 'A' },
        { op: 'restart' },
        { op: 'fill', task: 'F', count: 100, context: 'c' },
      ),
    );
    expect(lines).toEqual([
      'clock at -5 µs',
      'create A {id "a|1", state WORKING}',
      'create B {id "\\u{1f600}\\u{0}"} as alice',
      'replace A with the same contents',
      'replace A {history ["m1", "m2"], artifacts [], note "n"} if its revision is the stale one',
      'append message "m1" to A',
      'cancel A at 2026-01-01T00:00:00Z',
      'get B as bob',
      'first w page size 1',
      'next w',
      'next w page size 3',
      'walk v context "c", state WORKING, status at or after 2026-01-01T00:00:00Z, without total',
      'peek w with artifacts, history length 0, as bob',
      'token "0" (a number) page size 2',
      'token "x" (v1: id "a" at 7 µs)',
      'delete A',
      'tick (wait until the wall clock has moved)',
      'deny bob to access A',
      'restart',
      'fill F with 100 tasks in context "c"',
    ]);
  });

  it('names the client where there are several', () => {
    const two: Program = { ...program(), clients: [[{ op: 'create', task: 'A' }], [{ op: 'restart' }]] };
    expect(renderProgram(two)).toEqual(['client 0: create A {id "a|1"}', 'client 1: restart']);
  });

  it('shows the difference between ids that look alike', () => {
    const [nfc, nfd] = ['\u00e9', 'e\u0301'].map(
      (id) => renderProgram({ ...program({ op: 'create', task: 'A' }), tasks: { A: id } })[0],
    );
    expect(nfc).toBe('create A {id "\\u{e9}"}');
    expect(nfd).toBe('create A {id "e\\u{301}"}');
  });

  it('keeps head, tail and length of a long id', () => {
    const id = `${'a'.repeat(4095)}b`;
    const [line] = renderProgram({ ...program({ op: 'create', task: 'A' }), tasks: { A: id } });
    expect(line).toBe(`create A {id "${'a'.repeat(40)}"…"${'a'.repeat(15)}b" (4096 characters)}`);
  });

  it('does not take an inherited property for an id', () => {
    expect(renderProgram(program({ op: 'create', task: 'toString' }))).toEqual(['create toString {no id}']);
  });
});
