/**
 * Timestamps over gRPC with all their digits. The SDK's codec goes through JavaScript's Date and keeps milliseconds; a
 * task's status time and the filter on it have up to nine digits on the other transports, and the three give the same
 * tasks (WIRE-1).
 */
import type { ListTasksRequest, ListTasksResponse, Task } from '@a2a-js/sdk';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { parseInstant } from '../store/instant.ts';
import { NoTaskError } from './wire-error.ts';

/** Field numbers of `lf.a2a.v1` (A2A 1.0 proto). */
const field = { taskStatus: 3, statusTimestamp: 3, listTasks: 1, sendTask: 1, filterTimestamp: 7 };

const LAST_SECOND = 253_402_300_799;
const FIRST_SECOND = -62_135_596_800;

/** Encodes a task as the SDK does, but for the digits of its status time. */
export function encodeTask(task: Task): Uint8Array {
  const { status } = task;
  if (status?.timestamp === undefined) return A2AService.getTask.responseSerialize(task);
  const rest = A2AService.getTask.responseSerialize({ ...task, status: undefined });
  const statusOnly = { id: '', contextId: '', artifacts: [], history: [], metadata: undefined };
  const wrapped = A2AService.getTask.responseSerialize({ ...statusOnly, status: { ...status, timestamp: undefined } });
  const inner = fieldsOf(wrapped).get(field.taskStatus)?.at(-1) ?? new Uint8Array();
  const withTime = new BinaryWriter().raw(inner);
  writeBytes(withTime, field.statusTimestamp, encodeTimestamp(status.timestamp));
  const whole = new BinaryWriter().raw(rest);
  writeBytes(whole, field.taskStatus, withTime.finish());
  return whole.finish();
}

/** Encodes a page of tasks. */
export function encodeTaskPage(page: ListTasksResponse): Buffer {
  const writer = new BinaryWriter();
  for (const task of page.tasks) writeBytes(writer, field.listTasks, encodeTask(task));
  return Buffer.from(writer.raw(A2AService.listTasks.responseSerialize({ ...page, tasks: [] })).finish());
}

/** Encodes the task that a send answers. */
export function encodeSendTask(task: Task): Buffer {
  const writer = new BinaryWriter();
  writeBytes(writer, field.sendTask, encodeTask(task));
  return Buffer.from(writer.finish());
}

/** Decodes a list request with all digits of its filter. Throws for bytes that are no such message. */
export function decodeListRequest(bytes: Buffer): ListTasksRequest {
  const request = A2AService.listTasks.requestDeserialize(strictReader(bytes) as unknown as Buffer);
  const timestamp = fieldsOf(bytes).get(field.filterTimestamp)?.at(-1);
  return timestamp === undefined ? request : { ...request, statusTimestampAfter: decodeTimestamp(timestamp) };
}

/** Decodes a task with all digits of its status time. */
export function decodeTask(bytes: Uint8Array): Task {
  const task = A2AService.getTask.responseDeserialize(strictReader(bytes) as unknown as Buffer);
  const status = fieldsOf(bytes).get(field.taskStatus)?.at(-1);
  const timestamp = status && fieldsOf(status).get(field.statusTimestamp)?.at(-1);
  if (task.status === undefined || timestamp === undefined) return task;
  return { ...task, status: { ...task.status, timestamp: decodeTimestamp(timestamp) } };
}

/** Decodes a page of tasks. */
export function decodeTaskPage(bytes: Buffer): ListTasksResponse {
  const page = A2AService.listTasks.responseDeserialize(strictReader(bytes) as unknown as Buffer);
  return { ...page, tasks: (fieldsOf(bytes).get(field.listTasks) ?? []).map(decodeTask) };
}

/** Decodes the task that a send answered. Throws a `NoTaskError` where the answer is a message. */
export function decodeSendTask(bytes: Buffer): Task {
  const task = fieldsOf(bytes).get(field.sendTask)?.at(-1);
  if (task === undefined) throw new NoTaskError();
  return decodeTask(task);
}

/** Encodes a list request with all digits of its filter. */
export function encodeListRequest(request: ListTasksRequest): Buffer {
  const { statusTimestampAfter, ...rest } = request;
  const bytes = A2AService.listTasks.requestSerialize({ ...rest, statusTimestampAfter: undefined });
  if (!statusTimestampAfter) return bytes;
  const writer = new BinaryWriter().raw(bytes);
  writeBytes(writer, field.filterTimestamp, encodeTimestamp(statusTimestampAfter));
  return Buffer.from(writer.finish());
}

/**
 * A reader that refuses texts which are no UTF-8 and keeps a leading U+FEFF: the library's own turns the first into
 * U+FFFD and drops the second, and two ids would become one. The SDK's decoders take a reader in place of bytes.
 */
export function strictReader(bytes: Uint8Array): BinaryReader {
  return new BinaryReader(bytes, (text) => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text));
}

/** The length-delimited fields of a message, by number, in order. */
function fieldsOf(bytes: Uint8Array): Map<number, Uint8Array[]> {
  const reader = new BinaryReader(bytes);
  const fields = new Map<number, Uint8Array[]>();
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (wireType === WireType.LengthDelimited) {
      const list = fields.get(number) ?? [];
      list.push(reader.bytes());
      fields.set(number, list);
    } else reader.skip(wireType, number);
  }
  return fields;
}

function writeBytes(writer: BinaryWriter, number: number, bytes: Uint8Array): void {
  writer.tag(number, WireType.LengthDelimited).bytes(bytes);
}

function encodeTimestamp(text: string): Uint8Array {
  const instant = parseInstant(text);
  if (instant === undefined) throw new RangeError('A status timestamp is not RFC 3339');
  const writer = new BinaryWriter();
  if (instant.seconds !== 0) writer.tag(1, WireType.Varint).int64(instant.seconds);
  if (instant.nanos !== 0) writer.tag(2, WireType.Varint).int32(instant.nanos);
  return writer.finish();
}

/** Gives RFC 3339 in UTC with as many fraction digits as needed. Throws a RangeError outside the years 1 to 9999. */
function decodeTimestamp(bytes: Uint8Array): string {
  const reader = new BinaryReader(bytes);
  let seconds = 0;
  let nanos = 0;
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (number === 1 && wireType === WireType.Varint) seconds = Number(reader.int64());
    else if (number === 2 && wireType === WireType.Varint) nanos = reader.int32();
    else reader.skip(wireType, number);
  }
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND || nanos < 0 || nanos > 999_999_999) {
    throw new RangeError('A timestamp lies outside the years 1 to 9999');
  }
  const fraction = String(nanos).padStart(9, '0').replace(/0+$/, '');
  const whole = new Date(seconds * 1000).toISOString().slice(0, -'.000Z'.length);
  return `${whole}${fraction === '' ? '' : `.${fraction}`}Z`;
}
