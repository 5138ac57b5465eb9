import { describe, expect, it } from 'vitest';
import { modelOptions } from '../check/check.ts';
import { observe } from '../check/world.ts';
import type { Program, Step } from '../history/program.ts';
import { defineSubject, type Subject } from '../subject/subject.ts';
import { type Task, TaskState } from '../task/task.ts';
import { runSequentially } from './sequential.ts';

const now = '2030-01-02T03:04:05.678901Z';

/** Decides itself what its tasks are: they wait from the start, and one message ends them. */
function decider(): Subject {
  return defineSubject({
    name: 'decider',
    capabilities: { agent: true },
    open: async () => {
      const held = new Map<string, Task>();
      const put = (task: Task, state: TaskState) => {
        const decided = { ...task, metadata: undefined, status: { state, message: undefined, timestamp: now } };
        held.set(task.id, decided);
        return { task: decided };
      };
      return {
        create: async (task) => put(task, TaskState.TASK_STATE_INPUT_REQUIRED),
        append: async (id, message) => {
          const task = held.get(id)!;
          return put({ ...task, history: [...task.history, message] }, TaskState.TASK_STATE_COMPLETED);
        },
        list: async () => ({ tasks: [...held.values()], nextPageToken: '', totalSize: held.size }),
      };
    },
  });
}

async function run(steps: readonly Step[], subject: Subject = decider()) {
  const program: Program = { version: 1, scenario: 'test', tasks: { A: 'a' }, clients: [steps] };
  return runSequentially(subject, program, { operationTimeoutMs: 2_000 });
}

const create: Step = { op: 'create', task: 'A', content: { state: 'WORKING', note: 'asked' } };
const append = (message: string): Step => ({ op: 'append', task: 'A', message });

describe('a write that says what the task is', () => {
  it('leaves just that, in the history and in the world', async () => {
    const subject = decider();
    const history = await run([create, append('m1')], subject);
    const { versions } = observe(history, modelOptions(subject.capabilities));
    expect(versions.map(({ contents }) => contents)).toMatchObject([
      { state: 'INPUT_REQUIRED', timestamp: now, note: '', history: [] },
      { state: 'COMPLETED', timestamp: now, note: '', history: ['m1'] },
    ]);
    expect(versions.map(({ hasOpenTime }) => hasOpenTime)).toEqual([false, false]);
  });

  it('decides what a message may still be sent to', async () => {
    const { entries } = await run([append('m0'), create, append('m1'), append('m2')]);
    expect(entries.map(({ operation }) => operation.op)).toEqual(['create', 'append']);
  });
});

describe("a filter by a task's own time", () => {
  it('is that time to the millisecond, as its last write left it', async () => {
    const { entries } = await run([create, { op: 'first', walk: 'w', filter: { after: '=A' } }]);
    expect(entries[1]?.operation).toMatchObject({ op: 'list', filter: { after: '2030-01-02T03:04:05.678Z' } });
  });

  it('has no meaning where the task has none', async () => {
    expect((await run([{ op: 'first', walk: 'w', filter: { after: '=A' } }])).entries).toEqual([]);
  });
});
