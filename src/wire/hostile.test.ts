import { connect, type Socket } from 'node:net';
import { A2AService } from '@a2a-js/sdk/server/grpc';
import { status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDispatcher } from '../dispatcher/dispatcher.ts';
import { createMemoryTaskStore } from '../store/memory.ts';
import type { TaskStore } from '../task/task-store.ts';
import { type Agent, startAgent } from './agent.ts';
import { bearerTable } from './callers.ts';
import { createWireClient } from './client.ts';
import { openRawGrpc, type RawGrpc } from './client-grpc.ts';
import { keepMessages } from './executor.ts';
import { defaultLimits, type WireLimits } from './limits.ts';
import { ownerPolicy } from './owner-policy.ts';
import { createPushConfigs } from './push-configs.ts';
import { type RawAnswer, sendRaw } from './raw-http.ts';
import type { Transport } from './transport-error.ts';

const transports: readonly Transport[] = ['jsonrpc', 'http', 'grpc'];

async function agentOver(store: TaskStore, limits: Partial<WireLimits> = {}): Promise<Agent> {
  const dispatcher = createDispatcher({ store, policy: ownerPolicy });
  const backend = {
    dispatcher,
    executor: keepMessages,
    pushConfigs: createPushConfigs(defaultLimits.pushConfigsPerTask),
  };
  return startAgent({ backend: () => backend, authenticate: bearerTable({ tok: 'alice', other: 'bob' }), limits });
}

const text = { content: { $case: 'text' as const, value: 'hello' }, metadata: undefined, filename: '', mediaType: '' };
const message = {
  messageId: 'm',
  contextId: 'c',
  taskId: '',
  role: 1,
  parts: [text],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
};

const headers = (bearer = 'tok', contentType = 'application/json') => ({
  Authorization: `Bearer ${bearer}`,
  'A2A-Version': '1.0',
  'Content-Type': contentType,
});

function post(agent: Agent, body: string | Uint8Array, bearer?: string, contentType?: string): Promise<RawAnswer> {
  return sendRaw({
    method: 'POST',
    origin: agent.baseUrl,
    path: '/jsonrpc',
    headers: headers(bearer, contentType),
    body,
  });
}

async function rpc(agent: Agent, method: string, params: unknown, bearer?: string) {
  const answer = await post(agent, JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }), bearer);
  return JSON.parse(answer.body.toString()) as {
    error?: { code: number; message: string };
    result?: Record<string, unknown>;
    id: unknown;
  };
}

function http(
  agent: Agent,
  path: string,
  bearer?: string,
  method = 'GET',
  body?: string | Uint8Array,
): Promise<RawAnswer> {
  return sendRaw({
    method,
    origin: agent.baseUrl,
    path: `/http${path}`,
    headers: headers(bearer),
    ...(body !== undefined && { body }),
  });
}

describe('an agent under hostile requests', () => {
  let agent: Agent;
  let raw: RawGrpc;
  const grpcHeaders = { authorization: 'Bearer tok', 'a2a-version': '1.0' };
  beforeAll(async () => {
    agent = await agentOver(createMemoryTaskStore());
    raw = openRawGrpc(agent.urls.grpc);
    await createWireClient('jsonrpc', { urls: agent.urls, bearer: 'tok' }).send(message);
  });
  afterAll(async () => {
    raw.close();
    await agent.close(0);
  });

  async function stillServes(): Promise<void> {
    for (const transport of transports) {
      const client = createWireClient(transport, { urls: agent.urls, bearer: 'tok' });
      expect((await client.list({ contextId: 'c', pageSize: 1 })).tasks).toHaveLength(1);
      client.close();
    }
  }

  it.each(['abc', '', true, [5], '0x5', '5', 0, -1, 1.5, 101, 2 ** 31, {}])(
    'refuses the page size %j over JSON-RPC',
    async (pageSize) => {
      expect((await rpc(agent, 'ListTasks', { pageSize })).error?.code).toBe(-32602);
    },
  );

  it.each(['abc', '', '0', '-1', '1.5', '101', '2147483648', '05', '%2B5', '5&pageSize=5', '1e1'])(
    'refuses the page size %j over HTTP+JSON',
    async (pageSize) => {
      const answer = await http(agent, `/tasks?pageSize=${pageSize}`);
      expect([answer.status, JSON.parse(answer.body.toString()).error.status]).toEqual([400, 'INVALID_ARGUMENT']);
    },
  );

  it.each([0, -1, 101, 2 ** 31 - 1])('refuses the page size %j over gRPC', async (pageSize) => {
    const client = createWireClient('grpc', { urls: agent.urls, bearer: 'tok' });
    await expect(client.list({ pageSize })).rejects.toMatchObject({ code: 'invalid-argument' });
    client.close();
  });

  it.each([
    { includeArtifacts: 'false' },
    { pageToken: {} },
    { contextId: 5 },
    { contextId: '\ud800' },
    { status: 'BOGUS' },
    { status: -1 },
    { status: 99 },
    { status: 'UNRECOGNIZED' },
    { historyLength: -1 },
    { historyLength: 1.5 },
    { statusTimestampAfter: 'yesterday' },
    { statusTimestampAfter: '2026-02-30T00:00:00Z' },
    { statusTimestampAfter: 5 },
  ])('refuses %j over JSON-RPC', async (params) => {
    expect((await rpc(agent, 'ListTasks', params)).error?.code).toBe(-32602);
  });

  it.each([
    'status=BOGUS',
    'status=-1',
    'includeArtifacts=yes',
    'historyLength=1.5',
    'statusTimestampAfter=x',
    'contextId=a&contextId=b',
    'pageToken=%ff',
  ])('refuses ?%s over HTTP+JSON', async (query) => expect((await http(agent, `/tasks?${query}`)).status).toBe(400));

  it('takes the fields of the store for unknown ones, and never shows them', async () => {
    const plain = await rpc(agent, 'ListTasks', {});
    const internals = { includeTotalSize: false, contextIds: [], projection: 'light', include_total_size: false };
    expect(await rpc(agent, 'ListTasks', internals)).toEqual(plain);
    expect(plain.result).toMatchObject({ totalSize: expect.any(Number) });
    const bodies = [JSON.stringify(plain), (await http(agent, '/tasks?includeTotalSize=false')).body.toString()];
    for (const body of bodies) expect(body).not.toMatch(/cursor|include_?total/i);
  });

  it('spells out every field of an empty page', async () => {
    const empty = { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 };
    expect((await rpc(agent, 'ListTasks', {}, 'other')).result).toEqual(empty);
    expect(JSON.parse((await http(agent, '/tasks', 'other')).body.toString())).toEqual(empty);
    const client = createWireClient('grpc', { urls: agent.urls, bearer: 'other' });
    expect(await client.list({})).toEqual(empty);
    client.close();
  });

  it('does not take a task of empty id for the list of all', async () => {
    for (const path of ['/tasks/', '/tasks/?historyLength=1']) expect((await http(agent, path)).status).toBe(404);
  });

  it('gives artifacts only where they are asked for, empty ones too', async () => {
    for (const [query, has] of [
      ['', false],
      ['?includeArtifacts=false', false],
      ['?includeArtifacts=true', true],
    ] as const) {
      const { tasks } = JSON.parse((await http(agent, `/tasks${query}`)).body.toString());
      expect('artifacts' in tasks[0]).toBe(has);
    }
  });

  it('answers a token of a megabyte like any other bad one, or refuses it at the door of HTTP', async () => {
    const pageToken = 'A'.repeat(1024 * 1024);
    const { error } = await rpc(agent, 'ListTasks', { pageToken: 'bad' });
    expect((await rpc(agent, 'ListTasks', { pageToken })).error).toEqual(error);
    const client = createWireClient('grpc', { urls: agent.urls, bearer: 'tok' });
    await expect(client.list({ pageToken })).rejects.toMatchObject({
      code: 'invalid-argument',
      message: 'Invalid page token',
    });
    client.close();
    const answer = await http(agent, `/tasks?pageToken=${pageToken}`);
    expect([answer.status, JSON.parse(answer.body.toString()).error.status]).toEqual([400, 'INVALID_ARGUMENT']);
    await stillServes();
  });

  it('refuses bodies beyond its limit', async () => {
    const long = 'x'.repeat(defaultLimits.bodyBytes + 1);
    expect(JSON.parse((await post(agent, long)).body.toString()).error.code).toBe(-32602);
    expect((await http(agent, '/message:send', 'tok', 'POST', long)).status).toBe(400);
    const call = raw.call({ path: A2AService.listTasks.path, bytes: Buffer.from(long), metadata: grpcHeaders });
    await expect(call).rejects.toMatchObject({ code: status.RESOURCE_EXHAUSTED });
    await stillServes();
  });

  it('refuses callers that it does not know, before it looks at anything else', async () => {
    for (const authorization of ['', 'Bearer wrong', 'Basic dG9r', 'Bearer', 'Bearer tok extra']) {
      const bare = { 'A2A-Version': '1.0', 'Content-Type': 'application/json', Authorization: authorization };
      for (const path of ['/jsonrpc', '/http/message:send', '/http/nothing']) {
        const answer = await sendRaw({ method: 'POST', origin: agent.baseUrl, path, headers: bare, body: '{' });
        expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
        expect(answer.body.toString()).toContain('Authentication required');
      }
      const call = raw.call({
        path: A2AService.listTasks.path,
        bytes: Buffer.alloc(9, 255),
        metadata: { 'a2a-version': '1.0', authorization },
      });
      await expect(call).rejects.toMatchObject({ code: status.UNAUTHENTICATED });
    }
  });

  it('refuses other protocol versions', async () => {
    for (const version of ['0.3', '2.0', '1.00']) {
      const other = { ...headers(), 'A2A-Version': version };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {} });
      const jsonRpc = await sendRaw({ method: 'POST', origin: agent.baseUrl, path: '/jsonrpc', headers: other, body });
      expect(JSON.parse(jsonRpc.body.toString()).error.code).toBe(-32009);
      expect(
        (await sendRaw({ method: 'GET', origin: agent.baseUrl, path: '/http/tasks', headers: other })).status,
      ).toBe(400);
      const call = raw.call({
        path: A2AService.listTasks.path,
        bytes: Buffer.alloc(0),
        metadata: { ...grpcHeaders, 'a2a-version': version },
      });
      await expect(call).rejects.toMatchObject({ code: status.FAILED_PRECONDITION });
    }
  });

  it('does not exchange tokens between tasks and push configurations', async () => {
    const { id } = await createWireClient('jsonrpc', { urls: agent.urls, bearer: 'tok' }).send({
      ...message,
      contextId: 'push',
    });
    for (const name of ['a', 'b'])
      await rpc(agent, 'CreateTaskPushNotificationConfig', { taskId: id, id: name, url: 'https://example.org' });
    const ofPush = (await http(agent, `/tasks/${id}/pushNotificationConfigs?pageSize=1`)).body.toString();
    const { nextPageToken, configs } = JSON.parse(ofPush);
    expect(configs).toHaveLength(1);
    const second = await rpc(agent, 'ListTaskPushNotificationConfigs', {
      taskId: id,
      pageSize: 1,
      pageToken: nextPageToken,
    });
    expect(second.result).toMatchObject({ configs: [{ id: 'b' }] });
    expect((await rpc(agent, 'ListTasks', { pageToken: nextPageToken })).error?.code).toBe(-32602);
    const taskToken = (await rpc(agent, 'ListTasks', { pageSize: 1 })).result?.nextPageToken;
    expect(taskToken).toMatch(/^v1\./);
    expect(
      (await rpc(agent, 'ListTaskPushNotificationConfigs', { taskId: id, pageToken: taskToken })).error?.code,
    ).toBe(-32602);
  });

  it('answers push-configuration calls on an inaccessible task as on a missing one', async () => {
    const { id } = await createWireClient('jsonrpc', { urls: agent.urls, bearer: 'tok' }).send({
      ...message,
      contextId: 'push',
    });
    await rpc(agent, 'CreateTaskPushNotificationConfig', { taskId: id, id: 'a', url: 'https://example.org' });
    const calls = (taskId: string): [string, unknown][] => [
      ['CreateTaskPushNotificationConfig', { taskId, url: 'https://example.org' }],
      ['GetTaskPushNotificationConfig', { taskId, id: 'a' }],
      ['ListTaskPushNotificationConfigs', { taskId }],
      ['DeleteTaskPushNotificationConfig', { taskId, id: 'a' }],
      ['GetTask', { id: taskId }],
      ['CancelTask', { id: taskId }],
      ['SendMessage', { message: { messageId: 'm', taskId, parts: [] } }],
    ];
    for (const [index, [method, params]] of calls(id).entries()) {
      const missing = await rpc(agent, method, calls('missing')[index]?.[1], 'other');
      expect(missing.error?.code).toBe(-32001);
      expect(await rpc(agent, method, params, 'other')).toEqual(missing);
    }
  });
});

describe('errors over the wire', () => {
  it('are the same for a bad token whatever is stored and whoever calls', async () => {
    const full = await agentOver(createMemoryTaskStore());
    const empty = await agentOver(createMemoryTaskStore());
    for (let n = 0; n < 3; n += 1) await createWireClient('jsonrpc', { urls: full.urls, bearer: 'tok' }).send(message);
    const answers = new Set<string>();
    for (const pageToken of ['0', '7', 'v2.1.YQ', 'v1.1.YR', '!', 'v1.1.', 'v1.9223372036854775808.YQ']) {
      for (const [agent, bearer] of [
        [full, 'tok'],
        [full, 'other'],
        [empty, 'tok'],
      ] as const) {
        answers.add(JSON.stringify((await rpc(agent, 'ListTasks', { pageToken }, bearer)).error));
        answers.add((await http(agent, `/tasks?pageToken=${encodeURIComponent(pageToken)}`, bearer)).body.toString());
        const client = createWireClient('grpc', { urls: agent.urls, bearer });
        answers.add(
          await client.list({ pageToken }).then(
            () => 'none',
            (error) => `${error.status} ${error.message}`,
          ),
        );
        client.close();
      }
    }
    expect(answers.size).toBe(3);
    await Promise.all([full.close(0), empty.close(0)]);
  });

  it('tell nothing of a failing store', async () => {
    const failing = new Proxy(createMemoryTaskStore(), {
      get: () => () => Promise.reject(new Error('SELECT * FROM /work/secret.ts')),
    });
    const agent = await agentOver(failing);
    expect((await rpc(agent, 'ListTasks', {})).error).toEqual({ code: -32603, message: 'Internal error' });
    const answer = await http(agent, '/tasks');
    expect([answer.status, JSON.parse(answer.body.toString())]).toEqual([
      500,
      { error: { code: 500, status: 'INTERNAL', message: 'Internal error', details: [] } },
    ]);
    const client = createWireClient('grpc', { urls: agent.urls, bearer: 'tok' });
    await expect(client.list({})).rejects.toMatchObject({ status: status.INTERNAL, message: 'Internal error' });
    client.close();
    await agent.close(0);
  });
});

describe('the limits of an agent', () => {
  it('end a request whose store never answers, and one whose client never sends', async () => {
    const store = createMemoryTaskStore();
    const agent = await agentOver(
      { ...store, get: () => new Promise(() => {}), list: () => new Promise(() => {}) } as TaskStore,
      { requestMs: 200 },
    );
    for (const transport of transports) {
      const client = createWireClient(transport, { urls: agent.urls, bearer: 'tok' });
      await expect(client.list({})).rejects.toMatchObject({ code: 'internal', message: 'Internal error' });
      client.close();
    }
    const slow = await open(agent);
    slow.write(
      'POST /jsonrpc HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer tok\r\nA2A-Version: 1.0\r\nContent-Length: 10\r\n\r\n{',
    );
    expect(await everything(slow)).toMatch(/^HTTP\/1\.1 400/);
    await agent.close(0);
  });

  it('turn away what comes when all places are taken, and serve it later', async () => {
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const inner = createMemoryTaskStore();
    const waiting = {
      get: inner.get.bind(inner),
      list: async (request: never) => gate.then(() => inner.list(request)),
    };
    const agent = await agentOver(waiting as unknown as TaskStore, { inFlight: 2 });
    const held = [rpc(agent, 'ListTasks', {}), rpc(agent, 'ListTasks', {})];
    await expect.poll(async () => (await http(agent, '/tasks/t')).status, { timeout: 5_000 }).toBe(503);
    expect((await post(agent, '{}')).status).toBe(503);
    const client = createWireClient('grpc', { urls: agent.urls, bearer: 'tok' });
    await expect(client.list({})).rejects.toMatchObject({ answer: { code: status.UNAVAILABLE } });
    release();
    for (const answer of await Promise.all(held)) expect(answer.result).toMatchObject({ totalSize: 0 });
    await expect.poll(async () => (await http(agent, '/tasks')).status, { timeout: 5_000 }).toBe(200);
    client.close();
    await agent.close(0);
  });

  it('let clients vanish in the middle of anything, by the hundred', async () => {
    const agent = await agentOver(createMemoryTaskStore());
    const request =
      'POST /jsonrpc HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer tok\r\nA2A-Version: 1.0\r\nContent-Length: 60\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":{}}   ';
    const sockets = await Promise.all(Array.from({ length: 300 }, () => open(agent)));
    for (const [n, socket] of sockets.entries()) socket.write(request.slice(0, (n * 7) % request.length));
    for (const socket of sockets) socket.destroy();
    expect((await rpc(agent, 'ListTasks', {})).result).toMatchObject({ totalSize: 0 });
    await agent.close(0);
  });

  it('close connections beyond their number, and free it again', async () => {
    const agent = await agentOver(createMemoryTaskStore(), { connections: 5 });
    const sockets = await Promise.all(Array.from({ length: 40 }, () => open(agent)));
    const open5 = () => sockets.filter((socket) => !socket.closed).length;
    await expect.poll(open5, { timeout: 5_000 }).toBeLessThanOrEqual(5);
    for (const socket of sockets) socket.destroy();
    await expect
      .poll(async () => (await http(agent, '/tasks').catch(() => ({ status: 0 }))).status, { timeout: 5_000 })
      .toBe(200);
    await agent.close(0);
  });

  it('answer bytes that are no HTTP', async () => {
    const agent = await agentOver(createMemoryTaskStore());
    const socket = await open(agent);
    socket.write('\0\0\0 nonsense\r\n\r\n');
    expect(await everything(socket)).toMatch(/^HTTP\/1\.1 400 [\s\S]*INVALID_ARGUMENT/);
    await agent.close(0);
  });
});

function open(agent: Agent): Promise<Socket> {
  const { hostname, port } = new URL(agent.baseUrl);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    // A socket that the agent closes at once is one of the things that are tested.
    socket.on('error', () => resolve(socket));
    socket.resume();
  });
}

function everything(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve) => socket.on('close', () => resolve(Buffer.concat(chunks).toString())));
}
