/** `pagecheck serve`: the reference agent, until it is told to stop. */
import { randomBytes } from 'node:crypto';
import { createDispatcher } from '../dispatcher/dispatcher.ts';
import { EnvironmentError } from '../run/environment-error.ts';
import { choosePostgresProvider } from '../run/postgres-provider.ts';
import { createMemoryTaskStore } from '../store/memory.ts';
import { openPostgresTaskStore } from '../store/postgres.ts';
import type { TaskStore } from '../task/task-store.ts';
import { type Agent, startAgent } from '../wire/agent.ts';
import { bearerTable } from '../wire/callers.ts';
import { keepMessages } from '../wire/executor.ts';
import { defaultLimits } from '../wire/limits.ts';
import { ownerPolicy } from '../wire/owner-policy.ts';
import { createPushConfigs } from '../wire/push-configs.ts';
import { parseServeOptions, type ServeOptions, serveUsage } from './serve-options.ts';

/** Takes a line of output. */
export type Out = (line: string) => void;

/** A running agent with all that was started for it. */
export interface Serving {
  readonly agent: Agent;
  /** Stops the agent, then its store, then a database server that is ours. */
  stop(): Promise<void>;
}

/** Starts what `pagecheck serve` serves. Throws an `EnvironmentError` where a port or the database can't be had. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { store, close } = await openStore(options);
  const dispatcher = createDispatcher({ store, policy: ownerPolicy });
  const backend = {
    dispatcher,
    executor: keepMessages,
    pushConfigs: createPushConfigs(defaultLimits.pushConfigsPerTask),
  };
  const { host, port, grpcPort, callers } = options;
  try {
    const agent = await startAgent({
      backend: () => backend,
      authenticate: bearerTable(callers),
      host,
      port,
      grpcPort,
    });
    return {
      agent,
      stop: async () => {
        await agent.close();
        await close();
      },
    };
  } catch (cause) {
    await close();
    throw new EnvironmentError(`The agent can't listen on ${host}: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Runs the command: starts the agent, prints how to call it, and gives exit status 0 once it was told to stop by SIGINT,
 * SIGTERM or SIGHUP and has stopped. A second signal ends the process at once.
 */
export async function runServe(args: readonly string[], out: Out): Promise<number> {
  if (args.includes('--help')) {
    out(serveUsage);
    return 0;
  }
  const options = parseServeOptions(args, () => randomBytes(18).toString('base64url'));
  const signals = listenForStop();
  try {
    const serving = await serve(options);
    for (const line of howToCall(serving.agent, options)) out(line);
    await signals.told;
    out('Stopping.');
    await serving.stop();
    return 0;
  } finally {
    signals.done();
  }
}

async function openStore(options: ServeOptions): Promise<{ store: TaskStore; close(): Promise<void> }> {
  if (options.store === 'memory') {
    const store = createMemoryTaskStore();
    return { store, close: () => store.close() };
  }
  const server = await choosePostgresProvider({ postgres: options.postgres }).start();
  try {
    const connection = { connectionString: server.url };
    const store = await openPostgresTaskStore({ connection, schemaMode: 'managed' });
    return {
      store,
      close: async () => {
        await store.close();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

function howToCall({ urls, baseUrl }: Agent, { store, callers }: ServeOptions): string[] {
  const [token = '', caller = ''] = Object.entries(callers)[0] ?? [];
  return [
    `The reference agent serves tasks kept in ${store === 'memory' ? 'memory' : 'PostgreSQL'}:`,
    `  agent card  ${baseUrl}/.well-known/agent-card.json`,
    `  JSON-RPC    ${urls.jsonrpc}`,
    `  HTTP+JSON   ${urls.http}`,
    `  gRPC        ${urls.grpc} (lf.a2a.v1.A2AService)`,
    `Callers: ${Object.values(callers).join(', ')}. To list the tasks of ${caller}:`,
    `  curl -H 'Authorization: Bearer ${token}' -H 'A2A-Version: 1.0' '${urls.http}/tasks?pageSize=10'`,
    'Ctrl-C stops it.',
  ];
}

interface StopSignal {
  readonly told: Promise<void>;
  /** Leaves the signals to others again. */
  done(): void;
}

/** Listens until `done`: the database server's own guards end the process when nobody else listens any more. */
function listenForStop(): StopSignal {
  const numbers = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;
  const names = Object.keys(numbers) as (keyof typeof numbers)[];
  let stop = (): void => {};
  let stopping = false;
  const told = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const onSignal = (name: keyof typeof numbers): void => {
    if (stopping) process.exit(128 + numbers[name]);
    stopping = true;
    stop();
  };
  for (const name of names) process.on(name, onSignal);
  return {
    told,
    done: () => {
      for (const name of names) process.off(name, onSignal);
    },
  };
}
