/** The agent's operations as the SDK's servers call them, one handler a transport. */
import type { AgentCard, StreamResponse, Task } from '@a2a-js/sdk';
import { ExtendedAgentCardNotConfiguredError } from '@a2a-js/sdk/errors';
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server';
import type { Dispatcher } from '../dispatcher/dispatcher.ts';
import { projectTask } from '../dispatcher/projection.ts';
import { withinLimit } from '../dispatcher/time-limit.ts';
import { InvalidArgumentError } from '../task/errors.ts';
import { type CallerPushConfigs, pushConfigsOf } from './caller-push-configs.ts';
import type { Executor } from './executor.ts';
import type { PushConfigs } from './push-configs.ts';
import { chosenTimestamp } from './script.ts';
import { checkSound } from './sound-value.ts';
import { type Transport, toTransportError, UnsupportedError } from './transport-error.ts';

/** What stands behind the transports. */
export interface AgentBackend {
  readonly dispatcher: Dispatcher;
  readonly executor: Executor;
  readonly pushConfigs: PushConfigs;
  /** Lets a cancel name its status timestamp in its metadata; only for an agent that follows a script. */
  readonly scripted?: boolean;
}

/** How a handler is made. */
export interface RequestHandlerOptions {
  readonly transport: Transport;
  /** Asked at every call, so that a test can put another store behind a running agent. */
  readonly backend: () => AgentBackend;
  readonly card: () => AgentCard;
  readonly requestMs: number;
  readonly depth: number;
}

/**
 * Makes the handler of one transport. Every call is of the caller that the transport authenticated; a `tenant` in a
 * request is of no effect (AUTH-1). Calls reject with the SDK's errors, and with an internal one after `requestMs`.
 */
export function createRequestHandler(options: RequestHandlerOptions): A2ARequestHandler {
  const { transport, requestMs } = options;

  async function call<T>(
    request: unknown,
    context: ServerCallContext,
    operation: (backend: AgentBackend, caller: string, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const abort = new AbortController();
    try {
      const caller = context.user?.userName;
      if (!caller) throw new Error('The transport let a call without a caller through');
      checkSound(request, options.depth);
      return await withinLimit(operation(options.backend(), caller, abort.signal), requestMs);
    } catch (error) {
      throw toTransportError(transport, error);
    } finally {
      abort.abort();
    }
  }

  /** Streams are not offered; the error comes from the first step of the iteration. */
  // biome-ignore lint/correctness/useYield: the interface wants a generator, and this one has nothing to give
  async function* unsupported(): AsyncGenerator<StreamResponse, void, undefined> {
    throw toTransportError(transport, new UnsupportedError());
  }

  return {
    getAgentCard: async () => options.card(),

    getAuthenticatedExtendedAgentCard: async () => {
      throw new ExtendedAgentCardNotConfiguredError();
    },

    sendMessage: (params, context) =>
      call(params, context, async ({ dispatcher, executor, pushConfigs }, caller) => {
        const { message, configuration } = params;
        if (!message?.messageId) throw new InvalidArgumentError('message.messageId is required');
        const historyLength = checkedLength(configuration?.historyLength);
        const task = await executor(dispatcher, caller, message);
        const pushConfig = configuration?.taskPushNotificationConfig;
        if (pushConfig !== undefined) pushConfigs.set(task.id, pushConfig);
        return projectTask(task, { includeArtifacts: true, historyLength });
      }),

    sendMessageStream: unsupported,
    resubscribe: unsupported,

    getTask: ({ id, historyLength }, context) =>
      call(id, context, async ({ dispatcher }, caller) => {
        const length = checkedLength(historyLength);
        const { task } = await dispatcher.get(caller, id);
        return projectTask(task, { includeArtifacts: true, historyLength: length });
      }),

    cancelTask: ({ id, metadata }, context) =>
      call({ id, metadata }, context, async ({ dispatcher, scripted = false }, caller): Promise<Task> => {
        const chosen = scripted ? chosenTimestamp(metadata) : {};
        return (await dispatcher.cancel(caller, id, chosen)).task;
      }),

    listTasks: (params, context) =>
      call(params, context, async ({ dispatcher }, caller, signal) => {
        // Field by field: what else a request or a page holds stays on its side of the wire (WIRE-2).
        const { contextId, status, pageSize, pageToken, historyLength, statusTimestampAfter, includeArtifacts } =
          params;
        const request = {
          contextId,
          status,
          pageSize,
          pageToken,
          historyLength,
          statusTimestampAfter,
          includeArtifacts,
        };
        const page = await dispatcher.list(caller, request, signal);
        const { tasks, nextPageToken, totalSize = 0 } = page;
        return { tasks, nextPageToken, pageSize: page.pageSize, totalSize };
      }),

    createTaskPushNotificationConfig: (config, context) =>
      call(config, context, (backend, caller) => pushOf(backend, caller).create(config)),

    getTaskPushNotificationConfig: ({ taskId, id }, context) =>
      call({ taskId, id }, context, (backend, caller) => pushOf(backend, caller).get(taskId, id)),

    listTaskPushNotificationConfigs: ({ taskId, pageSize, pageToken }, context) =>
      call({ taskId, pageToken }, context, (backend, caller) =>
        pushOf(backend, caller).list(taskId, pageSize, pageToken),
      ),

    deleteTaskPushNotificationConfig: ({ taskId, id }, context) =>
      call({ taskId, id }, context, (backend, caller) => pushOf(backend, caller).delete(taskId, id)),
  };
}

function pushOf({ dispatcher, pushConfigs }: AgentBackend, caller: string): CallerPushConfigs {
  return pushConfigsOf(dispatcher, pushConfigs, caller);
}

function checkedLength(historyLength: number | undefined): number | undefined {
  if (historyLength !== undefined && (!Number.isInteger(historyLength) || historyLength < 0)) {
    throw new InvalidArgumentError('historyLength must be a whole number that is not negative');
  }
  return historyLength;
}
