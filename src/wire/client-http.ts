/** The client's calls over HTTP+JSON. */
import { Message, Task } from '@a2a-js/sdk';
import { PROTOCOL_VERSION } from './agent-card.ts';
import type { WireClient, WireClientOptions } from './client.ts';
import { listParams, pageFromJson } from './client-jsonrpc.ts';
import { sendRaw } from './raw-http.ts';
import { brokenConnection, NoTaskError, noAnswer, readObject, wireError } from './wire-error.ts';

/** Opens a client over HTTP+JSON. */
export function httpClient({ urls, bearer, timeoutMs }: WireClientOptions): WireClient {
  const { origin, pathname } = new URL(urls.http);
  const root = pathname.replace(/\/$/, '');

  async function call(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await sendRaw({
      method,
      origin,
      path: root + path,
      ...(timeoutMs !== undefined && { timeoutMs }),
      headers: {
        ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
        'A2A-Version': PROTOCOL_VERSION,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw brokenConnection('http', cause);
    });
    const json = readObject('http', answer);
    if (answer.status < 300) return json;
    const { error } = json as { readonly error?: HttpError };
    if (typeof error !== 'object' || error === null) throw noAnswer('http', answer);
    const meaning = error.details?.[0]?.reason ?? error.status;
    throw wireError('http', meaning, error.message, answer.status, json);
  }

  return {
    transport: 'http',
    send: async (message) => {
      const { task } = (await call('POST', '/message:send', { message: Message.toJSON(message) })) as {
        readonly task?: unknown;
      };
      if (task === undefined) throw new NoTaskError();
      return Task.fromJSON(task);
    },
    get: async (id, historyLength) => {
      const query = historyLength === undefined ? '' : `?historyLength=${historyLength}`;
      return Task.fromJSON(await call('GET', `/tasks/${encodeURIComponent(id)}${query}`));
    },
    cancel: async (id, metadata) =>
      Task.fromJSON(await call('POST', `/tasks/${encodeURIComponent(id)}:cancel`, { metadata })),
    list: async (request) => {
      const pairs = Object.entries(listParams(request)).flatMap(([name, value]) =>
        value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`],
      );
      return pageFromJson(await call('GET', `/tasks?${pairs.join('&')}`));
    },
    close: () => {},
  };
}

interface HttpError {
  readonly status: string;
  readonly message: string;
  readonly details?: readonly { readonly reason?: string }[];
}
