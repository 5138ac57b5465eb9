/** JSON-RPC: our checks of the raw request, then the SDK's server. */

import { A2A_ERROR_CODE, ContentTypeNotSupportedError, toJsonRpcError } from '@a2a-js/sdk/errors';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import { jsonRpcHandler } from '@a2a-js/sdk/server/express';
import { type ErrorRequestHandler, type RequestHandler, type Response, Router } from 'express';
import { conform } from './field-shapes.ts';
import { NotJsonError, readJsonBody } from './http-body.ts';
import { type ErrorWriter, type FrontOptions, frontUser, httpFront } from './http-front.ts';
import { isJsonContent } from './media-type.ts';
import { methodShapes } from './request-shapes.ts';
import { toTransportError, UnsupportedError } from './transport-error.ts';

const STREAMING: ReadonlySet<string> = new Set(['SendStreamingMessage', 'SubscribeToTask']);

type RequestId = string | number | null;

/** What the transport needs. */
export interface JsonRpcOptions extends Omit<FrontOptions, 'errors'> {
  readonly handler: A2ARequestHandler;
  readonly bodyBytes: number;
}

/** Serves JSON-RPC 2.0 at one path. Errors of A2A have HTTP status 200, as the SDK answers them. */
export function jsonRpcTransport({ handler, bodyBytes, ...front }: JsonRpcOptions): RequestHandler {
  const router = Router();
  router.use(httpFront({ ...front, errors }));
  router.post('/', checkRequest(bodyBytes), jsonRpcHandler({ requestHandler: handler, userBuilder: frontUser }));
  router.use((_request, response) => errors.http(response, 404, 'NOT_FOUND', 'Not found'));
  router.use(answerError);
  return router;
}

function checkRequest(bodyBytes: number): RequestHandler {
  return async (request, response, next) => {
    if (!isJsonContent(request.headers['content-type'], ['application/json'])) {
      return errors.a2a(response, new ContentTypeNotSupportedError());
    }
    const body = await readJsonBody(request, bodyBytes);
    if (!isCall(body)) return refuse(response, idOf(body), A2A_ERROR_CODE.INVALID_REQUEST, 'Invalid request');
    const shape = methodShapes.get(body.method);
    if (shape === undefined) return refuse(response, idOf(body), A2A_ERROR_CODE.METHOD_NOT_FOUND, 'Method not found');
    try {
      const params = conform(body.params ?? (body.method === 'GetExtendedAgentCard' ? {} : undefined), shape, 'params');
      // The SDK would ask the handler, and log every refusal of it with a stack: a way to fill a disk.
      if (STREAMING.has(body.method)) throw new UnsupportedError();
      request.body = { jsonrpc: '2.0', id: idOf(body), method: body.method, params };
    } catch (error) {
      return answer(response, idOf(body), toTransportError('jsonrpc', error));
    }
    next();
  };
}

interface Call {
  readonly method: string;
  readonly params?: unknown;
}

function isCall(body: unknown): body is Call {
  if (typeof body !== 'object' || body === null) return false;
  const { jsonrpc, method, id } = body as Readonly<Record<string, unknown>>;
  const isId = id === undefined || id === null || typeof id === 'string' || Number.isSafeInteger(id);
  return jsonrpc === '2.0' && typeof method === 'string' && isId;
}

function idOf(body: unknown): RequestId {
  const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : null;
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as RequestId) : null;
}

function refuse(response: Response, id: RequestId, code: number, message: string, status = 200): void {
  response.status(status).json({ jsonrpc: '2.0', id, error: { code, message } });
}

function answer(response: Response, id: RequestId, error: Error): void {
  response.json({ jsonrpc: '2.0', id, error: toJsonRpcError(error) });
}

const errors: ErrorWriter = {
  a2a: (response, error) => answer(response, null, error),
  http(response, status, _statusName, message) {
    refuse(response, null, A2A_ERROR_CODE.INVALID_REQUEST, message, status);
  },
};

const answerError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  if (response.headersSent) response.end();
  else if (error instanceof NotJsonError) refuse(response, null, A2A_ERROR_CODE.PARSE_ERROR, error.message);
  else errors.a2a(response, toTransportError('jsonrpc', error));
};
