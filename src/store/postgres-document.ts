/**
 * A task as the columns of a row, without loss, and back.
 *
 * Messages, artifacts, metadata and status are JSON in `text` columns, one line a message or artifact. Neither `jsonb`
 * nor `json` would do: `jsonb` keeps neither the order of keys nor the spelling of numbers nor U+0000, and both are read
 * by the server at each access. In JSON text U+0000 and lone surrogates are escapes, so every string of a document
 * survives; only ids, which are columns of their own, have limits. A line break inside JSON is an escape, too: that is
 * what lets an append add one line without reading the rest. Half of a page's cost is its text, so a field is left out
 * where it is empty, and a message's task and context id where they are the row's; they are put back when it is read.
 */
import { InvalidArgumentError } from '../task/errors.ts';
import { type Artifact, type Message, type StoredTask, type Task, TaskState } from '../task/task.ts';
import { parseInstant } from './instant.ts';
import { checkStorableContext, checkTaskId } from './postgres-ids.ts';
import { type CopyExtent, copyMessage, copyTask } from './task-copy.ts';

type Part = Message['parts'][number];
type Status = NonNullable<Task['status']>;

/** As it is in JSON. */
type Slim<T> = { readonly [Field in keyof T]?: T[Field] | undefined };
type SlimPart = Slim<Part>;
type SlimMessage = Slim<Omit<Message, 'parts'>> & { readonly parts: readonly SlimPart[] };
type SlimArtifact = Slim<Omit<Artifact, 'parts'>> & { readonly parts: readonly SlimPart[] };
/** The ids of the row that a message is in; the context's where it is known. */
type RowIds = { readonly id: string; readonly contextId: string | undefined };
type SlimStatus = Omit<Status, 'message'> & { readonly message: SlimMessage | undefined };

/** The values of one row, in the order of `documentColumns`, after the id. */
export type DocumentValues = readonly unknown[];

/** The columns that hold a task's contents, in the order of `DocumentValues`. */
export const documentColumns = [
  'context_id',
  'status_state',
  'status_seconds',
  'status_nanos',
  'status',
  'metadata',
  'history',
  'message_ids',
  'artifacts',
] as const;

/** Copies the task and gives its id and row values. Throws `invalid-argument` for what can't be kept. */
export function encodeTask(task: Task): { readonly id: string; readonly values: DocumentValues; readonly copy: Task } {
  checkTaskId(task.id);
  checkStorableContext(task.contextId);
  const copy = copyTask(task);
  const values = [
    copy.contextId,
    ...encodeStatus(copy.status, copy),
    copy.metadata === undefined ? null : toJson(copy.metadata),
    copy.history.map((message) => messageLine(message, copy)).join('\n'),
    copy.history.map((message) => messageKey(message.messageId)),
    copy.artifacts.map((artifact) => toJson(slimArtifact(artifact))).join('\n'),
  ];
  return { id: copy.id, values, copy };
}

/** Gives the four status columns: state, seconds and nanoseconds of its timestamp, and the status itself as JSON. */
export function encodeStatus(
  status: Status | undefined,
  row: RowIds,
): [number, number | null, number | null, string | null] {
  if (status === undefined) return [TaskState.TASK_STATE_UNSPECIFIED, null, null, null];
  const instant = parseInstant(status.timestamp ?? '');
  const { message } = status;
  const json = toJson({ ...status, message: message && slimMessage(message, row) });
  return [status.state, instant?.seconds ?? null, instant?.nanos ?? null, json];
}

/** Copies a message of a task and gives its line of the history and the key by which it is known again. */
export function encodeMessage(message: Message, taskId: string): { readonly line: string; readonly key: string } {
  return {
    line: messageLine(copyMessage(message), { id: taskId, contextId: undefined }),
    key: messageKey(message.messageId),
  };
}

/** One row as a statement answers it, in the order of `rowColumns`: texts, null where the column is. */
export type Row = readonly (string | null)[];

/** The columns that a read asks for; what the extent leaves out is not even sent. */
export function rowColumns(extent: CopyExtent, micros: string): string[] {
  const columns = ['t.id', 't.context_id', 't.revision', micros, 't.status', 't.metadata'];
  if (extent.historyLength > 0) columns.push('t.history');
  if (extent.artifacts) columns.push('t.artifacts');
  return columns;
}

/** Reads a row that was asked for with `rowColumns` of the same extent. */
export function decodeRow(row: Row, extent: CopyExtent, readMicros: (text: string) => bigint): StoredTask {
  const [id, contextId, revision, micros, status, metadata] = row as [string, string, string, string, ...Row];
  const ids = { id, contextId };
  const hasHistory = extent.historyLength > 0;
  const history = hasHistory ? lines(row[6], extent.historyLength) : [];
  const artifacts = extent.artifacts ? lines(row[hasHistory ? 7 : 6], Number.POSITIVE_INFINITY) : [];
  return {
    task: {
      id,
      contextId,
      status: status ? readStatus(JSON.parse(status), ids) : undefined,
      artifacts: (artifacts as SlimArtifact[]).map(readArtifact),
      history: (history as SlimMessage[]).map((message) => readMessage(message, ids)),
      metadata: metadata ? JSON.parse(metadata) : undefined,
    },
    revision: Number(revision),
    lastUpdatedMicros: readMicros(micros),
  };
}

/** JSON text of a message id: like the id itself, but a text that PostgreSQL can hold, whatever the id. */
function messageKey(messageId: string): string {
  return JSON.stringify(messageId);
}

function messageLine(message: Message, row: RowIds): string {
  return toJson(slimMessage(message, row));
}

/** The last `count` lines of a column, parsed. Lines that are cut off are not parsed. */
function lines(text: string | null | undefined, count: number): unknown[] {
  if (!text) return [];
  if (count === Number.POSITIVE_INFINITY) return JSON.parse(`[${text.replaceAll('\n', ',')}]`);
  return text
    .split('\n')
    .slice(-count)
    .map((line) => JSON.parse(line));
}

function slimMessage(message: Message, row: RowIds): SlimMessage {
  return {
    messageId: message.messageId,
    contextId: message.contextId === row.contextId ? undefined : message.contextId,
    taskId: message.taskId === row.id ? undefined : message.taskId,
    role: message.role,
    parts: message.parts.map(slimPart),
    metadata: message.metadata,
    extensions: filled(message.extensions),
    referenceTaskIds: filled(message.referenceTaskIds),
  };
}

function slimArtifact(artifact: Artifact): SlimArtifact {
  return {
    artifactId: artifact.artifactId,
    name: filled(artifact.name),
    description: filled(artifact.description),
    parts: artifact.parts.map(slimPart),
    metadata: artifact.metadata,
    extensions: filled(artifact.extensions),
  };
}

/** Bytes become base64 text; the part's case says which it is. */
function slimPart({ content, metadata, filename, mediaType }: Part): SlimPart {
  const raw = content?.$case === 'raw' && { $case: 'raw', value: Buffer.from(content.value).toString('base64') };
  return {
    content: (raw || content) as Part['content'],
    metadata,
    filename: filled(filename),
    mediaType: filled(mediaType),
  };
}

function filled<T extends string | readonly unknown[]>(value: T): T | undefined {
  return value.length === 0 ? undefined : value;
}

function readStatus({ state, message, timestamp }: SlimStatus, row: Pick<Task, 'id' | 'contextId'>): Status {
  return { state, message: message && readMessage(message, row), timestamp };
}

function readMessage(message: SlimMessage, row: Pick<Task, 'id' | 'contextId'>): Message {
  return {
    messageId: message.messageId as string,
    contextId: message.contextId ?? row.contextId,
    taskId: message.taskId ?? row.id,
    role: message.role as Message['role'],
    parts: message.parts.map(readPart),
    metadata: message.metadata,
    extensions: message.extensions ?? [],
    referenceTaskIds: message.referenceTaskIds ?? [],
  };
}

function readArtifact(artifact: SlimArtifact): Artifact {
  return {
    artifactId: artifact.artifactId as string,
    name: artifact.name ?? '',
    description: artifact.description ?? '',
    parts: artifact.parts.map(readPart),
    metadata: artifact.metadata,
    extensions: artifact.extensions ?? [],
  };
}

function readPart({ content, metadata, filename = '', mediaType = '' }: SlimPart): Part {
  if (content?.$case === 'raw') content.value = Buffer.from(content.value as unknown as string, 'base64');
  return { content, metadata, filename, mediaType };
}

/** Throws `invalid-argument` for what JSON would silently change: dates, bytes, NaN, bigints. */
function toJson(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key: string, shown: unknown) {
    const own = this[key];
    const prototype =
      typeof own === 'object' && own !== null && !Array.isArray(own) ? Object.getPrototypeOf(own) : null;
    const plain = prototype === null || prototype === Object.prototype;
    if (!plain || typeof own === 'bigint' || (typeof own === 'number' && !Number.isFinite(own))) {
      throw new InvalidArgumentError('A task holds JSON values only');
    }
    return shown;
  });
}
