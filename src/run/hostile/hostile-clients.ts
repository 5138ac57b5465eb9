/** Clients that are no use to anybody: slow ones, ones that vanish, and crowds. */
import { connect, type Socket } from 'node:net';
import type { AgentUrls } from '../../wire/agent-card.ts';
import type { Transport } from '../../wire/transport-error.ts';
import { pick, type Random } from './hostile.ts';
import { readToEnd } from './send-hostile.ts';

/** The start of a connection of HTTP/2, an empty SETTINGS frame with it. */
const PREFACE = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
]);

/** Where a transport listens. */
function address(transport: Transport, urls: AgentUrls): readonly [port: number, host: string] {
  const { hostname, port } = new URL(transport === 'grpc' ? `http://${urls.grpc}` : urls.jsonrpc);
  return [Number(port), hostname];
}

/** A connection on which `bytes` were sent; also one that was closed at once, which is one of the things that are tried. */
function opened(transport: Transport, urls: AgentUrls, bytes: Buffer): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(...address(transport, urls), () => {
      if (bytes.length > 0) socket.write(bytes);
      resolve(socket);
    });
    socket.on('error', () => resolve(socket));
  });
}

/** The bytes of a right request, as they go over the transport's connection. */
function rightBytes(transport: Transport): Buffer {
  if (transport === 'grpc') return Buffer.concat([PREFACE, headersFrame(), dataFrame()]);
  const auth = 'Host: x\r\nAuthorization: Bearer alice-token\r\nA2A-Version: 1.0\r\n';
  const body = '{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":{}}';
  return Buffer.from(
    transport === 'http'
      ? `GET /http/tasks HTTP/1.1\r\n${auth}\r\n`
      : `POST /jsonrpc HTTP/1.1\r\n${auth}Content-Length: ${body.length}\r\n\r\n${body}`,
  );
}

/** A HEADERS frame of stream 1 without compression: literal fields, none of them indexed (RFC 7541 §6.2.2). */
function headersFrame(): Buffer {
  const fields = {
    ':method': 'POST',
    ':scheme': 'http',
    ':path': '/lf.a2a.v1.A2AService/ListTasks',
    ':authority': 'x',
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: 'Bearer alice-token',
    'a2a-version': '1.0',
  };
  const block = Buffer.concat(
    Object.entries(fields).map(([name, value]) =>
      Buffer.concat([
        Buffer.from([0, name.length]),
        Buffer.from(name),
        Buffer.from([value.length]),
        Buffer.from(value),
      ]),
    ),
  );
  return Buffer.concat([Buffer.from([0, block.length >> 8, block.length & 255, 1, 4, 0, 0, 0, 1]), block]);
}

/** A DATA frame of stream 1: an empty message, and the end of the stream. */
function dataFrame(): Buffer {
  return Buffer.from([0, 0, 5, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0]);
}

/** Sends a part of a right request and is gone. */
export async function vanish(transport: Transport, urls: AgentUrls, random: Random): Promise<void> {
  const bytes = rightBytes(transport);
  const socket = await opened(transport, urls, bytes.subarray(0, random(bytes.length + 1)));
  if (random(2) === 0) socket.resetAndDestroy();
  else socket.destroy();
}

/** Sends a part of a right request, and nothing more. Rejects where the agent bears it for longer than `timeoutMs`. */
export async function stall(transport: Transport, urls: AgentUrls, random: Random, timeoutMs: number): Promise<void> {
  const bytes = rightBytes(transport);
  const part =
    transport === 'grpc'
      ? pick(random, [0, 3, PREFACE.length, bytes.length - 14, bytes.length - 2])
      : random(bytes.length);
  await readToEnd(await opened(transport, urls, bytes.subarray(0, part)), timeoutMs);
}

/** Opens `count` connections, lets `meanwhile` run with the number of those that are open, and is gone. */
export async function crowd(
  transport: Transport,
  urls: AgentUrls,
  count: number,
  meanwhile: (openCount: () => number) => Promise<void>,
): Promise<void> {
  const sockets: Socket[] = [];
  const step = 200;
  try {
    while (sockets.length < count) {
      const size = Math.min(step, count - sockets.length);
      sockets.push(
        ...(await Promise.all(Array.from({ length: size }, () => opened(transport, urls, Buffer.alloc(0))))),
      );
    }
    for (const socket of sockets) socket.resume();
    await meanwhile(() => sockets.filter(({ closed }) => !closed).length);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}
