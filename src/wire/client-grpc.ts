/** The client's calls over gRPC. */
import { type CancelTaskRequest, type GetTaskRequest, type ListTasksRequest, TaskState } from '@a2a-js/sdk';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { PROTOCOL_VERSION } from './agent-card.ts';
import type { WireClient, WireClientOptions } from './client.ts';
import { decodeSendTask, decodeTask, decodeTaskPage, encodeListRequest } from './grpc-timestamps.ts';
import { checkSound } from './sound-value.ts';
import { brokenConnection, wireError } from './wire-error.ts';

/** Milliseconds until a call is given up. */
const DEADLINE_MS = 10_000;

/** A call over gRPC with the bytes of its request and answer. */
export interface RawGrpcCall {
  readonly path: string;
  readonly bytes: Buffer;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** A connection that sends bytes and gives bytes. */
export interface RawGrpc {
  /** Rejects with the gRPC library's error, which has `code` and `details`. */
  call(call: RawGrpcCall): Promise<Buffer>;
  close(): void;
}

/** Opens a connection to `host:port`; with TLS where `https://` stands before it. */
export function openRawGrpc(address: string, timeoutMs: number = DEADLINE_MS): RawGrpc {
  const [, scheme, target = ''] = /^(https?:\/\/)?(.*?)\/*$/.exec(address) ?? [];
  const security = scheme === 'https://' ? credentials.createSsl() : credentials.createInsecure();
  const client = new Client(target, security, { 'grpc.max_receive_message_length': -1 });
  return {
    call: ({ path, bytes, metadata = {} }) =>
      new Promise((resolve, reject) => {
        const headers = new Metadata();
        for (const [name, value] of Object.entries(metadata)) headers.set(name, value);
        const same = (buffer: Buffer): Buffer => buffer;
        const options = { deadline: Date.now() + timeoutMs };
        client.makeUnaryRequest(path, same, same, bytes, headers, options, (error: ServiceError | null, answer) =>
          error === null && answer !== undefined ? resolve(answer) : reject(error),
        );
      }),
    close: () => client.close(),
  };
}

/** Opens a client over gRPC. */
export function grpcClient({ urls, bearer, timeoutMs }: WireClientOptions): WireClient {
  const connection = openRawGrpc(urls.grpc, timeoutMs);
  const metadata = {
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    'a2a-version': PROTOCOL_VERSION,
  };

  async function call(path: string, bytes: Buffer): Promise<Buffer> {
    try {
      return await connection.call({ path, bytes, metadata });
    } catch (cause) {
      const { code, details } = cause as ServiceError;
      if (code === status.UNAVAILABLE || code === status.CANCELLED || code === status.DEADLINE_EXCEEDED) {
        throw brokenConnection('grpc', cause);
      }
      throw wireError('grpc', code, details, code, details);
    }
  }

  return {
    transport: 'grpc',
    send: async (message) => {
      const { path, requestSerialize } = A2AService.sendMessage;
      const request = { tenant: '', message, configuration: undefined, metadata: undefined };
      return decodeSendTask(await call(path, encoded(request, requestSerialize)));
    },
    get: async (id, historyLength) => {
      const request: GetTaskRequest = { tenant: '', id, historyLength };
      const { path, requestSerialize } = A2AService.getTask;
      return decodeTask(await call(path, encoded(request, requestSerialize)));
    },
    cancel: async (id, requestMetadata) => {
      const request: CancelTaskRequest = { tenant: '', id, metadata: requestMetadata };
      const { path, requestSerialize } = A2AService.cancelTask;
      return decodeTask(await call(path, encoded(request, requestSerialize)));
    },
    list: async (request) => {
      const whole: ListTasksRequest = {
        tenant: '',
        contextId: '',
        status: TaskState.TASK_STATE_UNSPECIFIED,
        pageToken: '',
        statusTimestampAfter: undefined,
        ...request,
      };
      return decodeTaskPage(await call(A2AService.listTasks.path, encoded(whole, encodeListRequest)));
    },
    close: () => connection.close(),
  };
}

/**
 * The agent never sees what gRPC has no bytes for: a fraction for an integer, or a lone surrogate, which the encoder would
 * turn into another text. The refusal is the client's own.
 */
function encoded<T>(request: T, encode: (request: T) => Buffer): Buffer {
  try {
    checkSound(request, Number.POSITIVE_INFINITY);
    return encode(request);
  } catch (cause) {
    throw wireError('grpc', status.INVALID_ARGUMENT, 'The request has no encoding', status.INVALID_ARGUMENT, cause);
  }
}
