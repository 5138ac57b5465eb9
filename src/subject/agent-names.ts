/** Between the names of a program and those of an agent: ids, contexts and messages, both ways. */
import { randomUUID } from 'node:crypto';
import { Role } from '@a2a-js/sdk';
import type { Message, Task } from '../task/task.ts';

/** The context in which a program's tasks stand, under the harness's default name. */
const OWN_CONTEXT = 'ctx';

/** Names of one open store. Every one that goes to the agent is new in the world, or the agent's own. */
export interface AgentNames {
  /** The one context in which tasks are made. */
  readonly context: string;
  /** The agent's id for a program's; undefined where the program has made no such task. */
  idOf(id: string): string | undefined;
  /** Tells whether the agent's id belongs to a task of this program. */
  knows(agentId: string): boolean;
  /** Remembers which task the agent made for a program's id. */
  learn(id: string, agentId: string): void;
  /** The agent's context for a filter; for any but the program's own one that nobody uses. */
  contextOf(context: string | undefined): string;
  /** A message with an id of its own; of a new task where `agentId` is absent. */
  message(name: string, agentId?: string): Message;
  /** The task as the program knows it. What is not of this program keeps the agent's names. */
  toProgram(task: Task): Task;
}

/** Makes the names of a fresh store: its context is random, so that the agent holds nothing in it. */
export function createAgentNames(): AgentNames {
  const context = `pagecheck-${randomUUID()}`;
  const ids = new Map<string, string>();
  const programIds = new Map<string, string>();
  const messages = new Map<string, string>();
  const named = (message: Message): Message => {
    const name = messages.get(message.messageId);
    return name === undefined ? message : { ...message, messageId: name };
  };
  return {
    context,
    idOf: (id) => ids.get(id),
    knows: (agentId) => programIds.has(agentId),
    learn(id, agentId) {
      ids.set(id, agentId);
      programIds.set(agentId, id);
    },
    contextOf: (name) =>
      name === undefined || name === '' || name === OWN_CONTEXT
        ? context
        : `${context}-${Buffer.from(name).toString('hex')}`,
    message(name, agentId = '') {
      const messageId = randomUUID();
      messages.set(messageId, name);
      return {
        messageId,
        contextId: context,
        taskId: agentId,
        role: Role.ROLE_USER,
        parts: [
          { content: { $case: 'text', value: name }, metadata: undefined, filename: '', mediaType: 'text/plain' },
        ],
        metadata: undefined,
        extensions: [],
        referenceTaskIds: [],
      };
    },
    toProgram: (task) => ({
      ...task,
      id: programIds.get(task.id) ?? task.id,
      contextId: task.contextId === context ? OWN_CONTEXT : task.contextId,
      history: (task.history ?? []).map(named),
    }),
  };
}
