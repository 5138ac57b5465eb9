/** Any running A2A 1.0 agent as a subject, by its address: driven with send, cancel, get and list alone. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { SubjectFault } from '../run/subject-fault.ts';
import { TaskAlreadyExistsError, TaskNotCancelableError, UnknownOutcomeError } from '../task/errors.ts';
import { type Task, TaskState } from '../task/task.ts';
import { createWireClient, type WireClient } from '../wire/client.ts';
import type { Transport } from '../wire/transport-error.ts';
import { WireError } from '../wire/wire-error.ts';
import { findAgent } from './agent-address.ts';
import { type AgentPatience, atRest, classifyAgentError, reread, settle, wholePage } from './agent-calls.ts';
import { createAgentNames } from './agent-names.ts';
import { type AgentManners, probeAgent } from './agent-probe.ts';
import { externalDefaults, type Subject, type SubjectStore, type WriteReply } from './subject.ts';

/** How an agent is called. */
export interface UrlSubjectOptions {
  /** Sent as a bearer token with every call; nothing is sent where absent. */
  readonly bearer?: string;
  /** The first transport of the agent's card that can be driven where absent. */
  readonly transport?: Transport;
  /** The longest that one operation may take, in milliseconds, with the wait for its task to come to rest; 5,000 where absent. */
  readonly operationTimeoutMs?: number;
}

/** Tasks of one program are written into a context that nobody else knows; what was written stays at the agent. */
interface Written {
  tasks: number;
}

/**
 * Connects to the agent at `url` and finds out what it can be asked for. Ids, states, times and contents are the agent's:
 * the program's ids are mapped to them, and write replies carry the task as the agent then reads it. Every list is
 * narrowed to the context of the open store, so that the agent's other tasks are neither touched nor judged; totals are
 * judged within it. Throws a `UsageError` that says in one line why an agent can't be certified.
 */
export async function connectUrlSubject(url: string, options: UrlSubjectOptions = {}): Promise<Subject> {
  const { bearer, operationTimeoutMs = 5_000 } = options;
  // The harness gives up an operation after its time; what the agent did by then is to be told before.
  const settleMs = Math.max(operationTimeoutMs * 0.8, operationTimeoutMs - 1_000);
  const timeoutMs = operationTimeoutMs;
  const { transport, urls } = await findAgent(url, { ...options, timeoutMs });
  const connect = () => createWireClient(transport, { urls, timeoutMs, ...(bearer !== undefined && { bearer }) });
  const patience: AgentPatience = { name: url, settleMs };
  const written: Written = { tasks: 0 };
  let client: WireClient | undefined;
  const prober = connect();
  const manners = await probeAgent(prober, patience).finally(() => prober.close());
  return {
    name: url,
    capabilities: {
      ...externalDefaults,
      scope: ['X', 'W'],
      create: 'reject',
      validatesPageSize: true,
      transports: [transport],
      agent: true,
    },
    classifyError: classifyAgentError,
    open: async () => {
      client ??= connect();
      return openAgentStore(client, manners, patience, written);
    },
    stop: async () => {
      client?.close();
      client = undefined;
    },
    notes: () => [
      `Driven over ${transport} with send, ${manners.cancels ? 'cancel, ' : ''}get and list, in contexts of this run's own (pagecheck-…), within which totals are judged; ${written.tasks} tasks stay there.`,
      ...(manners.appends ? [] : ['No message continues a task of this agent: tasks change by cancels at most.']),
    ],
  };
}

function openAgentStore(
  client: WireClient,
  { appends, cancels }: AgentManners,
  patience: AgentPatience,
  written: Written,
): SubjectStore {
  const { name } = patience;
  const names = createAgentNames();
  /** Each task as it was read after its last write. */
  const latest = new Map<string, Task>();
  const replyWith = async (agentId: string): Promise<WriteReply> => {
    try {
      const task = await reread(name, () => atRest(client, agentId, patience));
      latest.set(agentId, task);
      return { task: names.toProgram(task) };
    } catch (error) {
      // The write was acknowledged; what it left is not known.
      throw error instanceof SubjectFault ? error : new UnknownOutcomeError({ cause: error });
    }
  };
  // An id that nobody has: nothing stands under it.
  const agentIdOf = (id: string): string => names.idOf(id) ?? randomUUID();

  const append: SubjectStore['append'] = (taskId, message) =>
    settle(name, async () => {
      const agentId = agentIdOf(taskId);
      await client.send(names.message(message.messageId, agentId));
      return replyWith(agentId);
    });

  const cancel: SubjectStore['cancel'] = (taskId) =>
    settle(name, async () => {
      const agentId = agentIdOf(taskId);
      const before = latest.get(agentId);
      await client.cancel(agentId);
      const reply = await replyWith(agentId);
      // To cancel once more is to change nothing (A2A 1.0 §3.1.5), which an agent may say by the task as it was.
      const again = before?.status?.state === TaskState.TASK_STATE_CANCELED;
      if (again && isDeepStrictEqual(before, latest.get(agentId))) throw new TaskNotCancelableError();
      return reply;
    });

  return {
    create: (task) =>
      settle(name, async () => {
        // The agent has no say in it: no message names the id of a new task.
        if (names.idOf(task.id) !== undefined) throw new TaskAlreadyExistsError();
        const { id } = await client.send(names.message('m0'));
        if (names.knows(id))
          throw new SubjectFault('hang', `${name}: two messages without a task were taken for one task`);
        written.tasks += 1;
        names.learn(task.id, id);
        return replyWith(id);
      }),
    ...(appends && { append }),
    ...(cancels && { cancel }),
    get: (taskId) =>
      reread(name, async () => {
        try {
          return { task: names.toProgram(await client.get(agentIdOf(taskId))) };
        } catch (error) {
          const code = error instanceof WireError ? (error.code ?? classifyAgentError(error)) : undefined;
          if (code === 'not-found') return undefined;
          throw error;
        }
      }),
    list: (request) =>
      reread(name, async () => {
        const { contextId, includeTotalSize: _, contextIds: __, projection: ___, ...wire } = request;
        const page = wholePage(await client.list({ ...wire, contextId: names.contextOf(contextId) }));
        return { ...page, tasks: page.tasks.map((task) => names.toProgram(task)), via: client.transport };
      }),
  };
}
