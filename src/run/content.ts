/** Between the harness's `Contents` and the SDK's `Task`: every version of a task is written so that it can be told. */
import { Role } from '@a2a-js/sdk';
import { sameInstant } from '../../models/instant.ts';
import type { Contents } from '../history/history.ts';
import type { Content, StateName } from '../history/program.ts';
import { type Artifact, type Message, type Task, TaskState } from '../task/task.ts';

/** What a scribbled-over object carries, so that a store that shares objects is caught by its own answer (STORE-2). */
export const tamperMark = 'tampered';

const names: readonly (readonly [StateName, TaskState])[] = [
  ['UNSPECIFIED', TaskState.TASK_STATE_UNSPECIFIED],
  ['SUBMITTED', TaskState.TASK_STATE_SUBMITTED],
  ['WORKING', TaskState.TASK_STATE_WORKING],
  ['COMPLETED', TaskState.TASK_STATE_COMPLETED],
  ['FAILED', TaskState.TASK_STATE_FAILED],
  ['CANCELED', TaskState.TASK_STATE_CANCELED],
  ['INPUT_REQUIRED', TaskState.TASK_STATE_INPUT_REQUIRED],
  ['REJECTED', TaskState.TASK_STATE_REJECTED],
  ['AUTH_REQUIRED', TaskState.TASK_STATE_AUTH_REQUIRED],
];
const stateByName = new Map(names);
const nameByState = new Map(names.map(([name, state]) => [state, name]));

/** Gives the wire's state for a program's state name. */
export function stateOf(name: StateName | 'UNRECOGNIZED'): TaskState {
  return name === 'UNRECOGNIZED' ? TaskState.UNRECOGNIZED : (stateByName.get(name) as TaskState);
}

/** Completes a program's content with the harness's defaults. */
export function contentsFor(id: string, content: Content | undefined, note: string): Contents {
  const { context = 'ctx', state = 'WORKING', history = none, artifacts = none, timestamp } = content ?? plain;
  const { note: own = note } = content ?? plain;
  if (timestamp === undefined) return { id, context, state, history, artifacts, note: own };
  return { id, context, state, timestamp, history, artifacts, note: own };
}

const plain: Content = {};
const none: readonly string[] = [];

/** Builds the message that the harness writes under an id; its text repeats the id, so that a loss shows. */
export function messageOf(messageId: string, task: { readonly id: string; readonly context: string }): Message {
  return {
    messageId,
    contextId: task.context,
    taskId: task.id,
    role: Role.ROLE_USER,
    parts: [
      { content: { $case: 'text', value: messageId }, metadata: undefined, filename: '', mediaType: 'text/plain' },
    ],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

function artifactOf(artifactId: string): Artifact {
  return {
    artifactId,
    name: artifactId,
    description: '',
    parts: [
      { content: { $case: 'text', value: artifactId }, metadata: undefined, filename: '', mediaType: 'text/plain' },
    ],
    metadata: undefined,
    extensions: [],
  };
}

/** Builds the task that is sent to the subject. Every call gives a new object. */
export function taskOf(contents: Contents): Task {
  return {
    id: contents.id,
    contextId: contents.context,
    status: { state: stateOf(contents.state), message: undefined, timestamp: contents.timestamp },
    history: contents.history.map((message) => messageOf(message, contents)),
    artifacts: contents.artifacts.map(artifactOf),
    metadata: { note: contents.note },
  };
}

/** Reads a task that the subject answered. Throws a `TypeError` naming the field where it is no task. */
export function contentsOf(task: unknown): Contents {
  if (typeof task !== 'object' || task === null) throw new TypeError(`a task is ${describe(task)}`);
  const { id, contextId, status, history, artifacts, metadata } = task as Partial<Task>;
  if (typeof id !== 'string') throw new TypeError(`a task's id is ${describe(id)}, not a string`);
  const timestamp = status?.timestamp;
  const note = metadata?.note;
  return {
    id,
    context: typeof contextId === 'string' ? contextId : '',
    state: nameByState.get(status?.state ?? TaskState.TASK_STATE_UNSPECIFIED) ?? 'UNRECOGNIZED',
    ...(typeof timestamp === 'string' && timestamp !== '' ? { timestamp } : {}),
    history: (history ?? []).map((message) => marked(message.messageId, message.parts)),
    artifacts: (artifacts ?? []).map((artifact) => marked(artifact.artifactId, artifact.parts)),
    note: typeof note === 'string' ? note : '',
  };
}

/** Tells whether a task that the subject answered is these contents, artifacts aside; what is no task is not. */
export function showsContents(task: Task, contents: Contents): boolean {
  const { status, history, metadata } = task;
  if (task.id !== contents.id || task.contextId !== contents.context || metadata?.note !== contents.note) return false;
  if (status?.state !== stateByName.get(contents.state as StateName)) return false;
  if (status?.timestamp !== contents.timestamp && !sameInstant(status?.timestamp || undefined, contents.timestamp))
    return false;
  if (!Array.isArray(history) || history.length !== contents.history.length) return false;
  for (let at = 0; at < history.length; at++) {
    const { messageId, parts } = history[at] as Message;
    if (messageId !== contents.history[at] || marked(messageId, parts) !== messageId) return false;
  }
  return true;
}

function marked(id: string, parts: Message['parts'] | undefined): string {
  const content = parts?.[0]?.content;
  return content?.$case === 'text' && content.value === id ? id : `${id}!`;
}

/** Scribbles over every part of a task that a store might share with its caller; a frozen part is out of its reach. */
export function tamper(task: Task): void {
  try {
    scribble(task);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

function scribble(task: Task): void {
  if (task.metadata !== undefined) task.metadata.note = tamperMark;
  else task.metadata = { note: tamperMark };
  if (task.status !== undefined) task.status.state = TaskState.TASK_STATE_REJECTED;
  for (const message of task.history ?? []) message.messageId = tamperMark;
  task.history?.push(messageOf(tamperMark, { id: task.id, context: task.contextId }));
  for (const artifact of task.artifacts ?? []) artifact.artifactId = tamperMark;
  task.contextId = tamperMark;
}

function describe(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value;
}
