import { describe, expect, it } from 'vitest';
import type { History } from './history.ts';
import { decodeHistory, encodeHistory, HistoryFormatError, isHistoryText } from './json-lines.ts';

const contents = {
  id: 'a\0\ud83d\ude00',
  context: 'ctx',
  state: 'WORKING',
  history: ['m1'],
  artifacts: [],
  note: '',
} as const;

const history: History = {
  entries: [
    {
      index: 0,
      client: 0,
      step: 0,
      call: 0,
      return: 2,
      operation: { op: 'clock', micros: -(2n ** 63n) },
      result: { kind: 'done' },
    },
    {
      index: 1,
      client: 1,
      step: 0,
      call: 1,
      return: 4,
      operation: { op: 'create', contents },
      result: { kind: 'written', micros: 2n ** 53n + 1n, revision: '1', contents },
    },
    {
      index: 2,
      client: 0,
      step: 1,
      call: 3,
      return: 5,
      operation: { op: 'list', walk: 'w0', page: 0, pageSize: 2, means: { kind: 'v1', id: 'x', micros: '12' } },
      result: {
        kind: 'page',
        items: [contents],
        cursors: [{ id: contents.id, micros: 7n }],
        nextToken: '',
        totalSize: 1,
      },
    },
  ],
};

const lines = [...encodeHistory(history, { subject: 'memory' })];

function problem(changed: readonly string[]): string {
  try {
    decodeHistory(changed);
  } catch (error) {
    if (error instanceof HistoryFormatError) return error.message;
    throw error;
  }
  return 'none';
}

function withEntry(line: number, change: object): string[] {
  return lines.map((text, at) => (at === line ? JSON.stringify({ ...JSON.parse(text), ...change }) : text));
}

describe('a history as JSON Lines', () => {
  it('comes back as it was, header and times included', () => {
    expect(decodeHistory(lines)).toEqual({ header: { subject: 'memory' }, history });
  });

  it('keeps that the harness tampered, and a page size that is no number', () => {
    const [entry] = history.entries;
    const odd: History = {
      entries: [{ ...entry!, operation: { op: 'list', pageSize: Number.NaN } }],
      tampered: true,
    };
    expect(decodeHistory(encodeHistory(odd)).history).toEqual(odd);
  });

  it('is told from other JSON', () => {
    expect(isHistoryText(lines.join('\n'))).toBe(true);
    expect(isHistoryText('{"format":"pagecheck-replay"}')).toBe(false);
  });

  it.each([
    ['an empty file', [], 'line 1 is missing: the file is empty'],
    ['another format', ['{"format":"other"}'], 'line 1 has no "format": "pagecheck-history": this is no history'],
    [
      'a later version',
      ['{"format":"pagecheck-history","version":2}'],
      'line 1 is of version 2; this program reads version 1',
    ],
    [
      'a file cut between lines',
      lines.slice(0, 3),
      "line 3 is the last one, and not the history's end: the file is cut after 2 entries",
    ],
    [
      'a file cut within a line',
      [...lines.slice(0, 2), lines[2]!.slice(0, 30)],
      'line 3 is not valid JSON: the file is cut, or no history',
    ],
    [
      'a line that is gone',
      lines.toSpliced(2, 1),
      'line 3 is entry 2 where entry 1 is due: lines are missing or out of order',
    ],
    ['a wrong count', [...lines.slice(0, -1), '{"end":9}'], 'line 5 counts 9 entries, but 3 stand above it'],
    ['something after the end', [...lines, lines[1]!], 'line 6 follows the end of the history'],
    [
      'a clock that went back',
      withEntry(2, { call: 1, return: 2 }),
      'line 3 returns at 2, not after the entry above it, at 2: the clock went backwards between clients',
    ],
    ['a return before its call', withEntry(1, { call: 9 }), 'line 2 returns at 2, before its call at 9'],
    ['a client in two places', withEntry(3, { client: 1 }), 'line 4 is called at 3, while client 1 is busy until 4'],
    ['an unknown operation', withEntry(1, { operation: { op: 'fly' } }), 'line 2 has no known operation'],
    [
      'a time that is a number',
      withEntry(2, { result: { kind: 'written', micros: 5 } }),
      'line 3 has a "micros" that is no whole number in a text',
    ],
  ])('names the line of %s', (_, changed, message) => {
    expect(problem(changed)).toBe(message);
  });
});
