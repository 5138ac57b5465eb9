import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createDispatcher } from '../dispatcher/dispatcher.ts';
import { createMemoryTaskStore } from '../store/memory.ts';
import { certify } from '../suite/certify.ts';
import type { Task } from '../task/task.ts';
import { TaskState } from '../task/task.ts';
import { type Agent, startAgent } from '../wire/agent.ts';
import { bearerTable } from '../wire/callers.ts';
import { keepMessages } from '../wire/executor.ts';
import { ownerPolicy } from '../wire/owner-policy.ts';
import { createPushConfigs } from '../wire/push-configs.ts';
import { createSdkClient } from '../wire/sdk-client.ts';
import { connectUrlSubject } from './agent-url.ts';
import { loadSubject } from './load.ts';
import type { Subject, SubjectStore } from './subject.ts';

const call = { client: 0 };
const servers: Server[] = [];

/** Serves whatever a test needs an address to answer. */
async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Answer {
  readonly status?: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** An agent that has a card and answers the methods of JSON-RPC as it is told. */
function agentThat(answer: (method: string, params: Record<string, never>) => Answer): Promise<string> {
  return listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = `http://${request.headers.host}`;
      if (request.url !== '/rpc') {
        const supportedInterfaces = [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
        response.end(JSON.stringify({ name: 'agent', supportedInterfaces }));
        return;
      }
      const { method, params } = JSON.parse(Buffer.concat(chunks).toString());
      const { status = 200, ...body } = answer(method, params);
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }));
    });
  });
}

function problem(url: string, options: Parameters<typeof connectUrlSubject>[1] = {}): Promise<string> {
  return connectUrlSubject(url, { operationTimeoutMs: 500, ...options }).then(
    () => 'none',
    (error: Error & { status?: number }) => `${error.status}: ${error.message.replaceAll(url, 'URL')}`,
  );
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

describe('a running agent', () => {
  let agent: Agent;
  let subject: Subject;

  beforeAll(async () => {
    const store = createMemoryTaskStore();
    const backend = {
      dispatcher: createDispatcher({ store, policy: ownerPolicy }),
      executor: keepMessages,
      pushConfigs: createPushConfigs(10),
    };
    agent = await startAgent({ backend: () => backend, authenticate: bearerTable({ tok: 'alice' }) });
    subject = await connectUrlSubject(agent.baseUrl, { bearer: 'tok' });
  });
  afterAll(async () => {
    await subject.stop?.();
    await agent.close();
  });

  const create = (store: SubjectStore, id: string) => store.create({ ...emptyTask, id }, call);
  const listed = async (store: SubjectStore) => (await store.list({}, call)).tasks.map(({ id }) => id);

  it.each(['jsonrpc', 'http', 'grpc'] as const)(
    'that keeps the contract gets no finding over %s, under either profile',
    async (transport) => {
      const over = await connectUrlSubject(agent.baseUrl, { bearer: 'tok', transport });
      for (const [seed, profile] of [
        [1, 'a2a-1.0'],
        [2, '0.6'],
      ] as const) {
        const { rules, operations, notes } = await certify(over, { seed, profile, runs: 40 });
        const failures = rules.filter(({ status }) => status === 'fail').map((one) => one.counterexample?.trace);
        expect(failures).toEqual([]);
        expect(operations).toBeGreaterThan(200);
        expect(notes.join()).toContain(`over ${transport} with send, cancel, get and list`);
      }
    },
  );

  it('says of the rules that it leaves out why it can not judge them', async () => {
    const { rules } = await certify(subject, { runs: 1 });
    const reasons = Object.fromEntries(rules.map(({ rule, status, reason }) => [rule, `${status}: ${reason}`]));
    expect(reasons).toMatchObject({
      'STORE-3': "not-applicable: ids are the agent's own choice",
      'AUTH-9': 'not-applicable: the run knows one caller',
      'WALK-7': expect.stringContaining("not-applicable: the subject's clock can't be set"),
    });
  });

  it('gives its own ids, states and times to the tasks of a program', async () => {
    const store = await subject.open();
    const reply = await create(store, 'a');
    expect(reply?.task).toMatchObject({
      id: 'a',
      contextId: 'ctx',
      status: { state: TaskState.TASK_STATE_INPUT_REQUIRED },
    });
    expect(reply?.task?.history.map(({ messageId }) => messageId)).toEqual(['m0']);
    const canceled = await store.cancel?.('a', { timestamp: '2001-01-01T00:00:00Z' }, call);
    expect(canceled?.task?.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    expect(canceled?.task?.status?.timestamp).not.toContain('2001');
    expect((await store.get?.('a', call))?.task).toEqual(canceled?.task);
    expect(await store.get?.('b', call)).toBeUndefined();
    await expect(create(store, 'a')).rejects.toMatchObject({ code: 'already-exists' });
    await expect(store.cancel?.('a', {}, call)).rejects.toMatchObject({ code: 'not-cancelable' });
  });

  it('is touched and seen in contexts of the run alone', async () => {
    const client = await createSdkClient('jsonrpc', agent.baseUrl, 'tok');
    const others = { tenant: '', contextId: 'their own', status: 0, pageToken: '', statusTimestampAfter: undefined };
    const theirs = await client.sendMessage({
      tenant: '',
      message: { ...message, contextId: others.contextId },
      configuration: undefined,
      metadata: undefined,
    });
    const [one, two] = [await subject.open(), await subject.open()];
    await create(one, 'a');
    await create(two, 'a');
    await create(two, 'b');
    expect(await listed(one)).toEqual(['a']);
    expect(await listed(two)).toEqual(['b', 'a']);
    expect((await two.list({ contextId: 'elsewhere' }, call)).tasks).toEqual([]);
    expect((await two.list({ contextId: 'ctx' }, call)).totalSize).toBe(2);
    expect(await one.get?.((theirs as Task).id, call)).toBeUndefined();
    expect((await client.listTasks(others)).tasks).toEqual([theirs]);
  });

  it('that is not told who calls says so in one line', async () => {
    const line = '4: URL does not let this caller in (status 401): give its token by --bearer or PAGECHECK_BEARER';
    expect(await problem(agent.baseUrl)).toBe(line);
    expect(await problem(agent.baseUrl, { bearer: 'wrong' })).toBe(line);
    expect(await problem(agent.baseUrl, { transport: 'grpc' })).toBe(line.replace('401', '16'));
  });

  it('is found by its address on a command line, and by that of its card', async () => {
    for (const name of [agent.baseUrl, `${agent.baseUrl}/`, `${agent.baseUrl}/.well-known/agent-card.json`]) {
      const found = await loadSubject(name, { bearer: 'tok' });
      expect(found).toMatchObject({ name, capabilities: { agent: true, transports: ['jsonrpc'] } });
    }
  });
});

describe('an address that can not be certified', () => {
  it('is told in one line when nothing listens there', async () => {
    const url = await listen(() => {});
    servers.splice(0)[0]?.close();
    expect(await problem(url)).toMatch(
      /^4: URL can't be reached \(ECONNREFUSED\): start the agent, or mend the address$/,
    );
    expect(await problem('http://[')).toMatch(/^4: URL can't be reached \(ERR_INVALID_URL\)/);
  });

  it('is told when it never answers', async () => {
    expect(await problem(await listen(() => {}))).toMatch(/^4: URL can't be reached \(no answer in time\)/);
  });

  it('is told when it is a web page, an older agent, or one without a transport of ours', async () => {
    const page = await listen((_, response) => void response.end('<html>'));
    expect(await problem(page)).toMatch(/^4: URL is no A2A agent \(.* answers with status 200 and no agent card\)/);
    const lost = await listen((_, response) => void response.writeHead(404).end());
    expect(await problem(lost)).toMatch(/^4: URL is no A2A agent \(.* answers with status 404\)/);
    const card = (fields: object) =>
      listen((_, response) => void response.end(JSON.stringify({ name: 'x', ...fields })));
    expect(await problem(await card({ url: 'http://x', protocolVersion: '0.3.0' }))).toMatch(
      /^4: URL has no transport that can be driven \(its card offers none of A2A 1.0\)/,
    );
    const pigeon = { supportedInterfaces: [{ url: 'x:1', protocolBinding: 'PIGEON', protocolVersion: '1.0' }, null] };
    expect(await problem(await card(pigeon))).toMatch(
      /its card offers PIGEON 1.0\): it needs JSONRPC, HTTP\+JSON or GRPC/,
    );
  });

  it('is told when it answers everything with an error', async () => {
    const failing = await agentThat(() => ({ status: 500, error: { code: -32603, message: 'out of order' } }));
    expect(await problem(failing)).toBe(
      '4: URL answers SendMessage with an error (500: out of order): make that call work first',
    );
    const dead = await agentThat(() => ({ status: 502 }));
    expect(await problem(dead)).toMatch(/^4: URL answers SendMessage with an error \(502: /);
  });

  it('is told when it answers messages with messages', async () => {
    const talker = await agentThat(() => ({ result: { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [] } } }));
    expect(await problem(talker)).toBe(
      '3: URL answers a message with a message and no task: certify an agent that makes tasks',
    );
  });

  it('is told when its tasks do not come to rest', async () => {
    const busy = await agentThat((method, params) => {
      const task = { id: 't', contextId: contextOf(params), status: { state: 'TASK_STATE_WORKING' } };
      return { result: method === 'SendMessage' ? { task } : task };
    });
    expect(await problem(busy)).toContain('a task is still at work 400 ms after its message');
  });

  it('is told when its tasks can not be told from the others that it holds', async () => {
    const status = { state: 'TASK_STATE_COMPLETED' };
    let made = 0;
    let task: object = {};
    const open = await agentThat((method, params) => {
      if (method === 'ListTasks') return { result: { tasks: [task], nextPageToken: '', totalSize: 1, pageSize: 100 } };
      if (method === 'SendMessage') task = { id: `t${made++}`, contextId: contextOf(params), status };
      return { result: method === 'SendMessage' ? { task } : task };
    });
    expect(await problem(open)).toMatch(/^4: URL lists tasks of other contexts where one context is asked for/);
    const own = await agentThat((method) => {
      const moved = { id: 't', contextId: 'mine', status };
      return { result: method === 'SendMessage' ? { task: moved } : moved };
    });
    expect(await problem(own)).toMatch(/^4: URL puts a task into another context than its message names/);
  });
});

describe('an agent with manners of its own', () => {
  /** Ends each task at once; knows no cancel; may fail later. */
  const brief = (fails: () => Answer | undefined) => {
    const tasks = new Map<string, { id: string; contextId: string }>();
    return agentThat((method, params) => {
      const failure = fails();
      if (failure !== undefined) return failure;
      const { id, contextId } = params as { id?: string; contextId?: string };
      if (method === 'CancelTask') return { error: { code: -32004, message: 'unsupported' } };
      if (method === 'GetTask') {
        const task = tasks.get(id ?? '');
        return task === undefined ? { error: { code: -32001, message: 'no task' } } : { result: task };
      }
      if (method === 'ListTasks') {
        const found = [...tasks.values()].filter((task) => task.contextId === contextId).reverse();
        return { result: { tasks: found, totalSize: found.length } };
      }
      const task = {
        id: `t${tasks.size}`,
        contextId: contextOf(params),
        status: { state: 'TASK_STATE_COMPLETED', timestamp: new Date().toISOString() },
      };
      tasks.set(task.id, task);
      return { result: { task } };
    });
  };

  it('is asked neither to continue nor to cancel where it does not', async () => {
    const subject = await connectUrlSubject(await brief(() => undefined));
    const store = await subject.open();
    expect(store).not.toHaveProperty('append');
    expect(store).not.toHaveProperty('cancel');
    expect((await store.create({ ...emptyTask, id: 'a' }, call))?.task?.id).toBe('a');
    expect(subject.notes?.().join()).toContain('with send, get and list');
    const page = await store.list({}, call);
    expect(page).toMatchObject({ nextPageToken: '', totalSize: 1 });
    await subject.stop?.();
  });

  it('leaves the outcome of a message unknown where it fails, and ends the run where it takes no more calls', async () => {
    let failure: Answer | undefined;
    const subject = await connectUrlSubject(await brief(() => failure));
    const store = await subject.open();
    failure = { status: 500, error: { code: -32603, message: 'out of order' } };
    await expect(store.create({ ...emptyTask, id: 'a' }, call)).rejects.toMatchObject({ code: 'unknown-outcome' });
    await expect(store.list({}, call)).rejects.toMatchObject({ code: 'internal' });
    failure = { error: { code: -32602, message: 'no' } };
    await expect(store.create({ ...emptyTask, id: 'a' }, call)).rejects.toMatchObject({ code: 'invalid-argument' });
    failure = { status: 429, error: { code: -32000, message: 'too many' } };
    await expect(store.list({}, call)).rejects.toThrow('the agent takes no more calls (status 429: too many)');
    await subject.stop?.();
  });
});

const emptyTask: Task = {
  id: '',
  contextId: 'ctx',
  status: undefined,
  artifacts: [],
  history: [],
  metadata: undefined,
};

const message = {
  messageId: 'theirs',
  contextId: '',
  taskId: '',
  role: 1,
  parts: [],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
};

let lastContext = '';

/** The context that a message names, or that of the last one. */
function contextOf(params: Record<string, unknown>): string {
  const { message: sent } = params as { message?: { contextId?: string } };
  lastContext = sent?.contextId ?? lastContext;
  return lastContext;
}
