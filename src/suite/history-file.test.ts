import { describe, expect, it } from 'vitest';
import { broken, contents, overlapping, page, wrote } from '../check/overlap.sample.ts';
import type { Program } from '../history/program.ts';
import { createMemorySubject } from '../subject/memory.ts';
import { formatHistory, type JudgedHistory, judgeHistoriesText } from './history-file.ts';

const program: Program = { version: 1, scenario: 'test', tasks: {}, clients: [[], []] };
const history = overlapping(
  wrote('create', [0, 1], 'a', 10),
  wrote('create', [2, 3], 'b', 20),
  page([4, 5], 'w0', 0, [['a', 10]], { totalSize: 1 }),
);
const text = formatHistory(createMemorySubject(), history, { profile: '0.6', rule: 'WALK-3', program });

function judgeHistoryText(source: string, profile?: '0.6' | 'a2a-1.0'): JudgedHistory {
  const [one, ...more] = judgeHistoriesText(source, 'h.jsonl', profile);
  expect(more).toEqual([]);
  return one!;
}

const violated = (source: string, profile?: '0.6' | 'a2a-1.0') =>
  judgeHistoryText(source, profile)
    .judged.filter(({ findings }) => findings.length > 0)
    .map(({ rule }) => rule)
    .sort();

describe('a saved history', () => {
  it('is judged again as it was, without the store', () => {
    expect(violated(text)).toEqual(broken(history));
    expect(judgeHistoryText(text)).toMatchObject({
      subject: 'memory',
      profile: '0.6',
      rule: 'WALK-3',
      history,
    });
  });

  it('is judged under another profile by what that one asks', () => {
    const behind = overlapping(wrote('create', [0, 1], 'a', 10), wrote('replace', [2, 3], 'a', 9), {
      at: [4, 5],
      operation: { op: 'get', id: 'a' },
      result: { kind: 'read', contents: contents('a', 'a@9') },
    });
    const source = formatHistory(createMemorySubject(), behind, { profile: '0.6', program });
    expect(violated(source)).toEqual(['TIME-2']);
    expect(violated(source, 'a2a-1.0')).toEqual([]);
  });

  it('is judged operation by operation where one client made it', () => {
    const alone = formatHistory(createMemorySubject(), history, {
      profile: '0.6',
      program: { ...program, clients: [[]] },
    });
    expect(violated(alone)).toContain('COUNT-1');
  });

  it.each([
    [
      'cut',
      text.split('\n').slice(0, 3).join('\n'),
      /^h\.jsonl: line 3 is the last one.*: give a history that pagecheck has written, whole$/,
    ],
    ['foreign', '{"format":"other"}\n', /^h\.jsonl: line 1 has no "format"/],
    [
      'of an unknown subject',
      text.replace('"revisions":true', '"revisions":7'),
      /^h\.jsonl: line 1 is malformed, capabilities\.revisions should be true or false, not 7/,
    ],
  ])('that is %s is told by its line', (_, source, message) => {
    expect(() => judgeHistoryText(source)).toThrow(message);
  });

  it('is judged after others of the same file, and its lines are those of the file', () => {
    const right = formatHistory(createMemorySubject(), overlapping(wrote('create', [0, 1], 'a', 10)), {
      profile: '0.6',
      program,
    });
    const both = [...judgeHistoriesText(right + text, 'h.jsonl')];
    expect(both.map((one) => one.history.entries.length)).toEqual([1, 3]);
    expect(both.map((one) => one.judged.some(({ findings }) => findings.length > 0))).toEqual([false, true]);
    const cut = () => [...judgeHistoriesText(right + text.split('\n').slice(0, 3).join('\n'), 'h.jsonl')];
    expect(cut).toThrow(/^h\.jsonl: line 6 is the last one/);
  });
});
