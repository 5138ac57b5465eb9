/** What every gRPC call passes before its message is read: who calls, whether there is room, and how long it may take. */
import { ServerInterceptingCall, type ServerInterceptor, status } from '@grpc/grpc-js';
import type { BusyGate } from './busy-gate.ts';
import type { Authenticate } from './callers.ts';

/** What the door needs. */
export interface GrpcDoorOptions {
  readonly authenticate: Authenticate;
  readonly gate: BusyGate;
  /** How long the message of a call may take to come, in milliseconds. */
  readonly requestMs: number;
}

/**
 * Lets a call through or ends it: UNAUTHENTICATED without a known bearer token, UNAVAILABLE where the agent is busy,
 * DEADLINE_EXCEEDED where its message does not come. A call takes its place before its message is read, so that no more
 * messages are held than there are places.
 */
export function grpcDoor({ authenticate, gate, requestMs }: GrpcDoorOptions): ServerInterceptor {
  return (_method, call) => {
    let timer: NodeJS.Timeout | undefined;
    let leave = (): void => {};
    const release = (): void => {
      clearTimeout(timer);
      leave();
    };
    const refuse = (code: status, details: string): void => {
      release();
      call.sendStatus({ code, details });
    };
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata(metadata, pass) {
            const caller = authenticate(metadata.get('authorization')[0]?.toString());
            if (caller === undefined) return refuse(status.UNAUTHENTICATED, 'Authentication required');
            const place = gate.enter();
            if (place === undefined) return refuse(status.UNAVAILABLE, 'The agent is busy');
            leave = place;
            timer = setTimeout(() => refuse(status.DEADLINE_EXCEEDED, 'The request came too slowly'), requestMs);
            pass(metadata);
          },
          onReceiveHalfClose(pass) {
            clearTimeout(timer);
            pass();
          },
          // Comes at the end of every call, also of one that ended well.
          onCancel: release,
        }),
      sendStatus(end, next) {
        release();
        next(end);
      },
    });
  };
}
