import { describe, expect, test } from 'vitest';
import { InvalidArgumentError } from '../task/errors.ts';
import { type Task, TaskState } from '../task/task.ts';
import { readContexts, readExtent, readPageSize, readPredicate } from './filter.ts';

function task(state: TaskState, timestamp?: string): Task {
  const status = { state, message: undefined, timestamp };
  return { id: 't', contextId: 'c', status, artifacts: [], history: [], metadata: undefined };
}

describe('a list request', () => {
  test('has a page size from 1 to 100, 50 where absent', () => {
    expect([readPageSize(undefined), readPageSize(1), readPageSize(100)]).toEqual([50, 1, 100]);
    for (const size of [0, -1, 101, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31]) {
      expect(() => readPageSize(size)).toThrow(InvalidArgumentError);
    }
    expect(() => readPageSize('5' as unknown as number)).toThrow(InvalidArgumentError);
  });

  test('can narrow the contexts of its scope but not widen them', () => {
    expect(readContexts({})).toBeUndefined();
    expect(readContexts({ contextId: '' })).toBeUndefined();
    expect(readContexts({ contextId: 'a' })).toEqual(['a']);
    expect(readContexts({ contextIds: ['a', 'b', 'a'] })).toEqual(['a', 'b']);
    expect(readContexts({ contextIds: ['a', 'b'], contextId: 'b' })).toEqual(['b']);
    expect(readContexts({ contextIds: ['a'], contextId: 'b' })).toEqual([]);
    expect(readContexts({ contextIds: [] })).toEqual([]);
    expect(() => readContexts({ contextId: '\ud800' })).toThrow(InvalidArgumentError);
  });

  test('selects by state, and everything where the state is unspecified', () => {
    expect(readPredicate({})).toBeUndefined();
    expect(readPredicate({ status: TaskState.TASK_STATE_UNSPECIFIED, statusTimestampAfter: '' })).toBeUndefined();
    const working = readPredicate({ status: TaskState.TASK_STATE_WORKING })!;
    expect(working(task(TaskState.TASK_STATE_WORKING))).toBe(true);
    expect(working(task(TaskState.TASK_STATE_FAILED))).toBe(false);
    expect(working({ ...task(TaskState.TASK_STATE_WORKING), status: undefined })).toBe(false);
    expect(() => readPredicate({ status: TaskState.UNRECOGNIZED })).toThrow(InvalidArgumentError);
    expect(() => readPredicate({ status: 99 as TaskState })).toThrow(InvalidArgumentError);
  });

  test('selects status timestamps from an instant on, to the nanosecond', () => {
    const after = readPredicate({ statusTimestampAfter: '2025-01-01T01:00:00.000001+01:00' })!;
    const at = (timestamp?: string) => after(task(TaskState.TASK_STATE_WORKING, timestamp));
    expect(at('2025-01-01T00:00:00.000001Z')).toBe(true);
    expect(at('2025-01-01T00:00:00.000000999Z')).toBe(false);
    expect(at('2025-01-01T00:00:01Z')).toBe(true);
    expect(at('2025-01-01T00:00:00Z')).toBe(false);
    expect(at(undefined)).toBe(false);
    expect(at('soon')).toBe(false);
    expect(() => readPredicate({ statusTimestampAfter: 'soon' })).toThrow(InvalidArgumentError);
  });

  test('combines its filters', () => {
    const both = readPredicate({ status: TaskState.TASK_STATE_FAILED, statusTimestampAfter: '2025-01-01T00:00:00Z' })!;
    expect(both(task(TaskState.TASK_STATE_FAILED, '2025-01-01T00:00:00Z'))).toBe(true);
    expect(both(task(TaskState.TASK_STATE_FAILED, '2024-01-01T00:00:00Z'))).toBe(false);
    expect(both(task(TaskState.TASK_STATE_WORKING, '2025-01-01T00:00:00Z'))).toBe(false);
  });

  test('carries artifacts only where asked for, and history as long as asked for', () => {
    expect(readExtent({})).toEqual({ artifacts: false, historyLength: Number.POSITIVE_INFINITY });
    expect(readExtent({ includeArtifacts: true, historyLength: 0 })).toEqual({ artifacts: true, historyLength: 0 });
    expect(readExtent({ includeArtifacts: true, projection: 'light' })).toEqual({ artifacts: false, historyLength: 0 });
    for (const historyLength of [-1, 0.5, Number.NaN]) {
      expect(() => readExtent({ historyLength })).toThrow(InvalidArgumentError);
    }
  });
});
