/** One error of the contract, as each transport spells it (WIRE-3, A2A 1.0 §5.4). */
import {
  A2AError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import { TaskStoreError } from '../task/errors.ts';

/** The three transports, by the short names of the command line. */
export type Transport = 'jsonrpc' | 'http' | 'grpc';

/** An operation that the agent doesn't have, or that a task's state forbids. */
export class UnsupportedError extends Error {}

const INTERNAL = 'Internal error';

/** The status of an error is read from it where it says that it is one of gRPC; no class of the SDK gives INTERNAL. */
class GrpcInternalError extends A2AError {
  readonly transport: string = 'grpc';
  readonly status: number = 13;
}

/**
 * Gives the SDK's error for `error`; the SDK's servers turn it into a code, a status and a message. What is unforeseen
 * becomes an internal error with a fixed text: its own words may hold a statement, a path or a stack. An error that is
 * the SDK's already is left as it is.
 */
export function toTransportError(transport: Transport, error: unknown): Error {
  if (error instanceof A2AError) return error;
  if (error instanceof UnsupportedError) return new UnsupportedOperationError();
  switch (error instanceof TaskStoreError ? error.code : undefined) {
    case 'invalid-argument':
    case 'already-exists':
    case 'revision-conflict':
      return new RequestMalformedError((error as TaskStoreError).message);
    case 'not-found':
      return new TaskNotFoundError();
    case 'not-cancelable':
      return new TaskNotCancelableError();
    default:
      // The SDK maps a plain error to -32603 and 500, but to UNKNOWN over gRPC.
      return transport === 'grpc' ? new GrpcInternalError(INTERNAL) : new Error(INTERNAL);
  }
}
