import { describe, expect, test } from 'vitest';
import { InvalidArgumentError } from '../task/errors.ts';
import { type Message, type Task, TaskState } from '../task/task.ts';
import { copyTask, lightTask } from './task-copy.ts';

function message(messageId: string): Message {
  return {
    messageId,
    contextId: 'c',
    taskId: 't',
    role: 1,
    parts: [
      { content: { $case: 'text', value: 'hello' }, metadata: { a: [1, { b: null }] }, filename: '', mediaType: '' },
      { content: { $case: 'raw', value: Buffer.from([0, 255]) }, metadata: undefined, filename: 'f', mediaType: 'm' },
      { content: { $case: 'url', value: 'https://x' }, metadata: undefined, filename: '', mediaType: '' },
      { content: { $case: 'data', value: { deep: [['x']] } }, metadata: undefined, filename: '', mediaType: '' },
      { content: undefined, metadata: undefined, filename: '', mediaType: '' },
    ],
    metadata: { k: 'v' },
    extensions: ['e'],
    referenceTaskIds: ['r'],
  };
}

function task(): Task {
  const parts = message('p').parts;
  return {
    id: 't',
    contextId: 'c',
    status: { state: TaskState.TASK_STATE_WORKING, message: message('s'), timestamp: '2025-01-01T00:00:00Z' },
    artifacts: [{ artifactId: 'a', name: 'n', description: 'd', parts, metadata: { x: 1 }, extensions: ['e'] }],
    history: [message('m1'), message('m2'), message('m3')],
    metadata: JSON.parse('{"__proto__":{"own":true},"n":1.5,"b":false,"nested":{"constructor":"x"}}'),
  };
}

/** Every object that can be reached from a value. */
function objectsOf(value: unknown, found: Set<object> = new Set()): Set<object> {
  if (typeof value !== 'object' || value === null || found.has(value)) return found;
  found.add(value);
  for (const key of Object.getOwnPropertyNames(value))
    objectsOf(Object.getOwnPropertyDescriptor(value, key)?.value, found);
  return found;
}

describe('a copy of a task', () => {
  test('equals it and shares no object with it', () => {
    const original = task();
    const copy = copyTask(original);
    expect(copy).toStrictEqual(original);
    const mine = objectsOf(original);
    const shared = [...objectsOf(copy)].filter((object) => mine.has(object));
    expect(shared).toEqual([]);
  });

  test('keeps an own key named __proto__ and sets no prototype', () => {
    const metadata = copyTask(task()).metadata as object;
    expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype);
    expect(JSON.stringify(metadata)).toBe(JSON.stringify(task().metadata));
  });

  test('does not move when the bytes of the original do', () => {
    const original = task();
    const copy = copyTask(original);
    const raw = original.history[0]!.parts[1]!.content as { value: Buffer };
    raw.value.fill(7);
    expect(copy.history[0]!.parts[1]!.content).toEqual({ $case: 'raw', value: Buffer.from([0, 255]) });
  });

  test('carries no more than its extent asks for', () => {
    const light = copyTask(task(), lightTask);
    expect(light).toStrictEqual({ ...task(), artifacts: [], history: [] });
    const ids = (historyLength: number) =>
      copyTask(task(), { artifacts: true, historyLength }).history.map(({ messageId }) => messageId);
    expect(ids(0)).toEqual([]);
    expect(ids(2)).toEqual(['m2', 'm3']);
    expect(ids(3)).toEqual(['m1', 'm2', 'm3']);
    expect(ids(9)).toEqual(['m1', 'm2', 'm3']);
  });

  test('clones what JSON does not know, and refuses what is no data', () => {
    const dated = { ...task(), metadata: { at: new Date(5), bytes: new Uint8Array([1]) } };
    expect(copyTask(dated).metadata).toStrictEqual(dated.metadata);
    expect(copyTask(dated).metadata!.at).not.toBe(dated.metadata.at);
    expect(() => copyTask({ ...task(), metadata: { f: () => 1 } })).toThrow(InvalidArgumentError);
  });
});
