/** What the reference agent does with a message. */
import { randomUUID } from 'node:crypto';
import { type Message, type Task, TaskState } from '@a2a-js/sdk';
import type { Dispatcher } from '../dispatcher/dispatcher.ts';
import { InvalidArgumentError } from '../task/errors.ts';
import { isTerminal } from '../task/task.ts';
import { OWNER_KEY } from './owner-policy.ts';
import { UnsupportedError } from './transport-error.ts';

/** Turns a message of `caller` into a new or a changed task, through the caller's own view of the store. */
export type Executor = (dispatcher: Dispatcher, caller: string, message: Message) => Promise<Task>;

/**
 * Keeps each message: one without a task id becomes a task that waits for more input, one with a task id is appended to
 * that task's history (once for each message id). Rejects with `not-found` for a task that is not there for the
 * caller, with `invalid-argument` where the message names another context than its task's (A2A 1.0 §3.4.3), and as
 * unsupported for a task that has ended.
 */
export const keepMessages: Executor = async (dispatcher, caller, message) => {
  if (message.taskId === '') {
    const contextId = message.contextId || randomUUID();
    const id = randomUUID();
    const { task } = await dispatcher.create(caller, {
      id,
      contextId,
      status: {
        state: TaskState.TASK_STATE_INPUT_REQUIRED,
        message: undefined,
        timestamp: new Date().toISOString(),
      },
      artifacts: [],
      history: [{ ...message, contextId, taskId: id }],
      metadata: { [OWNER_KEY]: caller },
    });
    return task;
  }
  const { task } = await dispatcher.get(caller, message.taskId);
  if (message.contextId !== '' && message.contextId !== task.contextId) {
    throw new InvalidArgumentError("contextId is not that of the message's task");
  }
  if (isTerminal(task.status?.state)) throw new UnsupportedError();
  const { stored } = await dispatcher.append(caller, task.id, { ...message, contextId: task.contextId });
  return stored.task;
};
