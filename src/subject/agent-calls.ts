/** Calls to a running agent, each settled: an answer, a definite error, an unknown outcome, or the end of the run. */
import { setTimeout as wait } from 'node:timers/promises';
import { SubjectFault } from '../run/subject-fault.ts';
import { TaskStoreError, UnknownOutcomeError } from '../task/errors.ts';
import { isTerminal, type Task, TaskState } from '../task/task.ts';
import type { WireClient, WirePage } from '../wire/client.ts';
import { NoTaskError, WireError } from '../wire/wire-error.ts';

/** Statuses by which an agent, or what stands before it, takes no calls: HTTP, then gRPC. */
const turnedAway: ReadonlySet<number> = new Set([401, 403, 429, 502, 503, 504, 7, 8, 14, 16]);

/** Gives the contract's code for an error of an agent. A status stands in where the answer names no reason. */
export function classifyAgentError(error: unknown): string | undefined {
  if (!(error instanceof WireError) || error.code !== undefined) return undefined;
  if (error.transport !== 'http' || typeof error.answer !== 'object') return undefined;
  return { 400: 'invalid-argument', 404: 'not-found', 500: 'internal' }[error.status];
}

/** How long is waited, and for whom. */
export interface AgentPatience {
  /** The agent's address, for the user. */
  readonly name: string;
  /** Milliseconds until a task must have come to rest. */
  readonly settleMs: number;
}

/**
 * Waits until the task is at rest: ended, or waiting for somebody, so that nothing changes behind the harness's back. Gives
 * it as the agent then reads it. Throws a `SubjectFault` where it is still at work in the end.
 */
export async function atRest(client: WireClient, agentId: string, { name, settleMs }: AgentPatience): Promise<Task> {
  const until = performance.now() + settleMs;
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, 250)) {
    const task = await client.get(agentId);
    if (isAtRest(task)) return task;
    if (performance.now() + pauseMs > until)
      throw new SubjectFault(
        'hang',
        `${name}: a task is still at work ${settleMs} ms after its message: give more by --operation-timeout, or an agent that comes to rest sooner`,
      );
    await wait(pauseMs);
  }
}

/** Ended, or waiting for a message or a permission. */
export function isAtRest({ status }: Task): boolean {
  const state = status?.state;
  return (
    isTerminal(state) || state === TaskState.TASK_STATE_INPUT_REQUIRED || state === TaskState.TASK_STATE_AUTH_REQUIRED
  );
}

/**
 * Performs a write. An error that says why it was refused is passed on; after any other the agent may have done it or not,
 * and the outcome is unknown.
 */
export async function settle<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof SubjectFault || error instanceof TaskStoreError) throw error;
    if (error instanceof NoTaskError) throw new SubjectFault('hang', `${name}: ${error.message}`);
    if (!(error instanceof WireError)) throw new UnknownOutcomeError({ cause: error });
    if (isTurnedAway(error)) throw gone(name, error);
    const code = error.code ?? classifyAgentError(error);
    if (code === 'invalid-argument' || code === 'not-found' || code === 'not-cancelable') throw error;
    throw new UnknownOutcomeError({ cause: error });
  }
}

/** Performs a read, a second time where the connection broke; an agent that is gone ends the run. */
export async function reread<T>(name: string, read: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      if (isTurnedAway(error)) throw gone(name, error);
      if (error.code !== 'unknown-outcome') throw error;
      if (attempt > 0) throw gone(name, error);
    }
  }
}

/** Gives a page with the fields that JSON may leave out where they are empty; a missing total stays missing. */
export function wholePage(page: WirePage): WirePage {
  return { ...page, tasks: page.tasks ?? [], nextPageToken: page.nextPageToken ?? '' };
}

/** Tells whether the agent takes no calls of this caller, or none at all for now. */
export function isTurnedAway({ status, code }: WireError): boolean {
  return turnedAway.has(status) && code === undefined;
}

function gone(name: string, { status, message }: WireError): SubjectFault {
  const why = status === 0 ? message : `status ${status}: ${message}`;
  return new SubjectFault(
    'open',
    `${name}: the agent takes no more calls (${why}); what was seen until then is not enough`,
  );
}
