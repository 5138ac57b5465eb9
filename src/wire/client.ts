/** A client of any A2A agent over one of the three transports, without a library that mends what the agent answers. */
import type { ListTasksRequest, Message, Task } from '@a2a-js/sdk';
import type { AgentUrls } from './agent-card.ts';
import { grpcClient } from './client-grpc.ts';
import { httpClient } from './client-http.ts';
import { jsonRpcClient } from './client-jsonrpc.ts';
import type { Transport } from './transport-error.ts';

/** The filters and options of a list over the wire. */
export type WireListRequest = Partial<Omit<ListTasksRequest, 'tenant'>>;

/** A page as the agent answered it; a field that it left out is undefined. */
export interface WirePage {
  readonly tasks: Task[];
  readonly nextPageToken: string;
  readonly pageSize: number;
  readonly totalSize: number;
}

/**
 * Calls of one caller. All reject with a `WireError` for an error answer, for an answer that is none, and for a broken
 * connection; `send` with a `NoTaskError` where the agent answers with a message.
 */
export interface WireClient {
  readonly transport: Transport;
  send(message: Message): Promise<Task>;
  get(id: string, historyLength?: number): Promise<Task>;
  cancel(id: string, metadata?: Record<string, unknown>): Promise<Task>;
  list(request: WireListRequest): Promise<WirePage>;
  close(): void;
}

/** What a client needs to know. */
export interface WireClientOptions {
  readonly urls: AgentUrls;
  /** Sent as a bearer token with every call; nothing is sent where absent. */
  readonly bearer?: string;
  /** Milliseconds after which a call without an answer is given up; 10,000 where absent. */
  readonly timeoutMs?: number;
}

/** Opens a client; a connection is made by its first call. */
export function createWireClient(transport: Transport, options: WireClientOptions): WireClient {
  switch (transport) {
    case 'jsonrpc':
      return jsonRpcClient(options);
    case 'http':
      return httpClient(options);
    case 'grpc':
      return grpcClient(options);
  }
}
