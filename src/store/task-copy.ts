/**
 * Deep copies of tasks, written by hand for the known shape: no object of a copy is shared with its original (STORE-2).
 * A page is mostly copying, and `structuredClone` takes ten times as long for the same tasks (`npm run bench`).
 */
import { InvalidArgumentError } from '../task/errors.ts';
import type { Artifact, Message, Task } from '../task/task.ts';

type Part = Message['parts'][number];
type Metadata = Task['metadata'];

/** Which parts of a task a copy carries; a part left out is an empty list. */
export interface CopyExtent {
  readonly artifacts: boolean;
  /** How many of the most recent messages; `Infinity` for all. */
  readonly historyLength: number;
}

/** Everything that a task holds. */
export const wholeTask: CopyExtent = { artifacts: true, historyLength: Number.POSITIVE_INFINITY };

/** The light projection: neither history nor artifacts (AUTH-7). */
export const lightTask: CopyExtent = { artifacts: false, historyLength: 0 };

/**
 * Copies a task, in the given extent; fields that the wire type does not have are dropped. Costs time and memory in
 * proportion to what is copied. Throws `invalid-argument` for metadata or data that no message can carry (functions).
 */
export function copyTask(task: Task, extent: CopyExtent = wholeTask): Task {
  const { status, history } = task;
  return {
    id: task.id,
    contextId: task.contextId,
    status: status && {
      state: status.state,
      message: status.message && copyMessage(status.message),
      timestamp: status.timestamp,
    },
    artifacts: extent.artifacts ? task.artifacts.map(copyArtifact) : [],
    history: (extent.historyLength < history.length ? lastOf(history, extent.historyLength) : history).map(copyMessage),
    metadata: copyMetadata(task.metadata),
  };
}

/** Copies one message, as `copyTask` does. */
export function copyMessage(message: Message): Message {
  return {
    messageId: message.messageId,
    contextId: message.contextId,
    taskId: message.taskId,
    role: message.role,
    parts: message.parts.map(copyPart),
    metadata: copyMetadata(message.metadata),
    extensions: message.extensions.slice(),
    referenceTaskIds: message.referenceTaskIds.slice(),
  };
}

/** `slice(-0)` is everything, and here it must be nothing. */
function lastOf(history: readonly Message[], length: number): readonly Message[] {
  return length === 0 ? [] : history.slice(-length);
}

function copyArtifact(artifact: Artifact): Artifact {
  return {
    artifactId: artifact.artifactId,
    name: artifact.name,
    description: artifact.description,
    parts: artifact.parts.map(copyPart),
    metadata: copyMetadata(artifact.metadata),
    extensions: artifact.extensions.slice(),
  };
}

function copyPart(part: Part): Part {
  return {
    content: part.content && copyContent(part.content),
    metadata: copyMetadata(part.metadata),
    filename: part.filename,
    mediaType: part.mediaType,
  };
}

function copyContent(content: NonNullable<Part['content']>): NonNullable<Part['content']> {
  switch (content.$case) {
    case 'raw':
      return { $case: 'raw', value: Buffer.from(content.value) };
    case 'data':
      return { $case: 'data', value: copyJson(content.value) };
    default:
      return { $case: content.$case, value: content.value };
  }
}

function copyMetadata(metadata: Metadata): Metadata {
  return metadata && (copyJson(metadata) as Metadata);
}

/** Copies a JSON value. What JSON does not know but can be cloned (a date, bytes) is cloned; a function is refused. */
function copyJson(value: unknown): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') {
    throw new InvalidArgumentError('A task holds plain data only');
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return structuredClone(value);
  const source = value as Record<string, unknown>;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(source)) {
    // A plain assignment to this key would set the copy's prototype and lose the entry.
    if (key === '__proto__') define(copy, key, copyJson(source[key]));
    else copy[key] = copyJson(source[key]);
  }
  return copy;
}

function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
