/** The bodies of HTTP requests: bounded, UTF-8, JSON. */
import type { IncomingMessage } from 'node:http';
import { InvalidArgumentError } from '../task/errors.ts';

/** A body that is no JSON text: JSON-RPC has a code of its own for it. */
export class NotJsonError extends InvalidArgumentError {
  constructor() {
    super('The request body is not JSON');
  }
}

/** How much more of a body that is too long is read, so that its sender gets to see the answer. */
const DRAIN_FACTOR = 4;

/**
 * Reads a body as JSON; undefined where there is none. Throws `NotJsonError` for invalid UTF-8 and invalid JSON, and
 * `invalid-argument` for more than `limitBytes`; never holds more than that.
 */
export async function readJsonBody(request: IncomingMessage, limitBytes: number): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limitBytes) chunks.length = 0;
    else chunks.push(chunk);
    if (length > limitBytes * DRAIN_FACTOR) break;
  }
  if (length > limitBytes) throw new InvalidArgumentError('The request body is too long');
  if (length === 0) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
    return JSON.parse(text);
  } catch {
    throw new NotJsonError();
  }
}
