/** The agent that hostile requests are sent to: what `pagecheck serve` serves from memory, with short waits. */
import { createDispatcher } from '../../dispatcher/dispatcher.ts';
import { createMemoryTaskStore } from '../../store/memory.ts';
import { type Agent, startAgent } from '../../wire/agent.ts';
import { bearerTable } from '../../wire/callers.ts';
import { createWireClient, type WireClient } from '../../wire/client.ts';
import { keepMessages } from '../../wire/executor.ts';
import { defaultLimits, type WireLimits } from '../../wire/limits.ts';
import { ownerPolicy } from '../../wire/owner-policy.ts';
import { createPushConfigs } from '../../wire/push-configs.ts';
import type { AgentBackend } from '../../wire/request-handler.ts';
import type { Transport } from '../../wire/transport-error.ts';

/** The callers' tokens: alice has tasks, bob has none. */
export const BEARERS: readonly string[] = ['alice-token', 'bob-token'];

/** The context of the tasks that are known. */
const KEPT = 'kept-by-the-run';
const KEPT_TASKS = 3;

/** A running agent, and what is known of it. */
export interface FuzzAgent extends Agent {
  /** Puts an empty store behind the agent, with alice's tasks in it again: what hostile requests made is forgotten. */
  renew(): Promise<void>;
  /** Gives what is wrong with the answers to right requests on a transport; undefined where all is well. */
  askHonestly(transport: Transport): Promise<string | undefined>;
}

/** Starts the agent on 127.0.0.1. */
export async function startFuzzAgent(limits: Partial<WireLimits>): Promise<FuzzAgent> {
  let backend = newBackend();
  const agent = await startAgent({
    backend: () => backend,
    authenticate: bearerTable({ 'alice-token': 'alice', 'bob-token': 'bob' }),
    limits,
  });

  async function withClient<T>(
    transport: Transport,
    bearer: string,
    use: (client: WireClient) => Promise<T>,
  ): Promise<T> {
    const client = createWireClient(transport, { urls: agent.urls, bearer });
    try {
      return await use(client);
    } finally {
      client.close();
    }
  }

  const renew = async (): Promise<void> => {
    backend = newBackend();
    await withClient('jsonrpc', BEARERS[0] as string, async (client) => {
      for (let n = 0; n < KEPT_TASKS; n += 1) await client.send(keptMessage(n));
    });
  };
  await renew();

  return {
    ...agent,
    renew,
    askHonestly: async (transport) => {
      const kept = { contextId: KEPT, pageSize: 2 };
      const seen = await withClient(transport, BEARERS[0] as string, async (client) => {
        const first = await client.list(kept);
        const second = await client.list({ ...kept, pageToken: first.nextPageToken });
        return [first.tasks.length, first.totalSize, second.tasks.length, second.nextPageToken];
      });
      const others = await withClient(transport, BEARERS[1] as string, (client) => client.list(kept));
      const right = JSON.stringify([2, KEPT_TASKS, KEPT_TASKS - 2, '', 0]);
      const was = JSON.stringify([...seen, others.totalSize]);
      return was === right ? undefined : `a right walk gave ${was} instead of ${right}`;
    },
  };
}

function newBackend(): AgentBackend {
  const dispatcher = createDispatcher({ store: createMemoryTaskStore(), policy: ownerPolicy });
  return { dispatcher, executor: keepMessages, pushConfigs: createPushConfigs(defaultLimits.pushConfigsPerTask) };
}

function keptMessage(n: number): Parameters<WireClient['send']>[0] {
  return {
    messageId: `m${n}`,
    contextId: KEPT,
    taskId: '',
    role: 1,
    parts: [],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}
