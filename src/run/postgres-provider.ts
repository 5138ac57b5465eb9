/** Where a run gets its PostgreSQL from: a server of the user's, an embedded one, or a container. */
import { createContainerProvider } from './postgres-container.ts';
import { createEmbeddedProvider } from './postgres-embedded.ts';
import { createUrlProvider } from './postgres-url.ts';

/** A running server that a run may use. */
export interface PostgresServer {
  /** A connection string with user and password: never printed as it is. */
  readonly url: string;
  /** True where the whole server is ours: it may be restarted, crashed and is thrown away at the end. */
  readonly own: boolean;
  /** Kills every process of the server at once, as a power cut would; only where the server is ours. */
  crash?(): Promise<void>;
  /** Starts a crashed server again on the same data and port. */
  restart?(): Promise<void>;
  /** Ends the server where it is ours, and whatever was started for it. */
  stop(): Promise<void>;
}

/** Gives a server when one is needed, not before. `start` throws an `EnvironmentError` that says what to do. */
export interface PostgresProvider {
  /** How a report names it, without a password. */
  readonly name: string;
  start(): Promise<PostgresServer>;
}

/** What `choosePostgresProvider` looks at. */
export interface ProviderChoice {
  /** The value of `--postgres`: `embedded`, `container` or a URL. */
  readonly postgres?: string | undefined;
  /** The environment; `PAGECHECK_POSTGRES_URL` counts where `--postgres` is absent. */
  readonly env?: NodeJS.ProcessEnv;
  /** Keeps what was acknowledged across a crash (fsync and synchronous commit on), at the price of speed. */
  readonly durable?: boolean;
}

/** Chooses by `--postgres`, then by `PAGECHECK_POSTGRES_URL`; embedded where neither says anything. */
export function choosePostgresProvider(choice: ProviderChoice = {}): PostgresProvider {
  const { postgres, env = process.env, durable = false } = choice;
  const named = postgres || env.PAGECHECK_POSTGRES_URL || 'embedded';
  if (named === 'embedded') return createEmbeddedProvider({ durable });
  if (named === 'container') return createContainerProvider({ durable });
  return createUrlProvider(named);
}
