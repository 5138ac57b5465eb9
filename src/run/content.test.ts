import { describe, expect, it } from 'vitest';
import type { Contents } from '../history/history.ts';
import { TaskState } from '../task/task.ts';
import { contentsFor, contentsOf, messageOf, tamper, tamperMark, taskOf } from './content.ts';

const whole: Contents = {
  id: 'a\0\u{1f600}',
  context: 'd',
  state: 'INPUT_REQUIRED',
  timestamp: '2001-01-01T00:00:00.5Z',
  history: ['m1', 'm2'],
  artifacts: ['r1'],
  note: 'n',
};

describe('contents', () => {
  it('are what they were after a task of them', () => {
    expect(contentsOf(taskOf(whole))).toEqual(whole);
    expect(contentsOf(taskOf(contentsFor('a', undefined, 'n')))).toEqual(contentsFor('a', undefined, 'n'));
  });

  it('take defaults for what a program does not say', () => {
    expect(contentsFor('a', { state: 'FAILED' }, '0.3')).toEqual({
      id: 'a',
      context: 'ctx',
      state: 'FAILED',
      history: [],
      artifacts: [],
      note: '0.3',
    });
  });

  it('mark a message and an artifact whose text is not their own', () => {
    const task = taskOf(whole);
    task.history[1] = { ...messageOf('m2', whole), parts: [] };
    task.artifacts[0] = { ...task.artifacts[0]!, artifactId: 'r2' };
    expect(contentsOf(task)).toMatchObject({ history: ['m1', 'm2!'], artifacts: ['r2!'] });
  });

  it('of a bare task are empty', () => {
    expect(contentsOf({ id: 'a' })).toEqual({
      id: 'a',
      context: '',
      state: 'UNSPECIFIED',
      history: [],
      artifacts: [],
      note: '',
    });
  });

  it('do not take an unknown state for a known one', () => {
    expect(contentsOf({ id: 'a', status: { state: 77 } }).state).toBe('UNRECOGNIZED');
  });
});

describe('tampering', () => {
  it('reaches every part that a store might share', () => {
    const task = taskOf(whole);
    tamper(task);
    expect(task).toMatchObject({ contextId: tamperMark, metadata: { note: tamperMark } });
    expect(task.status?.state).toBe(TaskState.TASK_STATE_REJECTED);
    expect(contentsOf(task)).toMatchObject({ note: tamperMark, context: tamperMark });
    expect(task.history.map(({ messageId }) => messageId)).toEqual([tamperMark, tamperMark, tamperMark]);
    expect(task.artifacts.map(({ artifactId }) => artifactId)).toEqual([tamperMark]);
  });

  it('leaves a frozen task alone', () => {
    const task = taskOf(whole);
    Object.freeze(task.metadata);
    Object.freeze(task);
    expect(() => tamper(task)).not.toThrow();
    expect(contentsOf(task)).toEqual(whole);
  });
});
