/** Calls of an agent whose fields go out as they are, and whose answers come back unmended. */
import { A2AService } from '@a2a-js/sdk/server/grpc';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import type { ServiceError } from '@grpc/grpc-js';
import { type AgentUrls, PROTOCOL_VERSION } from './agent-card.ts';
import { openRawGrpc, type RawGrpc } from './client-grpc.ts';
import { encodeListRequest } from './grpc-timestamps.ts';
import { sendRaw } from './raw-http.ts';
import type { Transport } from './transport-error.ts';
import { brokenConnection } from './wire-error.ts';

/** The fields of a call, by their JSON names; right or wrong. */
export type RawFields = Readonly<Record<string, unknown>>;

/** Methods that a raw call knows on all three transports. */
export type RawMethod =
  | 'ListTasks'
  | 'GetTask'
  | 'CancelTask'
  | 'CreateTaskPushNotificationConfig'
  | 'GetTaskPushNotificationConfig'
  | 'ListTaskPushNotificationConfigs'
  | 'DeleteTaskPushNotificationConfig';

/** What came back. */
export interface RawResult {
  /** HTTP status; the status code of gRPC. */
  readonly status: number;
  /** The code of an error as the transport spells it: a number of JSON-RPC or gRPC, a reason of HTTP+JSON. */
  readonly code?: string | number;
  readonly message?: string;
  /** JSON text of the result or error; of gRPC the decoded message, with the numbers of unknown fields as `unknown`. */
  readonly body: string;
}

/** Makes raw calls of one agent. */
export interface RawCaller {
  /** Rejects with `unknown-outcome` where no answer came. */
  call(transport: Transport, method: RawMethod, fields: RawFields, bearer: string): Promise<RawResult>;
  close(): void;
}

/** Opens a caller; connections are made by the first calls. */
export function createRawCaller(urls: AgentUrls): RawCaller {
  let grpc: RawGrpc | undefined;
  return {
    call(transport, method, fields, bearer) {
      if (transport === 'jsonrpc') return callJsonRpc(urls.jsonrpc, method, fields, bearer);
      if (transport === 'http') return callHttp(urls.http, method, fields, bearer);
      grpc ??= openRawGrpc(urls.grpc);
      return callGrpc(grpc, method, fields, bearer);
    },
    close() {
      grpc?.close();
      grpc = undefined;
    },
  };
}

function headers(bearer: string): Record<string, string> {
  return { Authorization: `Bearer ${bearer}`, 'A2A-Version': PROTOCOL_VERSION, 'Content-Type': 'application/json' };
}

async function callJsonRpc(url: string, method: RawMethod, params: RawFields, bearer: string): Promise<RawResult> {
  const { origin, pathname } = new URL(url);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = await sendRaw({ method: 'POST', origin, path: pathname, headers: headers(bearer), body }).catch(
    (cause: unknown) => {
      throw brokenConnection('jsonrpc', cause);
    },
  );
  const { error, result } = JSON.parse(answer.body.toString()) as {
    readonly error?: { readonly code: number; readonly message: string };
    readonly result?: unknown;
  };
  if (error === undefined) return { status: answer.status, body: JSON.stringify(result ?? null) };
  return { status: answer.status, code: error.code, message: error.message, body: JSON.stringify(error) };
}

const routes: Readonly<Record<RawMethod, { readonly verb: string; path(fields: RawFields): string }>> = {
  ListTasks: { verb: 'GET', path: (fields) => `/tasks${query(fields)}` },
  GetTask: { verb: 'GET', path: ({ id, ...rest }) => `/tasks/${part(id)}${query(rest)}` },
  CancelTask: { verb: 'POST', path: ({ id }) => `/tasks/${part(id)}:cancel` },
  CreateTaskPushNotificationConfig: {
    verb: 'POST',
    path: ({ taskId }) => `/tasks/${part(taskId)}/pushNotificationConfigs`,
  },
  GetTaskPushNotificationConfig: {
    verb: 'GET',
    path: ({ taskId, id }) => `/tasks/${part(taskId)}/pushNotificationConfigs/${part(id)}`,
  },
  ListTaskPushNotificationConfigs: {
    verb: 'GET',
    path: ({ taskId, ...rest }) => `/tasks/${part(taskId)}/pushNotificationConfigs${query(rest)}`,
  },
  DeleteTaskPushNotificationConfig: {
    verb: 'DELETE',
    path: ({ taskId, id }) => `/tasks/${part(taskId)}/pushNotificationConfigs/${part(id)}`,
  },
};

function part(value: unknown): string {
  return encodeURIComponent(String(value));
}

/** A list of values becomes a parameter that stands more than once. */
function query(fields: RawFields): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as unknown[]) : [value]).map((each) => `${name}=${part(each)}`),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

async function callHttp(url: string, method: RawMethod, fields: RawFields, bearer: string): Promise<RawResult> {
  const { origin, pathname } = new URL(url);
  const { verb, path } = routes[method];
  const { id, taskId: _, ...rest } = fields;
  const body = verb === 'POST' ? JSON.stringify(method === 'CancelTask' ? rest : { id, ...rest }) : undefined;
  const answer = await sendRaw({
    method: verb,
    origin,
    path: pathname + path(fields),
    headers: headers(bearer),
    ...(body !== undefined && { body }),
  }).catch((cause: unknown) => {
    throw brokenConnection('http', cause);
  });
  const text = answer.body.toString();
  if (answer.status < 300) return { status: answer.status, body: text === '' ? 'null' : text };
  const { error } = parsed(text) as { readonly error?: HttpError };
  const code = error?.details?.[0]?.reason ?? error?.status;
  return {
    status: answer.status,
    ...(code !== undefined && { code }),
    ...(error?.message !== undefined && { message: error.message }),
    body: text,
  };
}

interface HttpError {
  readonly status?: string;
  readonly message?: string;
  readonly details?: readonly { readonly reason?: string }[];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
}

const grpcMethods = {
  ListTasks: A2AService.listTasks,
  GetTask: A2AService.getTask,
  CancelTask: A2AService.cancelTask,
  CreateTaskPushNotificationConfig: A2AService.createTaskPushNotificationConfig,
  GetTaskPushNotificationConfig: A2AService.getTaskPushNotificationConfig,
  ListTaskPushNotificationConfigs: A2AService.listTaskPushNotificationConfigs,
  DeleteTaskPushNotificationConfig: A2AService.deleteTaskPushNotificationConfig,
} as const;

const grpcDefaults: Readonly<Record<RawMethod, RawFields>> = {
  ListTasks: { contextId: '', status: 0, pageToken: '' },
  GetTask: { id: '' },
  CancelTask: { id: '' },
  CreateTaskPushNotificationConfig: { id: '', taskId: '', url: '', token: '' },
  GetTaskPushNotificationConfig: { id: '', taskId: '' },
  ListTaskPushNotificationConfigs: { taskId: '', pageSize: 0, pageToken: '' },
  DeleteTaskPushNotificationConfig: { id: '', taskId: '' },
};

/** Field 100, a varint of value 0: what an unknown field looks like on the wire. */
const UNKNOWN_FIELD = Buffer.from([0xa0, 0x06, 0x00]);
const INTERNAL_NAMES: ReadonlySet<string> = new Set(['includeTotalSize', 'include_total_size']);
/** The fields of a ListTasksResponse. */
const LIST_FIELDS: ReadonlySet<number> = new Set([1, 2, 3, 4]);

async function callGrpc(grpc: RawGrpc, method: RawMethod, fields: RawFields, bearer: string): Promise<RawResult> {
  const known = Object.fromEntries(Object.entries(fields).filter(([name]) => !INTERNAL_NAMES.has(name)));
  const request = { tenant: '', ...grpcDefaults[method], ...known };
  const { path, requestSerialize, responseDeserialize } = grpcMethods[method];
  const encode = (method === 'ListTasks' ? encodeListRequest : requestSerialize) as (value: unknown) => Buffer;
  const extra = Object.keys(fields).some((name) => INTERNAL_NAMES.has(name)) ? [UNKNOWN_FIELD] : [];
  const bytes = Buffer.concat([encode(request), ...extra]);
  const metadata = { authorization: `Bearer ${bearer}`, 'a2a-version': PROTOCOL_VERSION };
  let answer: Buffer;
  try {
    answer = await grpc.call({ path, bytes, metadata });
  } catch (cause) {
    const { code, details } = cause as ServiceError;
    // 1, 4 and 14: cancelled, too late, unavailable.
    if (code === undefined || code === 1 || code === 4 || code === 14) throw brokenConnection('grpc', cause);
    return { status: code, code, message: details, body: JSON.stringify({ code, details }) };
  }
  const decoded = responseDeserialize(answer) as object;
  const unknown = method === 'ListTasks' ? fieldNumbers(answer).filter((number) => !LIST_FIELDS.has(number)) : [];
  return { status: 0, body: JSON.stringify({ ...decoded, ...(unknown.length > 0 && { unknown }) }) };
}

function fieldNumbers(bytes: Uint8Array): number[] {
  const reader = new BinaryReader(bytes);
  const numbers: number[] = [];
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    numbers.push(number);
    reader.skip(wireType, number);
  }
  return numbers;
}
