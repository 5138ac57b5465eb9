/** Sends hostile requests as they are, and gives what comes back. */
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { connect, type Socket } from 'node:net';
import type { AgentUrls } from '../../wire/agent-card.ts';
import { sendRaw } from '../../wire/raw-http.ts';
import type { HostileRequest } from './hostile.ts';

/** What came back: of HTTP its status and body, of gRPC the trailing status and its words. */
export interface HostileAnswer {
  readonly status: number;
  readonly body: string;
  readonly contentType?: string;
}

/** Sends for one caller after another. */
export interface HostileSender {
  /** Rejects where no answer came within the time. */
  send(request: HostileRequest, bearer: string): Promise<HostileAnswer>;
  close(): void;
}

/** Opens a sender for the agent at these addresses. */
export function hostileSender(urls: AgentUrls, timeoutMs: number): HostileSender {
  const { origin, hostname, port } = new URL(urls.jsonrpc);
  const grpc = grpcSessions(`http://${urls.grpc}`, timeoutMs);
  return {
    async send(request, bearer) {
      if (request.kind === 'grpc') return grpc.send(request, bearer);
      if (request.kind === 'bytes') return sendBytes(Number(port), hostname, request.bytes, bearer, timeoutMs);
      const { verb, path, body } = request;
      const headers = { Authorization: `Bearer ${bearer}`, ...request.headers };
      const answer = await sendRaw({ method: verb, origin, path, headers, body, timeoutMs });
      const contentType = answer.headers['content-type'];
      return {
        status: answer.status,
        body: answer.body.toString(),
        ...(typeof contentType === 'string' && { contentType }),
      };
    },
    close: () => grpc.close(),
  };
}

/** Sends bytes on a connection of their own and reads until the agent closes it. */
async function sendBytes(
  port: number,
  host: string,
  bytes: Buffer,
  bearer: string,
  timeoutMs: number,
): Promise<HostileAnswer> {
  const socket = connect(port, host);
  socket.write(bytes.toString('latin1').replace('@bearer', bearer), 'latin1');
  const text = await readToEnd(socket, timeoutMs);
  const [head = '', ...rest] = text.split('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0),
    body: rest.join('\r\n\r\n'),
    contentType: /^content-type: (.*)$/im.exec(head)?.[1] ?? '',
  };
}

/** Reads all that the agent sends until it closes the connection. Rejects where it doesn't in time. */
export function readToEnd(socket: Socket, timeoutMs: number): Promise<string> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`the agent kept the connection open for ${timeoutMs} ms`));
    }, timeoutMs);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // The agent may close while bytes are still on their way to it; what it answered before counts.
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString());
    });
  });
}

type GrpcRequest = Extract<HostileRequest, { kind: 'grpc' }>;

/** One call at a time on a session, so that a session which breaks takes no other call with it. */
function grpcSessions(authority: string, timeoutMs: number) {
  const idle: ClientHttp2Session[] = [];
  const all = new Set<ClientHttp2Session>();

  function idleSession(): ClientHttp2Session {
    for (let free = idle.pop(); free !== undefined; free = idle.pop()) {
      if (!free.closed && !free.destroyed) return free;
    }
    return freshSession();
  }

  function freshSession(): ClientHttp2Session {
    const opened = connectHttp2(authority);
    opened.on('error', () => {});
    opened.on('close', () => all.delete(opened));
    all.add(opened);
    return opened;
  }

  function once(
    current: ClientHttp2Session,
    { path, headers, data }: GrpcRequest,
    bearer: string,
  ): Promise<HostileAnswer | undefined> {
    return new Promise((resolve, reject) => {
      const stream = current.request({
        ':method': 'POST',
        ':path': path,
        authorization: `Bearer ${bearer}`,
        ...headers,
      });
      let status: number | undefined;
      let words = '';
      const read = (received: Readonly<Record<string, unknown>>): void => {
        if (received['grpc-status'] === undefined) return;
        status = Number(received['grpc-status']);
        words = decodeWords(String(received['grpc-message'] ?? ''));
        // What the agent has answered already needs no more of the request; of resets a server bears only so many.
        if (!stream.writableFinished) stream.close(constants.NGHTTP2_CANCEL);
      };
      const timer = setTimeout(() => {
        current.destroy();
        reject(new Error(`no answer within ${timeoutMs} ms`));
      }, timeoutMs);
      stream.on('response', read);
      stream.on('trailers', read);
      stream.on('error', () => {});
      stream.on('close', () => {
        clearTimeout(timer);
        if (status !== undefined) resolve({ status, body: words });
        else if (current.closed || stream.rstCode === constants.NGHTTP2_ENHANCE_YOUR_CALM) {
          // HTTP/2 keeps account of what a session has had to hold, and turns away its calls once that was too much.
          current.destroy();
          resolve(undefined);
        } else reject(new Error(`the call was closed without a status (${stream.rstCode})`));
        idle.push(current);
      });
      stream.resume();
      stream.end(data);
    });
  }

  return {
    async send(request: GrpcRequest, bearer: string): Promise<HostileAnswer> {
      // An agent may end a session that is old or idle while a call is on its way; a client then opens another.
      const answer = (await once(idleSession(), request, bearer)) ?? (await once(freshSession(), request, bearer));
      if (answer === undefined) throw new Error('the session was ended under its first call');
      return answer;
    },
    close: () => {
      for (const open of all) open.destroy();
    },
  };
}

function decodeWords(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
