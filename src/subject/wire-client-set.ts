/** The clients of one agent: one for each caller and transport, made when first used. */
import type { AgentUrls } from '../wire/agent-card.ts';
import type { Authenticate } from '../wire/callers.ts';
import { createWireClient, type WireClient } from '../wire/client.ts';
import type { Transport } from '../wire/transport-error.ts';

/** Gives clients and closes them together. */
export interface WireClientSet {
  of(caller: string, transport: Transport): WireClient;
  close(): void;
}

/** The bearer token of a caller: any name is a caller. */
export function bearerOf(caller: string): string {
  return Buffer.from(caller).toString('base64url');
}

/** Reads `bearerOf` back; the table of a harness that makes up its callers. */
export const anyCaller: Authenticate = (authorization) => {
  const token = /^Bearer ([A-Za-z0-9_-]+)$/.exec(authorization ?? '')?.[1];
  return token === undefined ? undefined : Buffer.from(token, 'base64url').toString();
};

/** Makes the clients of the agent at these addresses. */
export function createWireClientSet(urls: AgentUrls): WireClientSet {
  const clients = new Map<string, WireClient>();
  return {
    of(caller, transport) {
      const key = `${transport} ${caller}`;
      const client = clients.get(key) ?? createWireClient(transport, { urls, bearer: bearerOf(caller) });
      clients.set(key, client);
      return client;
    },
    close() {
      for (const client of clients.values()) client.close();
      clients.clear();
    },
  };
}
