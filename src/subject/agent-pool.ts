/** Running agents that are used again: a fresh store behind an agent is much sooner there than a fresh agent. */
import { type Agent, type AgentOptions, startAgent } from '../wire/agent.ts';
import type { AgentBackend } from '../wire/request-handler.ts';

/** An agent with one store behind it. */
export interface PooledAgent {
  readonly agent: Agent;
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

/** Makes an empty pool of agents that are started with `options`. */
export function createAgentPool(options: Omit<AgentOptions, 'backend'>): AgentPool {
  const free: { readonly agent: Agent; backend: AgentBackend | undefined }[] = [];
  const all: Agent[] = [];

  async function start() {
    const slot: { agent: Agent; backend: AgentBackend | undefined } = {
      backend: undefined,
      agent: await startAgent({
        ...options,
        backend: () => {
          if (slot.backend === undefined) throw new Error('There is no store behind this agent');
          return slot.backend;
        },
      }),
    };
    all.push(slot.agent);
    return slot;
  }

  return {
    async take(backend) {
      const slot = free.pop() ?? (await start());
      slot.backend = backend;
      let released = false;
      return {
        agent: slot.agent,
        release() {
          if (released) return;
          released = true;
          slot.backend = undefined;
          free.push(slot);
        },
      };
    },
    async close() {
      free.length = 0;
      await Promise.all(all.splice(0).map((agent) => agent.close(0)));
    },
  };
}
