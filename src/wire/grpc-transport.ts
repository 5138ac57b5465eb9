/** gRPC: the SDK's service with codecs that lose nothing, and our door before it. */
import { type AddressInfo, createServer, type Server as SocketServer } from 'node:net';
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
import { grpcDoor } from './grpc-door.ts';
import { decodeListRequest, encodeSendTask, encodeTask, encodeTaskPage, strictReader } from './grpc-timestamps.ts';
import { callerUser } from './http-front.ts';
import type { WireLimits } from './limits.ts';
import { endSilentSockets } from './silent-sockets.ts';

/** What the transport needs. */
export interface GrpcOptions {
  readonly handler: A2ARequestHandler;
  readonly authenticate: Authenticate;
  readonly gate: BusyGate;
  readonly limits: WireLimits;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
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
}

interface Refusal {
  readonly code: status;
  readonly details: string;
}

type Callback = (error: unknown, value?: unknown) => void;
type Method = (call: Call, callback?: Callback) => void;

/** Serves gRPC without TLS. Rejects where the port can't be taken. */
export async function startGrpcTransport(options: GrpcOptions): Promise<GrpcTransport> {
  const { handler, authenticate, gate, limits } = options;
  const { requestMs } = limits;
  const sdk = grpcService({
    requestHandler: handler,
    userBuilder: async (call) => {
      const [authorization] = (call as Call).metadata.get('authorization');
      return callerUser(authenticate(authorization?.toString()) ?? '');
    },
  });
  const server = new Server({
    'grpc.max_receive_message_length': limits.bodyBytes,
    'grpc.max_send_message_length': -1,
    'grpc.max_concurrent_streams': limits.inFlight,
    'grpc.max_connection_idle_ms': requestMs,
    'grpc.max_connection_age_ms': requestMs * AGE_FACTOR,
    'grpc.max_connection_age_grace_ms': requestMs,
    'grpc.enable_channelz': 0,
    interceptors: [grpcDoor({ authenticate, gate, requestMs })],
  });
  const guarded = Object.entries(sdk).map(([name, method]) => [name, refuseMalformed(method as unknown as Method)]);
  server.addService(losslessService, Object.fromEntries(guarded) as UntypedServiceImplementation);
  const sockets = await listen(server, options);
  return {
    port: (sockets.address() as AddressInfo).port,
    close: (graceMs) => closeServer(server, sockets, graceMs),
  };
}

/** How much longer than a request a connection may live: then its client is asked to open another. */
const AGE_FACTOR = 20;
/** How much longer than a request a connection may be silent; a client that is idle but well is asked to close it before. */
const SILENCE_FACTOR = 2;

/** The gRPC library bounds neither the number of connections nor the silence on one, so that the sockets are ours. */
function listen(server: Server, { host, port, limits }: GrpcOptions): Promise<SocketServer> {
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const sockets = createServer((socket) => injector.injectConnection(socket));
  sockets.maxConnections = limits.connections;
  endSilentSockets(sockets, limits.requestMs * SILENCE_FACTOR);
  return new Promise((resolve, reject) => {
    sockets.once('error', reject);
    sockets.listen(port, host, () => resolve(sockets));
  });
}

function refuseMalformed(method: Method): Method {
  return (call, callback) => {
    if (call.request !== MALFORMED) return method(call, callback);
    const refusal: Refusal = { code: status.INVALID_ARGUMENT, details: 'The request is malformed' };
    if (callback === undefined) call.emit('error', refusal);
    else callback(refusal);
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
            if (name === 'listTasks') return decodeListRequest(bytes);
            const reader = strictReader(bytes);
            const message = decode(reader as unknown as Buffer);
            // The SDK's decoders end at a field of number 0, which no message has.
            return reader.pos === reader.len ? message : MALFORMED;
          } catch {
            return MALFORMED;
          }
        },
        responseSerialize: encoders[name] ?? method.responseSerialize,
      },
    ];
  }),
) as unknown as ServiceDefinition;

function closeServer(server: Server, sockets: SocketServer, graceMs: number): Promise<void> {
  sockets.close();
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
