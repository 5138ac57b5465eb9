import { describe, expect, it } from 'vitest';
import type { Program } from '../history/program.ts';
import { formatReplay, parseReplay, type Replay } from './replay-file.ts';

const program: Program = {
  version: 1,
  scenario: 'test',
  tasks: { A: 'a\0\u{1f600}', B: '__proto__' },
  clients: [
    [
      { op: 'create', task: 'A', content: { timestamp: '2001-01-01T00:00:00Z', history: ['m1'] } },
      { op: 'clock', micros: '-9223372036854775808' },
      { op: 'first', walk: 'w', pageSize: Number.NaN, filter: { state: 'UNSPECIFIED' } },
      { op: 'token', token: 'v1.', means: { kind: 'invalid-v1', reason: 'short' } },
    ],
  ],
};
const replay: Replay = { subject: 'memory', profile: 'a2a-1.0', rule: 'TOKEN-5', seed: 7, run: 12, program };

describe('a replay file', () => {
  it('says what was saved, also page sizes that are no number', () => {
    expect(parseReplay(formatReplay(replay), 'file.json')).toEqual(replay);
  });

  it('takes an unknown profile for the contract itself', () => {
    const later = formatReplay(replay).replace('a2a-1.0', 'a2a-9.0');
    expect(parseReplay(later, 'file.json').profile).toBe('0.6');
  });

  const saved = JSON.parse(formatReplay(replay)) as Record<string, unknown>;
  it.each([
    ['', 'file.json is empty'],
    ['{"format":', 'file.json is not valid JSON'],
    ['[]', 'the whole should be an object, not a list'],
    [JSON.stringify({ ...saved, format: 'other' }), 'format should be "pagecheck-replay", not "other"'],
    [JSON.stringify({ ...saved, version: 2 }), 'version should be 1, not 2'],
    [JSON.stringify({ ...saved, seed: 'x' }), 'seed should be a whole number, not "x"'],
    [JSON.stringify({ ...saved, program: { ...program, clients: 7 } }), 'program.clients should be a list, not 7'],
    [JSON.stringify({ ...saved, program: { ...program, clients: [[{ op: 'fly' }]] } }), 'program.clients[0][0].op'],
    [
      JSON.stringify({ ...saved, program: { ...program, clients: [[{ op: 'create' }]] } }),
      'program.clients[0][0].task should be a text, not absent',
    ],
    [
      JSON.stringify({ ...saved, program: { ...program, clients: [[{ op: 'clock', micros: 'soon' }]] } }),
      'program.clients[0][0].micros should be a whole number in a text, not "soon"',
    ],
    [
      JSON.stringify({ ...saved, program: { ...program, schedule: [0, 0, 3] } }),
      'has a schedule of another program: it names client 3, and there are 1',
    ],
  ])('case %#: is refused by one line that names what is wrong', (text, message) => {
    expect(() => parseReplay(text, 'file.json')).toThrow(message);
    expect(() => parseReplay(text, 'file.json')).toThrow(/^file\.json [^\n]+: give a file that [^\n]+$/);
  });
});
