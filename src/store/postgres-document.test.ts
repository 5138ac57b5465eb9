import { Role } from '@a2a-js/sdk';
import { describe, expect, it } from 'vitest';
import { type Message, type Task, TaskState } from '../task/task.ts';
import { decodeRow, encodeMessage, encodeTask, type Row } from './postgres-document.ts';
import { readMicros } from './postgres-time.ts';
import { wholeTask } from './task-copy.ts';

const AWKWARD = 'NUL \0, line\nbreak, \u2028, lone \ud800, "quoted", \\';

const message: Message = {
  messageId: AWKWARD,
  contextId: AWKWARD,
  taskId: '',
  role: Role.ROLE_AGENT,
  parts: [
    { content: { $case: 'text', value: AWKWARD }, metadata: undefined, filename: '', mediaType: '' },
    { content: { $case: 'raw', value: Buffer.from([0, 255, 10]) }, metadata: { a: 1 }, filename: 'f', mediaType: 'm' },
    {
      content: { $case: 'data', value: { z: [1, null, { a: 0.1 }], a: 1e300 } },
      metadata: undefined,
      filename: '',
      mediaType: '',
    },
    { content: undefined, metadata: undefined, filename: '', mediaType: '' },
  ],
  metadata: JSON.parse('{"__proto__": {"x": 1}, "b": 1, "a": 2}'),
  extensions: ['e'],
  referenceTaskIds: ['r'],
};

const task: Task = {
  id: 't',
  contextId: 'c',
  status: { state: TaskState.TASK_STATE_WORKING, message, timestamp: '2024-01-02T03:04:05.123456789Z' },
  artifacts: [
    { artifactId: 'a', name: AWKWARD, description: '', parts: message.parts, metadata: undefined, extensions: [] },
  ],
  history: [message, { ...message, messageId: 'second' }],
  metadata: { note: AWKWARD },
};

/** What a row of these values answers to a read of everything. */
function rowOf(values: readonly unknown[]): Row {
  const [contextId, , , , status, metadata, history, , artifacts] = values as string[];
  return ['t', contextId, '7', '5', status, metadata, history, artifacts] as Row;
}

describe('a task as a row', () => {
  it('comes back as it was, whatever its texts hold', () => {
    const { values } = encodeTask(task);
    expect(decodeRow(rowOf(values), wholeTask, readMicros)).toStrictEqual({ task, revision: 7, lastUpdatedMicros: 5n });
    expect(JSON.stringify(values)).not.toContain('\\u0000"');
  });

  it('leaves out what is empty, and the ids of the row', () => {
    const plain: Message = {
      ...message,
      messageId: 'm',
      contextId: 'c',
      taskId: 't',
      parts: [{ content: { $case: 'text', value: 'x' }, metadata: undefined, filename: '', mediaType: '' }],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    };
    const history = [plain, { ...plain, contextId: '', taskId: 'another' }];
    const { values } = encodeTask({ ...task, history });
    const parts = '"parts":[{"content":{"$case":"text","value":"x"}}]';
    expect(rowOf(values)[6]).toBe(
      `{"messageId":"m","role":2,${parts}}\n{"messageId":"m","contextId":"","taskId":"another","role":2,${parts}}`,
    );
    expect(decodeRow(rowOf(values), wholeTask, readMicros).task.history).toStrictEqual(history);
    expect(encodeMessage(plain, 't').line).toBe(`{"messageId":"m","contextId":"c","role":2,${parts}}`);
  });

  it('comes back from a row of an earlier release, which left out nothing', () => {
    const { parts, ...rest } = message;
    const [text, raw, ...others] = parts;
    const stored = { ...rest, parts: [text, { ...raw, content: { $case: 'raw', value: 'AP8K' } }, ...others] };
    const row: Row = ['t', 'c', '7', '5', null, null, JSON.stringify(stored), ''];
    expect(decodeRow(row, wholeTask, readMicros).task.history).toStrictEqual([message]);
  });

  it('sends no text that PostgreSQL can not hold', () => {
    const texts = encodeTask(task)
      .values.flat()
      .filter((value) => typeof value === 'string');
    expect(texts.length).toBeGreaterThan(5);
    for (const text of texts) expect(text).not.toMatch(/[\0\p{Surrogate}]/u);
  });

  it('comes back without a status, and without anything else', () => {
    const bare: Task = { id: 't', contextId: '', status: undefined, artifacts: [], history: [], metadata: undefined };
    expect(decodeRow(rowOf(encodeTask(bare).values), wholeTask, readMicros).task).toStrictEqual(bare);
  });

  it('keeps the last messages where only some are asked for', () => {
    const row = rowOf(encodeTask(task).values);
    const { task: cut } = decodeRow(row.slice(0, 7), { artifacts: false, historyLength: 1 }, readMicros);
    expect(cut.history).toStrictEqual([task.history[1]]);
    expect(cut.artifacts).toStrictEqual([]);
  });

  it.each([
    ['a date', new Date(0)],
    ['NaN', Number.NaN],
    ['a bigint', 1n],
    ['bytes', Buffer.from('x')],
  ])('refuses %s in the metadata, which JSON would change', (_, value) => {
    expect(() => encodeTask({ ...task, metadata: { value } })).toThrow(
      expect.objectContaining({ code: 'invalid-argument' }),
    );
  });

  it.each(['', 'a\0b', '\ud800', 'é'.repeat(501)])('refuses the id %j', (id) => {
    expect(() => encodeTask({ ...task, id })).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
  });
});
