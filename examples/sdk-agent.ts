/**
 * An agent as the released SDK's user builds it: its own handler, its own in-memory store, JSON-RPC and HTTP+JSON.
 * `node --import tsx examples/sdk-agent.ts --port 4000`, then `npx pagecheck certify http://127.0.0.1:4000`.
 */
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { AGENT_CARD_PATH, type AgentCard, Role, type Task, TaskState } from '@a2a-js/sdk';
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';

/** Makes a task of each message, which then waits for the next one. */
class PatientExecutor implements AgentExecutor {
  readonly #contexts = new Map<string, string>();

  async execute({ taskId, contextId, userMessage, task }: RequestContext, bus: ExecutionEventBus): Promise<void> {
    this.#contexts.set(taskId, contextId);
    const status = { state: TaskState.TASK_STATE_INPUT_REQUIRED, message: undefined, timestamp: now() };
    const begun: Task = { id: taskId, contextId, status, artifacts: [], history: [userMessage], metadata: {} };
    if (task === undefined) bus.publish(AgentEvent.task(begun));
    else bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: {} }));
    bus.finished();
  }

  async cancelTask(taskId: string, bus: ExecutionEventBus): Promise<void> {
    const contextId = this.#contexts.get(taskId) ?? '';
    const message = {
      messageId: randomUUID(),
      role: Role.ROLE_AGENT,
      taskId,
      contextId,
      parts: [],
      metadata: {},
      extensions: [],
      referenceTaskIds: [],
    };
    const status = { state: TaskState.TASK_STATE_CANCELED, message, timestamp: now() };
    bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: {} }));
    bus.finished();
  }
}

const now = (): string => new Date().toISOString();

/** Starts the agent on 127.0.0.1; port 0 takes a free one. */
export async function startSdkAgent(port: number): Promise<{ readonly url: string; readonly server: Server }> {
  const app = express();
  const server = await new Promise<Server>((resolve, reject) => {
    const listening = app.listen(port, '127.0.0.1', (error) => (error ? reject(error) : resolve(listening)));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const requestHandler = new DefaultRequestHandler(cardOf(url), new InMemoryTaskStore(), new PatientExecutor());
  const userBuilder = UserBuilder.noAuthentication;
  app.use(`/${AGENT_CARD_PATH}`, agentCardHandler({ agentCardProvider: requestHandler }));
  app.use('/jsonrpc', jsonRpcHandler({ requestHandler, userBuilder }));
  app.use('/http', restHandler({ requestHandler, userBuilder }));
  return { url, server };
}

function cardOf(url: string): AgentCard {
  const offered = (protocolBinding: string, path: string) => ({
    protocolBinding,
    url: url + path,
    tenant: '',
    protocolVersion: '1.0',
  });
  return {
    name: 'patient agent',
    description: 'Keeps every message as a task that waits for the next.',
    version: '1.0.0',
    supportedInterfaces: [offered('JSONRPC', '/jsonrpc'), offered('HTTP+JSON', '/http')],
    provider: undefined,
    capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false, extensions: [] },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    signatures: [],
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
  const { url } = await startSdkAgent(Number(values.port));
  console.log(`The agent listens at ${url}`);
}
