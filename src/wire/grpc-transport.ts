/** gRPC: the SDK's service with codecs that lose nothing, and our door before it. */
import type { SendMessageResponse, Task } from '@a2a-js/sdk';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import { A2AService, grpcService } from '@a2a-js/sdk/server/grpc';
import {
  type Metadata,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { BusyGate } from './busy-gate.ts';
import type { Authenticate } from './callers.ts';
import { decodeListRequest, encodeSendTask, encodeTask, encodeTaskPage, strictReader } from './grpc-timestamps.ts';
import { callerUser } from './http-front.ts';

/** What the transport needs. */
export interface GrpcOptions {
  readonly handler: A2ARequestHandler;
  readonly authenticate: Authenticate;
  readonly gate: BusyGate;
  readonly messageBytes: number;
  /** `host:port`; port 0 takes a free one. */
  readonly address: string;
}

/** A running gRPC server. */
export interface GrpcTransport {
  readonly port: number;
  /** Ends calls that go on after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** Stands for bytes that are no message of the method: an exception in a decoder is INTERNAL, with its own words. */
const MALFORMED: unique symbol = Symbol('malformed');

interface Call {
  readonly request: unknown;
  readonly metadata: Metadata;
  emit(event: 'error', error: Refusal): boolean;
  on(event: 'close' | 'cancelled', listener: () => void): unknown;
}

interface Refusal {
  readonly code: status;
  readonly details: string;
}

type Callback = (error: unknown, value?: unknown) => void;
type Method = (call: Call, callback?: Callback) => void;

/** Serves gRPC without TLS at `address`. Rejects where the address can't be taken. */
export async function startGrpcTransport(options: GrpcOptions): Promise<GrpcTransport> {
  const { handler, authenticate } = options;
  const callerOf = (metadata: Metadata): string | undefined =>
    authenticate(metadata.get('authorization')[0]?.toString());
  const sdk = grpcService({
    requestHandler: handler,
    userBuilder: async (call) => callerUser(callerOf((call as Call).metadata) ?? ''),
  });
  const server = new Server({
    'grpc.max_receive_message_length': options.messageBytes,
    'grpc.max_send_message_length': -1,
  });
  const guarded = Object.entries(sdk).map(([name, method]) => [
    name,
    guard(method as unknown as Method, options, callerOf),
  ]);
  server.addService(losslessService, Object.fromEntries(guarded) as UntypedServiceImplementation);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(options.address, ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return { port, close: (graceMs) => closeServer(server, graceMs) };
}

/** Refuses unknown callers first, so that nothing can be learnt without a token; then a full agent, then broken bytes. */
function guard(method: Method, { gate }: GrpcOptions, callerOf: (metadata: Metadata) => string | undefined): Method {
  return (call, callback) => {
    const refuse = (code: status, details: string): void => {
      if (callback === undefined) call.emit('error', { code, details });
      else callback({ code, details });
    };
    if (callerOf(call.metadata) === undefined) return refuse(status.UNAUTHENTICATED, 'Authentication required');
    if (call.request === MALFORMED) return refuse(status.INVALID_ARGUMENT, 'The request is malformed');
    const leave = gate.enter();
    if (leave === undefined) return refuse(status.UNAVAILABLE, 'The agent is busy');
    if (callback === undefined) {
      call.on('close', leave);
      return method(call);
    }
    return method(call, (error, value) => {
      leave();
      callback(error, value);
    });
  };
}

const encoders: Readonly<Record<string, (value: never) => Buffer>> = {
  getTask: (task: Task) => Buffer.from(encodeTask(task)),
  cancelTask: (task: Task) => Buffer.from(encodeTask(task)),
  listTasks: encodeTaskPage,
  sendMessage: (response: SendMessageResponse) =>
    response.payload?.$case === 'task'
      ? encodeSendTask(response.payload.value)
      : A2AService.sendMessage.responseSerialize(response),
};

const losslessService = Object.fromEntries(
  Object.entries(A2AService).map(([name, method]) => {
    const decode = method.requestDeserialize as (bytes: Buffer) => unknown;
    return [
      name,
      {
        ...method,
        requestDeserialize: (bytes: Buffer): unknown => {
          try {
            return name === 'listTasks' ? decodeListRequest(bytes) : decode(strictReader(bytes) as unknown as Buffer);
          } catch {
            return MALFORMED;
          }
        },
        responseSerialize: encoders[name] ?? method.responseSerialize,
      },
    ];
  }),
) as unknown as ServiceDefinition;

function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      server.forceShutdown();
      resolve();
    }, graceMs);
    server.tryShutdown(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
