/** What an agent answered instead of a result, read back into the contract's terms. */
import type { ErrorCode } from '../task/errors.ts';
import type { RawAnswer } from './raw-http.ts';
import type { Transport } from './transport-error.ts';

/** An error answer of an agent, or a connection that broke. */
export class WireError extends Error {
  /** The contract's code, undefined where the answer has none of its meanings. */
  readonly code: ErrorCode | undefined;
  readonly transport: Transport;
  /** HTTP status, or gRPC status code; 0 where no answer came. */
  readonly status: number;
  /** The error object of JSON-RPC, the body of HTTP+JSON, the details of gRPC. */
  readonly answer: unknown;

  constructor(transport: Transport, code: ErrorCode | undefined, message: string, status: number, answer: unknown) {
    super(message);
    this.name = 'WireError';
    this.transport = transport;
    this.code = code;
    this.status = status;
    this.answer = answer;
  }
}

/** How the reference agent spells the refusal of a standing id: A2A has no code of its own for it. */
const ALREADY_EXISTS = 'Task already exists';

/** Reads an error of A2A by its code: of JSON-RPC, or the reason of HTTP+JSON, or the status code of gRPC. */
export function wireError(
  transport: Transport,
  meaning: string | number | undefined,
  message: string,
  status: number,
  answer: unknown,
): WireError {
  const code =
    message === ALREADY_EXISTS ? 'already-exists' : meaning === undefined ? undefined : meanings.get(meaning);
  return new WireError(transport, code, message, status, answer);
}

/** A broken connection: a write may have taken effect. */
export function brokenConnection(transport: Transport, cause: unknown): WireError {
  return new WireError(transport, 'unknown-outcome', 'The connection broke', 0, cause);
}

/** An agent may answer a message with a message, and make no task (A2A 1.0 §3.1.1). */
export class NoTaskError extends Error {
  constructor() {
    super('The agent answered with a message and no task');
    this.name = 'NoTaskError';
  }
}

/** An answer over HTTP that holds neither a result nor an error of A2A: of a proxy, or of no agent. */
export function noAnswer(transport: Transport, { status, body }: Pick<RawAnswer, 'status' | 'body'>): WireError {
  const code = status >= 500 ? 'internal' : undefined;
  return new WireError(transport, code, `The answer, of status ${status}, is none of A2A`, status, body.toString());
}

/** Reads the JSON object of an answer; throws `noAnswer` where it is none. */
export function readObject(transport: Transport, answer: RawAnswer): object {
  try {
    const json: unknown = JSON.parse(answer.body.toString());
    if (typeof json === 'object' && json !== null) return json;
  } catch {}
  throw noAnswer(transport, answer);
}

const meanings: ReadonlyMap<string | number, ErrorCode> = new Map<string | number, ErrorCode>([
  [-32602, 'invalid-argument'],
  [-32001, 'not-found'],
  [-32002, 'not-cancelable'],
  [-32603, 'internal'],
  ['INVALID_PARAMS', 'invalid-argument'],
  ['TASK_NOT_FOUND', 'not-found'],
  ['TASK_NOT_CANCELABLE', 'not-cancelable'],
  ['INTERNAL', 'internal'],
  [3, 'invalid-argument'],
  [5, 'not-found'],
  [9, 'not-cancelable'],
  [13, 'internal'],
]);
