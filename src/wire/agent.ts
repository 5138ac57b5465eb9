/** The reference agent: one dispatcher over JSON-RPC, HTTP+JSON and gRPC. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { AGENT_CARD_PATH, AgentCard } from '@a2a-js/sdk';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import { agentCardHandler } from '@a2a-js/sdk/server/express';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { type AgentUrls, agentCard } from './agent-card.ts';
import { createBusyGate } from './busy-gate.ts';
import type { Authenticate } from './callers.ts';
import { startGrpcTransport } from './grpc-transport.ts';
import { httpTransport } from './http-transport.ts';
import { jsonRpcTransport } from './jsonrpc-transport.ts';
import { defaultLimits, type WireLimits } from './limits.ts';
import { type AgentBackend, createRequestHandler } from './request-handler.ts';
import type { Transport } from './transport-error.ts';

/** How an agent is started. */
export interface AgentOptions {
  /** What stands behind the transports; asked at every call. */
  readonly backend: () => AgentBackend;
  readonly authenticate: Authenticate;
  /** 127.0.0.1 where absent. There is no TLS: what leaves the machine needs a proxy before it. */
  readonly host?: string;
  /** The port of JSON-RPC, HTTP+JSON and the agent card; a free one where absent or 0. */
  readonly port?: number;
  /** The port of gRPC; a free one where absent or 0. */
  readonly grpcPort?: number;
  readonly limits?: Partial<WireLimits>;
  /** Stands in for the agent's own handler of a transport; for showing that a fault is found. */
  readonly wrapHandler?: (transport: Transport, handler: A2ARequestHandler) => A2ARequestHandler;
  /** Sees every HTTP request, and its answer, before the agent does; for showing that a fault is found. */
  readonly intercept?: RequestHandler;
}

/** A running agent. */
export interface Agent {
  readonly urls: AgentUrls;
  /** The address whose `/.well-known/agent-card.json` describes the agent. */
  readonly baseUrl: string;
  /** Takes no more requests, lets those that run finish for up to `graceMs` (2,000 where absent), and frees the ports. */
  close(graceMs?: number): Promise<void>;
}

const GRACE_MS = 2_000;

/** Starts an agent. Rejects where a port is taken. */
export async function startAgent(options: AgentOptions): Promise<Agent> {
  const { authenticate, host = '127.0.0.1' } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const gate = createBusyGate(limits.inFlight);
  let urls: AgentUrls = { jsonrpc: '', http: '', grpc: '' };
  const card = (): AgentCard => agentCard(urls);
  const handler = (transport: Transport): A2ARequestHandler => {
    const { requestMs, depth } = limits;
    const own = createRequestHandler({ transport, backend: options.backend, card, requestMs, depth });
    return options.wrapHandler?.(transport, own) ?? own;
  };
  const door = { authenticate, gate, bodyBytes: limits.bodyBytes };

  const app = express();
  app.disable('x-powered-by');
  // An ETag would have a caller's own pages answered with 304, and costs a hash a response.
  app.disable('etag');
  if (options.intercept) app.use(options.intercept);
  app.use(
    `/${AGENT_CARD_PATH}`,
    agentCardHandler({ agentCardProvider: async () => AgentCard.toJSON(card()) as AgentCard }),
  );
  app.use('/jsonrpc', jsonRpcTransport({ ...door, handler: handler('jsonrpc') }));
  app.use('/http', httpTransport({ ...door, handler: handler('http') }));
  app.use((_request, response) => void response.status(404).json({ error: 'Not found' }));
  app.use(lastResort);

  const server = await listen(app, host, options.port ?? 0, limits);
  const grpc = await startGrpcTransport({
    handler: handler('grpc'),
    authenticate,
    gate,
    limits,
    host,
    port: options.grpcPort ?? 0,
  }).catch((error: unknown) => {
    server.close();
    throw error;
  });
  const baseUrl = `http://${host}:${(server.address() as AddressInfo).port}`;
  urls = { jsonrpc: `${baseUrl}/jsonrpc`, http: `${baseUrl}/http`, grpc: `${host}:${grpc.port}` };

  return {
    urls,
    baseUrl,
    close: async (graceMs = GRACE_MS) => {
      await Promise.all([closeHttp(server, graceMs), grpc.close(graceMs)]);
    },
  };
}

function listen(app: Express, host: string, port: number, limits: WireLimits): Promise<Server> {
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.requestMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: Math.min(limits.requestMs, 1_000),
    },
    app,
  );
  server.maxConnections = limits.connections;
  server.on('clientError', answerClientError);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

/** Requests that HTTP itself refuses never reach a transport: too long a request line or header, bytes that are no HTTP. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({
    error: { code: 400, status: 'INVALID_ARGUMENT', message: 'The request is malformed', details: [] },
  });
  const head = ['HTTP/1.1 400 Bad Request', 'Connection: close', 'Content-Type: application/json'];
  socket.end(`${[...head, `Content-Length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n${body}`);
}

const lastResort: ErrorRequestHandler = (_error, _request, response, _next) => {
  if (response.headersSent) response.end();
  else response.status(400).json({ error: 'Bad request' });
};

function closeHttp(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
