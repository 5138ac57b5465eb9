import { type ListTasksResponse, Role, type SendMessageRequest, type Task, TaskState } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Serving, serve } from '../cli/serve.ts';
import { createSdkClient } from './sdk-client.ts';
import type { Transport } from './transport-error.ts';

const transports: readonly Transport[] = ['jsonrpc', 'http', 'grpc'];
const TASKS = 1_000;

function send(messageId: string, taskId = ''): SendMessageRequest {
  const text = {
    content: { $case: 'text' as const, value: messageId },
    metadata: undefined,
    filename: '',
    mediaType: 'text/plain',
  };
  const message = {
    messageId,
    taskId,
    contextId: '',
    role: Role.ROLE_USER,
    parts: [text],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
  return { tenant: '', message, configuration: undefined, metadata: undefined };
}

function list(client: Client, pageSize: number, pageToken: string): Promise<ListTasksResponse> {
  return client.listTasks({
    tenant: '',
    contextId: '',
    status: TaskState.TASK_STATE_UNSPECIFIED,
    pageSize,
    pageToken,
    statusTimestampAfter: undefined,
  });
}

describe("the official SDK's own client on a running agent", () => {
  let serving: Serving;
  const ids: string[] = [];
  const clients = {} as Record<Transport, Client>;

  beforeAll(async () => {
    const callers = { tok: 'alice', other: 'bob' };
    serving = await serve({ store: 'memory', postgres: undefined, host: '127.0.0.1', port: 0, grpcPort: 0, callers });
    for (const transport of transports)
      clients[transport] = await createSdkClient(transport, serving.agent.baseUrl, 'tok');
    for (let n = 0; n < TASKS; n += 1) {
      const client = clients[transports[n % transports.length] as Transport];
      ids.push(((await client.sendMessage(send(`m${n}`))) as Task).id);
    }
  }, 60_000);
  afterAll(() => serving.stop());

  it.each(transports)(
    'walks 1,000 tasks over %s while another client updates them: none twice, no stable one lost',
    async (transport) => {
      // The writer continues every fifth task, in an order of its own, for as long as the walk runs.
      const touched = ids.filter((_, n) => n % 5 === 0);
      let walking = true;
      let updates = 0;
      const writer = (async () => {
        const client = clients[transports[(transports.indexOf(transport) + 1) % transports.length] as Transport];
        for (; walking || updates === 0; updates += 1) {
          await client.sendMessage(send(`${transport}${updates}`, touched[(updates * 37) % touched.length]));
        }
      })();

      const seen: string[] = [];
      let pages = 0;
      for (let pageToken = ''; pages === 0 || pageToken !== ''; pages += 1) {
        expect(pages).toBeLessThan(200);
        const page = await list(clients[transport], 10, pageToken);
        expect(page.totalSize).toBeGreaterThanOrEqual(TASKS - touched.length);
        expect(page.totalSize).toBeLessThanOrEqual(TASKS);
        seen.push(...page.tasks.map(({ id }) => id));
        pageToken = page.nextPageToken;
      }
      walking = false;
      await writer;

      expect(new Set(seen).size).toBe(seen.length);
      const stable = new Set(touched);
      expect(ids.filter((id) => !stable.has(id) && !seen.includes(id))).toEqual([]);
      expect(updates).toBeGreaterThan(10);
    },
    60_000,
  );

  it('carries one walk over all three transports', async () => {
    const seen: string[] = [];
    let pages = 0;
    for (let pageToken = ''; pages === 0 || pageToken !== ''; pages += 1) {
      const page = await list(clients[transports[pages % 3] as Transport], 100, pageToken);
      seen.push(...page.tasks.map(({ id }) => id));
      pageToken = page.nextPageToken;
    }
    expect(pages).toBe(10);
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });

  it('shows nothing of it to another caller', async () => {
    for (const transport of transports) {
      const client = await createSdkClient(transport, serving.agent.baseUrl, 'other');
      expect(await list(client, 10, '')).toMatchObject({ tasks: [], nextPageToken: '', totalSize: 0 });
      await expect(client.getTask({ tenant: '', id: ids[0]! })).rejects.toThrow('Task not found');
      await expect(client.cancelTask({ tenant: '', id: ids[0]!, metadata: undefined })).rejects.toThrow(
        'Task not found',
      );
      await expect(client.sendMessage(send('m', ids[0]))).rejects.toThrow('Task not found');
    }
  });

  it('keeps push configurations with a pagination of their own', async () => {
    for (const transport of transports) {
      const client = clients[transport];
      const id = ((await client.sendMessage(send(`push ${transport}`))) as Task).id;
      const config = {
        tenant: '',
        id: '',
        taskId: id,
        url: 'https://example.org/',
        token: '',
        authentication: undefined,
      };
      for (const name of ['a', 'b', 'c']) await client.createTaskPushNotificationConfig({ ...config, id: name });
      const all = await client.listTaskPushNotificationConfig({ tenant: '', taskId: id, pageSize: 0, pageToken: '' });
      expect(all.configs.map((each) => each.id)).toEqual(['a', 'b', 'c']);
      expect(await client.getTaskPushNotificationConfig({ tenant: '', taskId: id, id: 'b' })).toEqual({
        ...config,
        id: 'b',
      });
      await client.deleteTaskPushNotificationConfig({ tenant: '', taskId: id, id: 'b' });
      await expect(client.getTaskPushNotificationConfig({ tenant: '', taskId: id, id: 'b' })).rejects.toThrow(
        'Task not found',
      );
    }
  });
});
