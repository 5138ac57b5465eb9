/** HTTP requests byte by byte, for what no client library would send, and for seeing what it would hide. */
import { Agent, request } from 'node:http';
import { request as requestSecurely, Agent as SecureAgent } from 'node:https';

/** A request as it goes out. The path is sent as it is: `..` and bad escapes too. */
export interface RawRequest {
  readonly method: string;
  /** Scheme, host and port, such as `http://127.0.0.1:8080`. */
  readonly origin: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Milliseconds of silence until the request is given up; 10,000 where absent. */
  readonly timeoutMs?: number;
}

/** An answer as it came in. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

const keepAlive = new Agent({ keepAlive: true, maxSockets: 64 });
const keepAliveSecure = new SecureAgent({ keepAlive: true, maxSockets: 64 });

/** Sends a request and reads the whole answer. Rejects where the connection breaks or the time is over. */
export function sendRaw(raw: RawRequest): Promise<RawAnswer> {
  const { protocol, hostname, port } = new URL(raw.origin);
  const secure = protocol === 'https:';
  const { method, path, body, timeoutMs = 10_000 } = raw;
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const outgoing = (secure ? requestSecurely : request)({
      agent: secure ? keepAliveSecure : keepAlive,
      // An IPv6 address stands in brackets in a URL, and without them in a request.
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      method,
      path,
      headers: { ...length, ...raw.headers },
      timeout: timeoutMs,
    });
    outgoing.on('error', reject);
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${timeoutMs} ms`)));
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) }),
      );
    });
    outgoing.end(body);
  });
}
