/**
 * A task as the columns of a row, without loss, and back.
 *
 * Messages, artifacts, metadata and status are JSON in `text` columns, one line a message or artifact. Neither `jsonb`
 * nor `json` would do: `jsonb` keeps neither the order of keys nor the spelling of numbers nor U+0000, and both are read
 * by the server at each access. In JSON text U+0000 and lone surrogates are escapes, so every string of a document
 * survives; only ids, which are columns of their own, have limits. A line break inside JSON is an escape, too: that is
 * what lets an append add one line without reading the rest.
 */
import { InvalidArgumentError } from '../task/errors.ts';
import { type Artifact, type Message, type StoredTask, type Task, TaskState } from '../task/task.ts';
import { parseInstant } from './instant.ts';
import { checkStorableContext, checkTaskId } from './postgres-ids.ts';
import { type CopyExtent, copyMessage, copyTask } from './task-copy.ts';

type Part = Message['parts'][number];
type Status = NonNullable<Task['status']>;

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
    ...encodeStatus(copy.status),
    copy.metadata === undefined ? null : toJson(copy.metadata),
    copy.history.map(messageLine).join('\n'),
    copy.history.map((message) => messageKey(message.messageId)),
    copy.artifacts.map((artifact) => toJson({ ...artifact, parts: artifact.parts.map(bytesToText) })).join('\n'),
  ];
  return { id: copy.id, values, copy };
}

/** Gives the four status columns: state, seconds and nanoseconds of its timestamp, and the status itself as JSON. */
export function encodeStatus(status: Status | undefined): [number, number | null, number | null, string | null] {
  if (status === undefined) return [TaskState.TASK_STATE_UNSPECIFIED, null, null, null];
  const instant = parseInstant(status.timestamp ?? '');
  const { message } = status;
  const json = toJson({ ...status, message: message && { ...message, parts: message.parts.map(bytesToText) } });
  return [status.state, instant?.seconds ?? null, instant?.nanos ?? null, json];
}

/** Copies a message and gives its line of the history and the key by which it is known again. */
export function encodeMessage(message: Message): { readonly line: string; readonly key: string } {
  return { line: messageLine(copyMessage(message)), key: messageKey(message.messageId) };
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
  const hasHistory = extent.historyLength > 0;
  const history = hasHistory ? lines(row[6], extent.historyLength) : [];
  const artifacts = extent.artifacts ? lines(row[hasHistory ? 7 : 6], Number.POSITIVE_INFINITY) : [];
  return {
    task: {
      id,
      contextId,
      status: status ? readStatus(JSON.parse(status)) : undefined,
      artifacts: (artifacts as Artifact[]).map(complete),
      history: (history as Message[]).map(complete),
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

function messageLine(message: Message): string {
  return toJson({ ...message, parts: message.parts.map(bytesToText) });
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

function readStatus(status: Status): Status {
  return { state: status.state, message: status.message && complete(status.message), timestamp: status.timestamp };
}

/**
 * JSON leaves out what is undefined, and the wire types have every field. What was just parsed is nobody else's, so that
 * it is completed where it is: a copy would take as long as the parsing.
 */
function complete<T extends Message | Artifact>(parsed: T): T {
  if (!('metadata' in parsed)) (parsed as T).metadata = undefined;
  for (const part of parsed.parts) {
    if (!('metadata' in part)) (part as Part).metadata = undefined;
    if (!('content' in part)) (part as Part).content = undefined;
    const { content } = part;
    if (content?.$case === 'raw') content.value = Buffer.from(content.value as unknown as string, 'base64');
  }
  return parsed;
}

/** Bytes become base64 text in place; the part's case says which it is. */
function bytesToText(part: Part): unknown {
  const { content } = part;
  if (content?.$case !== 'raw') return part;
  return { ...part, content: { $case: 'raw', value: Buffer.from(content.value).toString('base64') } };
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
