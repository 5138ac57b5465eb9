/** Finds out, by a few messages in a context of its own, what a running agent does with messages and cancels. */
import { SubjectFault } from '../run/subject-fault.ts';
import { isTerminal, type Task } from '../task/task.ts';
import type { WireClient } from '../wire/client.ts';
import { NoTaskError, WireError } from '../wire/wire-error.ts';
import { denied, misuse } from './agent-address.ts';
import { type AgentPatience, atRest, isTurnedAway, wholePage } from './agent-calls.ts';
import { type AgentNames, createAgentNames } from './agent-names.ts';
import { UsageError } from './usage-error.ts';

/** What an agent can be asked for. */
export interface AgentManners {
  /** A message continues a task that has not ended. */
  readonly appends: boolean;
  /** The agent knows how to cancel. */
  readonly cancels: boolean;
}

/**
 * Asks. Throws a `UsageError` where the run could decide nothing: no task for a message, one task for two, contexts or
 * lists that do not keep this run's tasks apart from the agent's other ones, or errors throughout.
 */
export async function probeAgent(client: WireClient, patience: AgentPatience): Promise<AgentManners> {
  const { name } = patience;
  const names = createAgentNames();
  const first = await told(name, 'SendMessage', () => client.send(names.message('m0')));
  const rested = await told(name, 'GetTask', () => atRest(client, first.id, patience));
  if (rested.contextId !== names.context)
    throw misuse(name, 'puts a task into another context than its message names', 'certify one that keeps to it');
  await told(name, 'ListTasks', () => checkLists(client, names, first, name));
  const second = await told(name, 'SendMessage', () => client.send(names.message('m1')));
  if (second.id === first.id)
    throw misuse(
      name,
      'takes two messages without a task for one task',
      'certify an agent that makes a task of each',
      3,
    );
  const settled = await told(name, 'GetTask', () => atRest(client, second.id, patience));
  const appends = !isTerminal(rested.status?.state) && (await continues(client, names, rested));
  if (appends) await told(name, 'GetTask', () => atRest(client, rested.id, patience));
  return { appends, cancels: await cancels(client, settled) };
}

/** A run that can't be kept apart from the agent's other tasks would touch and judge what is not its own. */
async function checkLists(client: WireClient, names: AgentNames, own: Task, name: string): Promise<void> {
  const list = async (contextId: string) => wholePage(await client.list({ contextId, pageSize: 100 })).tasks;
  const strangers = [
    ...(await list(names.context)).filter(({ id }) => id !== own.id),
    ...(await list(names.contextOf('unused'))),
  ];
  if (strangers.length === 0) return;
  throw misuse(
    name,
    'lists tasks of other contexts where one context is asked for (FILTER-1)',
    "mend that first: else this run's tasks can't be told from the agent's other ones",
  );
}

async function continues(client: WireClient, names: AgentNames, task: Task): Promise<boolean> {
  try {
    return (await client.send(names.message('m2', task.id))).id === task.id;
  } catch (error) {
    if (error instanceof WireError || error instanceof NoTaskError) return false;
    throw error;
  }
}

/** A refusal is an answer; only an agent that knows no cancel at all gives neither a task nor the reason. */
async function cancels(client: WireClient, task: Task): Promise<boolean> {
  try {
    await client.cancel(task.id);
    return true;
  } catch (error) {
    if (error instanceof WireError) return error.code === 'not-cancelable';
    throw error;
  }
}

/** Tells the user in one line what the first calls of a run came to. */
async function told<T>(name: string, method: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw explained(name, method, error);
  }
}

function explained(name: string, method: string, error: unknown): unknown {
  if (error instanceof NoTaskError)
    return misuse(name, 'answers a message with a message and no task', 'certify an agent that makes tasks', 3);
  if (error instanceof SubjectFault || error instanceof UsageError) return error;
  if (!(error instanceof WireError)) return unreadable(name, method);
  const { status, message } = error;
  if ([401, 403, 7, 16].includes(status) && isTurnedAway(error)) return denied(name, status);
  if (error.code === 'unknown-outcome')
    return misuse(
      name,
      `gives no answer to ${method} over ${error.transport}`,
      'see that the address on its card is right',
    );
  return misuse(
    name,
    `answers ${method} with an error (${status}: ${firstLine(message)})`,
    'make that call work first',
  );
}

function unreadable(name: string, method: string): UsageError {
  return misuse(name, `answers ${method} with something that is none of A2A 1.0`, 'make that call work first');
}

function firstLine(text: string): string {
  return text.split('\n')[0]?.slice(0, 200) ?? '';
}
