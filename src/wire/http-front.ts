/** What every HTTP request passes before the SDK sees it: who calls, whether there is room, which protocol version. */
import { A2A_VERSION_HEADER } from '@a2a-js/sdk';
import { VersionNotSupportedError } from '@a2a-js/sdk/errors';
import type { UserBuilder } from '@a2a-js/sdk/server/express';
import type { Request, RequestHandler, Response } from 'express';
import { PROTOCOL_VERSION } from './agent-card.ts';
import type { BusyGate } from './busy-gate.ts';
import type { Authenticate } from './callers.ts';

/** Answers a request with an error in the form of its transport. */
export interface ErrorWriter {
  /** An error of A2A; the status follows from it. */
  a2a(response: Response, error: Error): void;
  /** An error of HTTP itself, under `statusName` where the form has a place for it. */
  http(response: Response, status: number, statusName: string, message: string): void;
}

/** What the front needs. */
export interface FrontOptions {
  readonly authenticate: Authenticate;
  readonly gate: BusyGate;
  readonly errors: ErrorWriter;
}

const callers = new WeakMap<Request, string>();

/** The SDK's user of a request that passed the front. */
export const frontUser: UserBuilder = async (request) => callerUser(callers.get(request) ?? '');

/** The SDK's user with this name; nobody where it is empty. */
export function callerUser(userName: string): { readonly isAuthenticated: boolean; readonly userName: string } {
  return { isAuthenticated: userName !== '', userName };
}

/**
 * Lets a request through or answers it: 401 without a known bearer token, 503 where the agent is busy, and the SDK's
 * error for another protocol version. No answer may be kept by a cache, which would not tell callers apart.
 */
export function httpFront({ authenticate, gate, errors }: FrontOptions): RequestHandler {
  return (request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    const caller = authenticate(request.headers.authorization);
    if (caller === undefined) {
      response.setHeader('WWW-Authenticate', 'Bearer');
      errors.http(response, 401, 'UNAUTHENTICATED', 'Authentication required');
      return;
    }
    const leave = gate.enter();
    if (leave === undefined) {
      response.setHeader('Retry-After', '1');
      errors.http(response, 503, 'UNAVAILABLE', 'The agent is busy');
      return;
    }
    response.on('close', leave);
    if (request.header(A2A_VERSION_HEADER) !== PROTOCOL_VERSION) {
      errors.a2a(response, new VersionNotSupportedError());
      return;
    }
    callers.set(request, caller);
    next();
  };
}
