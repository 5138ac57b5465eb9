import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Task } from '../task/task.ts';
import { TaskState } from '../task/task.ts';
import { createWireSubject, type WireChoice, type WireSubjectStore } from './wire.ts';

const call = { client: 0 };

function task(id: string, change: Partial<Task> = {}): Task {
  const status = { state: TaskState.TASK_STATE_WORKING, message: undefined, timestamp: '2026-01-02T03:04:05.678901Z' };
  return { id, contextId: 'ctx', status, artifacts: [], history: [], metadata: { note: 'n' }, ...change };
}

function message(messageId: string): Task['history'][number] {
  const text = {
    content: { $case: 'text' as const, value: messageId },
    metadata: undefined,
    filename: '',
    mediaType: '',
  };
  return {
    messageId,
    contextId: 'ctx',
    taskId: '',
    role: 1,
    parts: [text],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

const awkwardIds = [
  '.',
  '..',
  'a/b?c#d%41',
  'x:cancel',
  ' a ',
  'nul\0nul',
  '__proto__',
  '\ufeffbom',
  'é\u{1F600}｡',
  'a+b&pageSize=1',
  'l'.repeat(65_536),
];

describe.each<WireChoice>(['jsonrpc', 'http', 'grpc', 'all'])('the agent over %s', (choice) => {
  const subject = createWireSubject(choice);
  let store: WireSubjectStore;
  beforeAll(async () => {
    await subject.start?.();
    store = await subject.open();
  });
  afterAll(async () => {
    await store.close?.();
    await subject.stop?.();
  });

  it('keeps and gives back every field, with all digits of a timestamp', async () => {
    const artifact = {
      artifactId: 'a',
      name: 'a',
      description: '',
      parts: message('p').parts,
      metadata: undefined,
      extensions: [],
    };
    const whole = task('whole', { history: [message('m1')], artifacts: [artifact] });
    await store.create(whole, call);
    for (let turn = 0; turn < 3; turn += 1) expect((await store.get?.('whole', call))?.task).toEqual(whole);
    const page = await store.list({ includeArtifacts: true, historyLength: 0 }, call);
    expect(page).toMatchObject({ tasks: [{ ...whole, history: [] }], nextPageToken: '', pageSize: 50, totalSize: 1 });
    await store.delete?.('whole', call);
    expect(await store.get?.('whole', call)).toBeUndefined();
  });

  it('filters by status timestamp to the microsecond', async () => {
    await store.create(task('t'), call);
    const matching = async (statusTimestampAfter: string) =>
      (await store.list({ statusTimestampAfter }, call)).tasks.length;
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await matching('2026-01-02T03:04:05.678901Z')).toBe(1);
      expect(await matching('2026-01-02T03:04:05.678902Z')).toBe(0);
    }
    await store.delete?.('t', call);
  });

  it('replaces, appends once a message id, and cancels once', async () => {
    await store.create(task('t'), call);
    await store.replace?.(task('t', { metadata: { note: 'other' } }), {}, call);
    await store.append?.('t', message('m'), call);
    await store.append?.('t', message('m'), call);
    await store.cancel?.('t', { timestamp: '2026-02-02T02:02:02.000001Z' }, call);
    expect((await store.get?.('t', call))?.task).toMatchObject({
      metadata: { note: 'other' },
      history: [{ messageId: 'm' }],
      status: { state: TaskState.TASK_STATE_CANCELED, timestamp: '2026-02-02T02:02:02.000001Z' },
    });
    await expect(store.cancel?.('t', {}, call)).rejects.toMatchObject({ code: 'not-cancelable' });
    await expect(store.create(task('t'), call)).rejects.toMatchObject({ code: 'already-exists' });
    await store.delete?.('t', call);
  });

  it('walks over ids of every awkward kind, one a page', async () => {
    await store.setClock?.(7n);
    for (const id of awkwardIds) await store.create(task(id), call);
    const seen: string[] = [];
    for (let pageToken = ''; seen.length <= awkwardIds.length; ) {
      const page = await store.list({ pageSize: 1, pageToken }, call);
      seen.push(...page.tasks.map(({ id }) => id));
      expect(page.totalSize).toBe(awkwardIds.length);
      pageToken = page.nextPageToken;
      if (pageToken === '') break;
    }
    expect(seen).toEqual(awkwardIds.toSorted((a, b) => Buffer.compare(Buffer.from(b), Buffer.from(a))));
    for (const id of awkwardIds) {
      expect((await store.get?.(id, call))?.task.id).toBe(id);
      await store.cancel?.(id, {}, call);
      await store.delete?.(id, call);
    }
  });

  it('keeps callers apart', async () => {
    await store.create(task('t'), { client: 0, caller: 'alice' });
    await store.setAccess?.('bob', 't', false);
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await store.get?.('t', { client: 0, caller: 'bob' })).toBeUndefined();
      expect(await store.list({}, { client: 0, caller: 'bob' })).toMatchObject({
        tasks: [],
        totalSize: 0,
        nextPageToken: '',
      });
      expect((await store.list({}, { client: 0, caller: 'alice' })).totalSize).toBe(1);
      await expect(store.cancel?.('t', {}, { client: 0, caller: 'bob' })).rejects.toMatchObject({ code: 'not-found' });
    }
    store.setScope('alice', []);
    expect((await store.list({}, { client: 0, caller: 'alice' })).totalSize).toBe(0);
    store.setScope('alice', 'all');
    await store.delete?.('t', { client: 0, caller: 'alice' });
  });

  it('names every error by its code', async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      await expect(store.list({ pageSize: 0 }, call)).rejects.toMatchObject({ code: 'invalid-argument' });
      await expect(store.list({ pageToken: '0' }, call)).rejects.toMatchObject({ code: 'invalid-argument' });
      await expect(store.cancel?.('missing', {}, call)).rejects.toMatchObject({ code: 'not-found' });
      await expect(store.append?.('missing', message('m'), call)).rejects.toMatchObject({ code: 'not-found' });
    }
  });
});

it('gives each open store an agent of its own, and uses agents again', async () => {
  const subject = createWireSubject('jsonrpc');
  const [one, two] = [await subject.open(), await subject.open()];
  await one.create(task('t'), call);
  expect((await two.list({}, call)).totalSize).toBe(0);
  await one.close?.();
  const three = await subject.open();
  expect(three.urls).toEqual(one.urls);
  expect((await three.list({}, call)).totalSize).toBe(0);
  await two.close?.();
  await three.close?.();
  await subject.stop?.();
});

it('can be given faults, at each door of the agent', async () => {
  const subject = createWireSubject('all', undefined, {
    name: 'faulty',
    agent: {
      wrapHandler: (transport, handler) =>
        transport === 'grpc' ? { ...handler, getTask: () => Promise.reject(new Error('broken')) } : handler,
      intercept: (request, _response, next) => {
        if (request.method === 'GET') request.url = request.url.replace('pageSize=1', 'pageSize=2');
        next();
      },
    },
  });
  const store = await subject.open();
  for (const id of ['a', 'b']) await store.create(task(id), call);
  const sizes = [];
  for (let turn = 0; turn < 3; turn += 1) sizes.push((await store.list({ pageSize: 1 }, call)).tasks.length);
  expect(sizes.toSorted()).toEqual([1, 1, 2]);
  const reads = await Promise.allSettled([1, 2, 3].map(() => store.get?.('a', call)));
  expect(reads.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  await store.close?.();
  await subject.stop?.();
});
