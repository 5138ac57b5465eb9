/** Ends connections on which nothing moves. */
import type { Server, Socket } from 'node:net';

/**
 * Destroys every connection of `server` on which no byte moved, in either direction, between two looks `periodMs` apart;
 * stops when the server is closed. A socket's own timeout is no help: it does not see what HTTP/2 reads past it.
 */
export function endSilentSockets(server: Server, periodMs: number): void {
  const movedBefore = new Map<Socket, number>();
  server.on('connection', (socket) => {
    movedBefore.set(socket, -1);
    socket.once('close', () => movedBefore.delete(socket));
  });
  const timer = setInterval(() => {
    for (const [socket, before] of movedBefore) {
      const moved = socket.bytesRead + socket.bytesWritten;
      if (moved === before) socket.destroy();
      else movedBefore.set(socket, moved);
    }
  }, periodMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}
