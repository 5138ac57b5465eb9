/** What a fault of the agent is, and how requests and answers are tampered with on their way through it. */
import type { ListTasksRequest, ListTasksResponse } from '@a2a-js/sdk';
import type { A2ARequestHandler } from '@a2a-js/sdk/server';
import type { Request, RequestHandler, Response } from 'express';
import { createWireSubject, type WireChoice, type WireSubjectOptions } from '../subject/wire.ts';
import type { Transport } from '../wire/transport-error.ts';
import type { Mutant } from './mutant.ts';

/** One row of the catalogue: the right agent with one thing changed. */
export interface WireFault {
  readonly id: string;
  readonly fault: string;
  /** As in `Mutant`. */
  readonly breaks: readonly string[];
  /** As in `Mutant`. */
  readonly equivalent?: string;
  /** All three transports where absent. */
  readonly choice?: WireChoice;
  readonly options: Pick<WireSubjectOptions, 'agent' | 'wrapDispatcher'>;
}

/** Makes a mutant of a row. */
export function wireMutant({ options, choice = 'all', ...row }: WireFault): Mutant {
  return {
    ...row,
    area: 'wire',
    subject: () => createWireSubject(choice, undefined, { ...options, name: row.id }),
  };
}

/** JSON whose fields are looked at one by one. */
export type Json = Record<string, unknown>;

/** Changes the handler of some transports. */
export function handling(
  transports: readonly Transport[],
  change: (handler: A2ARequestHandler) => Partial<A2ARequestHandler>,
): WireFault['options'] {
  return {
    agent: {
      wrapHandler: (transport, handler) =>
        transports.includes(transport) ? { ...handler, ...change(handler) } : handler,
    },
  };
}

/** Changes list requests on their way to the handler, and pages on their way back. */
export function listing(
  transports: readonly Transport[],
  request: (params: ListTasksRequest) => ListTasksRequest,
  page: (page: ListTasksResponse) => ListTasksResponse = (same) => same,
): WireFault['options'] {
  return handling(transports, (handler) => ({
    listTasks: async (params, context) => page(await handler.listTasks(request(params), context)),
  }));
}

/** Changes what a list over JSON-RPC or HTTP+JSON answers, as JSON. */
export function answeringLists(change: (page: Json, asked: Json) => Json): WireFault['options'] {
  return intercepting(async (request, response, next) => {
    const asked = await listFields(request);
    if (asked !== undefined) {
      onJson(response, (body) => {
        const result = body.result as Json | undefined;
        if (result !== undefined) return { ...body, result: change(result, asked) };
        return 'tasks' in body || 'nextPageToken' in body ? change(body, asked) : body;
      });
    }
    next();
  });
}

/** Changes the fields of a list request over JSON-RPC or HTTP+JSON before anybody checks them. */
export function askingLists(
  transports: readonly ('jsonrpc' | 'http')[],
  change: (fields: Json) => Json,
): WireFault['options'] {
  return intercepting(async (request, _response, next) => {
    const fields = await listFields(request);
    if (fields !== undefined && transports.includes(request.path === '/jsonrpc' ? 'jsonrpc' : 'http')) {
      const changed = change(fields);
      if (JSON.stringify(changed) !== JSON.stringify(fields)) await putListFields(request, changed);
    }
    next();
  });
}

/** Stands before the agent's HTTP transports. */
export function intercepting(intercept: RequestHandler): WireFault['options'] {
  return { agent: { intercept } };
}

/** Changes the JSON of an answer. */
export function onJson(response: Response, change: (body: Json) => Json): void {
  const send = response.json.bind(response);
  response.json = (body: Json) => send(change(body));
}

/** The fields of a list request; undefined for every other request. */
async function listFields(request: Request): Promise<Json | undefined> {
  if (request.path === '/http/tasks' && request.method === 'GET')
    return Object.fromEntries(new URLSearchParams(request.url.split('?')[1] ?? ''));
  if (request.path !== '/jsonrpc') return undefined;
  const body = await jsonBody(request);
  return body?.method === 'ListTasks' && typeof body.params === 'object' ? { ...(body.params as Json) } : undefined;
}

async function putListFields(request: Request, fields: Json): Promise<void> {
  if (request.path !== '/jsonrpc') {
    const pairs = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
    request.url = `/http/tasks?${pairs.join('&')}`;
    return;
  }
  const body = await jsonBody(request);
  const bytes = Buffer.from(JSON.stringify({ ...body, params: fields }));
  Object.defineProperty(request, Symbol.asyncIterator, { value: () => one(bytes), configurable: true });
}

/** Reads the body, and leaves it to be read again. */
async function jsonBody(request: Request): Promise<Json | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  Object.defineProperty(request, Symbol.asyncIterator, { value: () => one(bytes), configurable: true });
  try {
    return JSON.parse(bytes.toString()) as Json;
  } catch {
    return undefined;
  }
}

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  if (bytes.length > 0) yield bytes;
}
