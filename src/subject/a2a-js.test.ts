import { type ListTasksRequest, Task, TaskState } from '@a2a-js/sdk';
import { RequestMalformedError, TaskNotFoundError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { InMemoryTaskStore } from '@a2a-js/sdk/server';
import { RequestMalformedError as OldRequestMalformedError } from 'a2a-js-sdk-1.0.1/errors';
import { InMemoryTaskStore as OldInMemoryTaskStore } from 'a2a-js-sdk-1.0.1/server';
import { describe, expect, it } from 'vitest';
import { type A2aJsTaskStore, classifyA2aJsError, createA2aJsSubject } from './a2a-js.ts';
import type { Subject } from './subject.ts';

const call = { client: 0 };

function task(id: string, fields: Record<string, unknown> = {}): Task {
  return Task.fromJSON({ id, contextId: 'ctx', status: { state: 'TASK_STATE_WORKING' }, ...fields });
}

function message(id: string): Task['history'][number] {
  return task('t', { history: [{ messageId: id, role: 'ROLE_USER', parts: [{ text: id }] }] }).history[0]!;
}

const released: [release: string, createStore: () => A2aJsTaskStore, unfiltered: number][] = [
  ['1.3.0', () => new InMemoryTaskStore(), 1],
  // This release takes "unspecified" as a filter, so that an unfiltered list shows nothing.
  ['1.0.1', () => new OldInMemoryTaskStore(), 0],
];

describe.each(released)('the adapter over the InMemoryTaskStore of @a2a-js/sdk %s', (_, createStore, unfiltered) => {
  const subject: Subject = createA2aJsSubject({ name: 'memory', createStore });

  it('overwrites on create and on replace', async () => {
    const store = await subject.open();
    await store.create(task('a', { contextId: 'one' }), call);
    await store.create(task('a', { contextId: 'two' }), call);
    expect((await store.get!('a', call))?.task.contextId).toBe('two');
    await store.replace!(task('a', { contextId: 'three' }), {}, call);
    expect((await store.get!('a', call))?.task.contextId).toBe('three');
  });

  it('opens an empty store each time', async () => {
    await (await subject.open()).create(task('a'), call);
    expect(await (await subject.open()).get!('a', call)).toBeUndefined();
  });

  it('appends a message once', async () => {
    const store = await subject.open();
    await store.create(task('a'), call);
    expect(await store.append!('a', message('m'), call)).toEqual({ deduplicated: false });
    expect(await store.append!('a', message('m'), call)).toEqual({ deduplicated: true });
    expect((await store.get!('a', call))?.task.history.map((m) => m.messageId)).toEqual(['m']);
  });

  it('cancels a running task and refuses a terminal one', async () => {
    const store = await subject.open();
    await store.create(task('a'), call);
    await store.cancel!('a', { timestamp: '2024-01-01T00:00:00Z' }, call);
    expect((await store.get!('a', call))?.task.status).toMatchObject({
      state: TaskState.TASK_STATE_CANCELED,
      timestamp: '2024-01-01T00:00:00Z',
    });
    await expect(store.cancel!('a', {}, call)).rejects.toMatchObject({ code: 'not-cancelable' });
  });

  it('knows no missing task', async () => {
    const store = await subject.open();
    await expect(store.cancel!('a', {}, call)).rejects.toMatchObject({ code: 'not-found' });
    await expect(store.append!('a', message('m'), call)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('lists with the status left unspecified, as the transports do', async () => {
    const store = await subject.open();
    await store.create(task('a'), call);
    expect((await store.list({}, call)).tasks).toHaveLength(unfiltered);
    expect((await store.list({ status: TaskState.TASK_STATE_WORKING }, call)).tasks).toHaveLength(1);
  });

  it('classifies the error for a token that is none', async () => {
    const store = await subject.open();
    const error = await store.list({ pageToken: '0' }, call).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(subject.classifyError!(error)).toBe('invalid-argument');
  });
});

/** A store that keeps the requests and the users that it saw, answers `page`, and yields inside load and save. */
function recordingStore(page: unknown = { tasks: [], nextPageToken: '', pageSize: 0, totalSize: 0 }) {
  const tasks = new Map<string, Task>();
  const requests: ListTasksRequest[] = [];
  const users = new Set<string | undefined>();
  const store: A2aJsTaskStore = {
    async load(id, context) {
      users.add(context.user?.userName);
      await new Promise(setImmediate);
      return structuredClone(tasks.get(id));
    },
    async save(saved, context) {
      users.add(context.user?.userName);
      await new Promise(setImmediate);
      tasks.set(saved.id, structuredClone(saved));
    },
    async list(request, context) {
      users.add(context.user?.userName);
      requests.push(request);
      return page as never;
    },
  };
  return { store, requests, users };
}

describe('the adapter over any store', () => {
  it('fills in what the transports of the SDK fill in', async () => {
    const { store, requests } = recordingStore();
    const opened = await createA2aJsSubject({ name: 's', createStore: () => store }).open();
    await opened.list({}, call);
    await opened.list({ contextId: 'c', pageSize: 3, pageToken: 't', historyLength: 2, includeArtifacts: true }, call);
    const defaults = { tenant: '', status: 0, statusTimestampAfter: undefined };
    expect(requests).toEqual([
      {
        ...defaults,
        contextId: '',
        pageSize: 50,
        pageToken: '',
        historyLength: undefined,
        includeArtifacts: undefined,
      },
      { ...defaults, contextId: 'c', pageSize: 3, pageToken: 't', historyLength: 2, includeArtifacts: true },
    ]);
  });

  it('cuts histories to the most recent messages without touching what the store gave', async () => {
    const listed = task('a', { history: [{ messageId: '1' }, { messageId: '2' }, { messageId: '3' }] });
    const { store } = recordingStore({ tasks: [listed], nextPageToken: '' });
    const opened = await createA2aJsSubject({ name: 's', createStore: () => store }).open();
    const shown = async (historyLength?: number) =>
      (await opened.list(historyLength === undefined ? {} : { historyLength }, call)).tasks[0]?.history.map(
        (m) => m.messageId,
      );
    expect(await shown(2)).toEqual(['2', '3']);
    expect(await shown(0)).toEqual([]);
    expect(await shown()).toEqual(['1', '2', '3']);
    expect(listed.history).toHaveLength(3);
  });

  it('passes a page of the wrong shape on, for the harness to judge', async () => {
    const { store } = recordingStore(null);
    const opened = await createA2aJsSubject({ name: 's', createStore: () => store }).open();
    expect(await opened.list({ historyLength: 1 }, call)).toBeNull();
  });

  it('loses no append of several at once', async () => {
    const { store } = recordingStore();
    const opened = await createA2aJsSubject({ name: 's', createStore: () => store }).open();
    await opened.create(task('a'), call);
    await Promise.all(['1', '2', '3', '4'].map((id) => opened.append!('a', message(id), call)));
    expect((await opened.get!('a', call))?.task.history).toHaveLength(4);
  });

  it('goes on with a task after one of its writes failed', async () => {
    const { store } = recordingStore();
    const opened = await createA2aJsSubject({ name: 's', createStore: () => store }).open();
    const refused = opened.append!('a', message('1'), call);
    const created = opened.create(task('a'), call);
    await expect(refused).rejects.toMatchObject({ code: 'not-found' });
    await expect(created).resolves.toBeUndefined();
  });

  it('calls as one user throughout, and disposes of the store on close', async () => {
    const { store, users } = recordingStore();
    const disposed: unknown[] = [];
    const subject = createA2aJsSubject({ name: 's', createStore: () => store, dispose: (s) => void disposed.push(s) });
    const opened = await subject.open();
    await opened.create(task('a'), call);
    await opened.append!('a', message('m'), call);
    await opened.list({}, call);
    await opened.close?.();
    expect([...users]).toEqual(['pagecheck']);
    expect(disposed).toEqual([store]);
  });
});

describe('classifyA2aJsError', () => {
  it('tells the errors of either release by name', () => {
    expect(classifyA2aJsError(new RequestMalformedError())).toBe('invalid-argument');
    expect(classifyA2aJsError(new OldRequestMalformedError())).toBe('invalid-argument');
    expect(classifyA2aJsError(new TaskNotFoundError())).toBe('not-found');
  });

  it('has no code for what the contract has no word for', () => {
    expect(classifyA2aJsError(new UnsupportedOperationError())).toBeUndefined();
    expect(classifyA2aJsError(new Error('RequestMalformedError'))).toBeUndefined();
    expect(classifyA2aJsError(undefined)).toBeUndefined();
  });
});
