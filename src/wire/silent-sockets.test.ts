import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { endSilentSockets } from './silent-sockets.ts';

it('ends a connection on which nothing moves, and leaves one on which something does', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const server = createServer((socket) => void socket.resume());
  endSilentSockets(server, 1_000);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const join = async () => {
    const accepted = once(server, 'connection');
    const client = connect(port, '127.0.0.1');
    return { client, at: (await accepted)[0] as Socket };
  };
  const silent = await join();
  const busy = await join();
  const closed = once(silent.client, 'close');
  for (let period = 1; period <= 3; period += 1) {
    busy.client.write('x');
    await vi.waitFor(() => expect(busy.at.bytesRead).toBe(period));
    vi.advanceTimersByTime(1_000);
  }
  await closed;
  expect(busy.at.destroyed).toBe(false);
  busy.client.destroy();
  server.close();
  vi.useRealTimers();
});
