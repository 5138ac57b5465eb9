/** A PostgreSQL in a container, where Docker answers. */
import { EnvironmentError } from './environment-error.ts';
import type { PostgresProvider, PostgresServer } from './postgres-provider.ts';

/** How the container is started. */
export interface ContainerOptions {
  /** `postgres:18` where absent. */
  readonly image?: string;
  /** Keeps what was acknowledged across a crash, at the price of speed. */
  readonly durable?: boolean;
}

/**
 * Provides a server in a container by `testcontainers`, which is loaded only here: it is an optional peer dependency.
 * Its reaper removes the container also where this process is killed.
 */
export function createContainerProvider(options: ContainerOptions = {}): PostgresProvider {
  const { image = 'postgres:18', durable = false } = options;
  return {
    name: `container (${image})`,
    start: async (): Promise<PostgresServer> => {
      const { GenericContainer, Wait } = await loadTestcontainers();
      const onOff = durable ? 'on' : 'off';
      const settings = ['fsync', 'synchronous_commit', 'full_page_writes'].flatMap((name) => [
        '-c',
        `${name}=${onOff}`,
      ]);
      try {
        const container = await new GenericContainer(image)
          .withEnvironment({
            POSTGRES_PASSWORD: 'pagecheck',
            POSTGRES_INITDB_ARGS: '--locale-provider=icu --icu-locale=en-US --no-sync',
          })
          .withCommand(['postgres', ...settings])
          .withExposedPorts(5432)
          // The image starts a first server for its own set-up: the second line is the one that stays.
          .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
          .start();
        const url = `postgres://postgres:pagecheck@${container.getHost()}:${container.getMappedPort(5432)}/postgres`;
        return {
          url,
          own: true,
          stop: async () => {
            await container.stop();
          },
        };
      } catch (cause) {
        throw new EnvironmentError(
          `No PostgreSQL container (${image}): ${(cause as Error).message}. Start Docker, or leave --postgres out for an embedded server.`,
          { cause },
        );
      }
    },
  };
}

async function loadTestcontainers(): Promise<typeof import('testcontainers')> {
  try {
    return await import('testcontainers');
  } catch (cause) {
    throw new EnvironmentError(
      'The package testcontainers is not installed: npm install --save-dev testcontainers@11, or leave --postgres out for an embedded server.',
      { cause },
    );
  }
}
