/** Running agents that are used again: a fresh store behind an agent is much sooner there than a fresh agent. */
import { type Agent, type AgentOptions, startAgent } from '../wire/agent.ts';
import type { AgentBackend } from '../wire/request-handler.ts';
import { createWireClientSet, type WireClientSet } from './wire-client-set.ts';

/** An agent with one store behind it. */
export interface PooledAgent {
  readonly agent: Agent;
  /** The clients of the agent, whose connections last as long as it does. */
  readonly clients: WireClientSet;
  /** Puts the agent back; its backend answers no more calls. */
  release(): void;
}

/** Agents for a run; any number may be in use at once. */
export interface AgentPool {
  /** Takes a free agent, or starts one, and puts `backend` behind it. */
  take(backend: AgentBackend): Promise<PooledAgent>;
  /** Stops all agents. */
  close(): Promise<void>;
}

interface Slot {
  readonly agent: Agent;
  readonly clients: WireClientSet;
  put(backend: AgentBackend | undefined): void;
}

/** Makes an empty pool of agents that are started with `options`. */
export function createAgentPool(options: Omit<AgentOptions, 'backend'>): AgentPool {
  const free: Slot[] = [];
  const all: Slot[] = [];

  async function start(): Promise<Slot> {
    let backend: AgentBackend | undefined;
    const agent = await startAgent({
      ...options,
      backend: () => {
        if (backend === undefined) throw new Error('There is no store behind this agent');
        return backend;
      },
    });
    const clients = createWireClientSet(agent.urls);
    const put = (next: AgentBackend | undefined): void => {
      backend = next;
    };
    const slot = { agent, clients, put };
    all.push(slot);
    return slot;
  }

  return {
    async take(backend) {
      const slot = free.pop() ?? (await start());
      slot.put(backend);
      let released = false;
      return {
        agent: slot.agent,
        clients: slot.clients,
        release() {
          if (released) return;
          released = true;
          slot.put(undefined);
          free.push(slot);
        },
      };
    },
    async close() {
      free.length = 0;
      const slots = all.splice(0);
      for (const { clients } of slots) clients.close();
      await Promise.all(slots.map(({ agent }) => agent.close(0)));
    },
  };
}
