/** The client's calls over JSON-RPC. */
import { Message, Task, taskStateToJSON } from '@a2a-js/sdk';
import { PROTOCOL_VERSION } from './agent-card.ts';
import type { WireClient, WireClientOptions, WireListRequest, WirePage } from './client.ts';
import { sendRaw } from './raw-http.ts';
import { brokenConnection, NoTaskError, noAnswer, readObject, wireError } from './wire-error.ts';

/** Opens a client over JSON-RPC. */
export function jsonRpcClient({ urls, bearer, timeoutMs }: WireClientOptions): WireClient {
  const { origin, pathname, search } = new URL(urls.jsonrpc);
  let id = 0;

  async function call(method: string, params: unknown): Promise<unknown> {
    id += 1;
    const answer = await sendRaw({
      method: 'POST',
      origin,
      path: pathname + search,
      ...(timeoutMs !== undefined && { timeoutMs }),
      headers: {
        ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
        'A2A-Version': PROTOCOL_VERSION,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    }).catch((cause: unknown) => {
      throw brokenConnection('jsonrpc', cause);
    });
    const { error, result } = readObject('jsonrpc', answer) as {
      readonly error?: { readonly code: number; readonly message: string };
      readonly result?: unknown;
    };
    if (error !== undefined && error !== null)
      throw wireError('jsonrpc', error.code, error.message, answer.status, error);
    if (typeof result !== 'object' || result === null) throw noAnswer('jsonrpc', answer);
    return result;
  }

  return {
    transport: 'jsonrpc',
    send: async (message) => {
      const { task } = (await call('SendMessage', { message: Message.toJSON(message) })) as { readonly task?: unknown };
      if (task === undefined) throw new NoTaskError();
      return Task.fromJSON(task);
    },
    get: async (taskId, historyLength) => Task.fromJSON(await call('GetTask', { id: taskId, historyLength })),
    cancel: async (taskId, metadata) => Task.fromJSON(await call('CancelTask', { id: taskId, metadata })),
    list: async (request) => pageFromJson(await call('ListTasks', listParams(request))),
    close: () => {},
  };
}

/** A list request as JSON. Bad numbers go out as they are; those that JSON has no spelling for, as their names. */
export function listParams({ status, ...rest }: WireListRequest): Readonly<Record<string, unknown>> {
  const spelled = Object.entries(rest).map(([name, value]) => [
    name,
    typeof value === 'number' && !Number.isFinite(value) ? String(value) : value,
  ]);
  return { ...Object.fromEntries(spelled), ...(status && { status: taskStateToJSON(status) }) };
}

/** Reads a page from JSON and leaves missing fields missing, so that they show (WIRE-4). */
export function pageFromJson(json: unknown): WirePage {
  const page = json as WirePage;
  return { ...page, tasks: Array.isArray(page.tasks) ? page.tasks.map((task) => Task.fromJSON(task)) : page.tasks };
}
