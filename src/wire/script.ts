/**
 * A script for tests of the transports: a message may say in its metadata what the agent shall do with a task, so that
 * a harness can choose ids, contents and timestamps through `SendMessage` alone. Only an agent started for it listens.
 */
import { type Message, Task } from '@a2a-js/sdk';
import { parseInstant } from '../store/instant.ts';
import { InvalidArgumentError } from '../task/errors.ts';
import type { Executor } from './executor.ts';
import type { PushConfigs } from './push-configs.ts';

/** The metadata key under which a message carries an instruction. */
export const SCRIPT_KEY = 'pagecheck/script';

/** What a message asks for. Tasks are in their JSON form (A2A 1.0 §5.5). */
export type Instruction =
  | { readonly do: 'create' | 'replace'; readonly task: unknown }
  | { readonly do: 'append' }
  | { readonly do: 'delete' };

/**
 * Follows the instruction of a message and leaves messages without one to `otherwise`. Every instruction goes through
 * the caller's own view of the store, so a script can do nothing to a task that its caller may not access.
 */
export function followScript(otherwise: Executor, pushConfigs: PushConfigs): Executor {
  return async (dispatcher, caller, message) => {
    const instruction = instructionOf(message);
    if (instruction === undefined) return otherwise(dispatcher, caller, message);
    switch (instruction.do) {
      case 'create':
        return (await dispatcher.create(caller, readTask(instruction.task))).task;
      case 'replace':
        return (await dispatcher.replace(caller, readTask(instruction.task))).task;
      case 'append': {
        const metadata = withoutScript(message);
        return (await dispatcher.append(caller, message.taskId, { ...message, metadata })).stored.task;
      }
      case 'delete': {
        const { task } = await dispatcher.get(caller, message.taskId);
        await dispatcher.delete(caller, message.taskId);
        pushConfigs.forget(message.taskId);
        return task;
      }
      default:
        throw new InvalidArgumentError('The script has no such instruction');
    }
  };
}

/** The status timestamp that the metadata of a cancel asks for. Throws `invalid-argument` for one that is not RFC 3339. */
export function chosenTimestamp(metadata: Readonly<Record<string, unknown>> | undefined): { timestamp?: string } {
  const timestamp = metadata?.timestamp;
  if (timestamp === undefined) return {};
  if (typeof timestamp !== 'string' || parseInstant(timestamp) === undefined) {
    throw new InvalidArgumentError('A script timestamp is RFC 3339');
  }
  return { timestamp };
}

function instructionOf(message: Message): Instruction | undefined {
  const instruction: unknown = message.metadata?.[SCRIPT_KEY];
  if (instruction === undefined) return undefined;
  if (typeof instruction !== 'object' || instruction === null) throw new InvalidArgumentError('A script is an object');
  return instruction as Instruction;
}

function readTask(json: unknown): Task {
  if (typeof json !== 'object' || json === null) throw new InvalidArgumentError('A script task is an object');
  const task = Task.fromJSON(json);
  const timestamp = task.status?.timestamp;
  if (timestamp !== undefined && parseInstant(timestamp) === undefined) {
    throw new InvalidArgumentError('A script timestamp is RFC 3339');
  }
  return task;
}

function withoutScript(message: Message): Message['metadata'] {
  const { [SCRIPT_KEY]: _, ...rest } = message.metadata ?? {};
  return Object.keys(rest).length === 0 ? undefined : rest;
}
