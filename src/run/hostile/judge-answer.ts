/** Whether an answer to a hostile request is one of A2A on its transport, and says no more than it must. */
import type { Transport } from '../../wire/transport-error.ts';
import type { Outcome } from './hostile.ts';
import type { HostileAnswer } from './send-hostile.ts';

/** What an answer was taken for; `wrong` says why it is none that an agent may give. */
export type Reading =
  | { readonly outcome: Outcome; readonly text: string }
  | { readonly wrong: string; readonly text: string };

/** Words of a runtime, a database or a machine, which have no place in an answer. */
const INTERNALS =
  /node_modules|node:internal|\bat .*:\d+:\d+|\.[cm]?[tj]s\b|\bSELECT\b|\b[A-Z]\w*Error\b|\bundefined\b|\bNaN\b|is not (?:a function|iterable|defined)|Cannot (?:read|set|destructure)|0x[0-9a-f]{6}|\/(?:home|usr|tmp|var|work|root)\//;

const rpcOutcomes: ReadonlyMap<number, Outcome> = new Map([
  [-32700, 'not-json'],
  [-32600, 'no-call'],
  [-32601, 'no-operation'],
  [-32602, 'invalid-argument'],
  [-32001, 'not-found'],
  [-32004, 'unsupported'],
  [-32007, 'unsupported'],
  [-32005, 'content-type'],
  [-32009, 'version'],
]);

/** By the reason of the error, else the name of its status; each stands under one HTTP status (A2A 1.0 §5.4). */
const httpOutcomes: ReadonlyMap<string, readonly [status: number, outcome: Outcome]> = new Map([
  ['INVALID_PARAMS', [400, 'invalid-argument']],
  ['INVALID_ARGUMENT', [400, 'malformed']],
  ['TASK_NOT_FOUND', [404, 'not-found']],
  ['NOT_FOUND', [404, 'not-found']],
  ['UNSUPPORTED_OPERATION', [400, 'unsupported']],
  ['EXTENDED_AGENT_CARD_NOT_CONFIGURED', [400, 'unsupported']],
  ['CONTENT_TYPE_NOT_SUPPORTED', [400, 'content-type']],
  ['VERSION_NOT_SUPPORTED', [400, 'version']],
  ['UNAUTHENTICATED', [401, 'unauthenticated']],
]);

const grpcOutcomes: ReadonlyMap<number, Outcome> = new Map([
  [0, 'answer'],
  [3, 'invalid-argument'],
  [5, 'not-found'],
  [8, 'too-large'],
  [9, 'unsupported'],
  [12, 'no-operation'],
  [13, 'framing'],
  [16, 'unauthenticated'],
]);

/** Reads an answer. */
export function readAnswer(transport: Transport, answer: HostileAnswer): Reading {
  const { status, body } = answer;
  if (transport === 'grpc') return grpcReading(status, body);
  const json = parsed(body);
  if (typeof json !== 'object' || json === null)
    return { wrong: `status ${status} with a body that is no object`, text: body };
  if (!/json/.test(answer.contentType ?? '')) return { wrong: `content type ${answer.contentType}`, text: body };
  const { error } = json as { readonly error?: { readonly message?: unknown } };
  if (error !== undefined && (typeof error.message !== 'string' || INTERNALS.test(JSON.stringify(error)))) {
    return { wrong: 'an error that tells internals, or nothing', text: body };
  }
  const isOfHttp = transport === 'http' || status === 400;
  return isOfHttp ? httpReading(status, json, body) : rpcReading(status, json, body);
}

function rpcReading(status: number, json: object, text: string): Reading {
  const { jsonrpc, error, id } = json as { jsonrpc?: unknown; id?: unknown; error?: { readonly code: number } };
  const isId = id === null || typeof id === 'string' || Number.isSafeInteger(id);
  if (jsonrpc !== '2.0' || !isId || 'result' in json === 'error' in json)
    return { wrong: 'no response of JSON-RPC 2.0', text };
  if (error === undefined)
    return status === 200 ? { outcome: 'answer', text } : { wrong: `a result with status ${status}`, text };
  if (status === 401) return { outcome: 'unauthenticated', text };
  const outcome = rpcOutcomes.get(error.code);
  // A path or a verb that is not served is told by HTTP as well.
  const isRight = status === 200 || (status === 404 && outcome === 'no-call');
  return outcome && isRight ? { outcome, text } : { wrong: `code ${error.code} with status ${status}`, text };
}

function httpReading(status: number, json: object, text: string): Reading {
  if (status >= 200 && status < 300) return { outcome: 'answer', text };
  const { error } = json as { error?: { code?: unknown; status?: string; details?: { reason?: string }[] } };
  const [wanted, outcome] = httpOutcomes.get(error?.details?.[0]?.reason ?? error?.status ?? '') ?? [];
  if (outcome === undefined || wanted !== status || error?.code !== status) return { wrong: `status ${status}`, text };
  return { outcome, text };
}

function grpcReading(status: number, text: string): Reading {
  const outcome = grpcOutcomes.get(status);
  if (outcome === undefined) return { wrong: `status ${status}`, text };
  if (status !== 0 && (text === '' || INTERNALS.test(text)))
    return { wrong: `status ${status} that tells internals, or nothing`, text };
  return { outcome, text };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
