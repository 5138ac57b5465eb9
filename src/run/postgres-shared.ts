/** One server for several users of it in this process. */
import type { PostgresProvider, PostgresServer } from './postgres-provider.ts';

/**
 * Shares the provider's server: it starts with the first user and ends with the last one that stops, so that a row of
 * subjects doesn't start a server each. A server that did not start is tried again by the next user. With `linger` it
 * stays until this process ends, however its users come and go: an embedded server ends with its process anyway.
 */
export function sharePostgres(
  provider: PostgresProvider,
  { linger = false }: { readonly linger?: boolean } = {},
): PostgresProvider {
  let running: Promise<PostgresServer> | undefined;
  let users = 0;
  return {
    name: provider.name,
    start: async (): Promise<PostgresServer> => {
      users++;
      running ??= provider.start();
      try {
        const server = await running;
        let stopped = false;
        return {
          ...server,
          stop: async () => {
            if (stopped) return;
            stopped = true;
            if (--users > 0 || linger) return;
            running = undefined;
            await server.stop();
          },
        };
      } catch (error) {
        users--;
        running = undefined;
        throw error;
      }
    },
  };
}
