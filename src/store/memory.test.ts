import { describe, expect, test } from 'vitest';
import { MAX_TIME_MICROS } from '../task/clock.ts';
import type { ErrorCode, TaskStoreError } from '../task/errors.ts';
import { type Message, type StoreListRequest, type Task, TaskState } from '../task/task.ts';
import { createMemoryTaskStore, type MemoryTaskStore } from './memory.ts';

function task(id: string, fields: Partial<Task> = {}): Task {
  const status = { state: TaskState.TASK_STATE_WORKING, message: undefined, timestamp: undefined };
  return { id, contextId: 'ctx', status, artifacts: [], history: [], metadata: undefined, ...fields };
}

function message(messageId: string): Message {
  const empty = { parts: [], metadata: undefined, extensions: [], referenceTaskIds: [] };
  return { messageId, contextId: '', taskId: '', role: 1, ...empty };
}

function store(start = 100n): MemoryTaskStore & { now: bigint } {
  const made: MemoryTaskStore & { now: bigint } = Object.assign(createMemoryTaskStore({ clock: () => made.now }), {
    now: start,
  });
  return made;
}

async function codeOf(call: Promise<unknown>): Promise<ErrorCode | 'none'> {
  return call.then(
    () => 'none' as const,
    (error: TaskStoreError) => error.code,
  );
}

/** Follows tokens to the end; ids page by page. */
async function walk(from: MemoryTaskStore, request: StoreListRequest): Promise<string[][]> {
  const pages: string[][] = [];
  let pageToken = '';
  do {
    const page = await from.list({ ...request, pageToken });
    pages.push(page.tasks.map(({ id }) => id));
    pageToken = page.nextPageToken;
  } while (pageToken !== '' && pages.length < 1000);
  return pages;
}

describe('the in-memory store', () => {
  test('lists by time, then by id bytes, both descending, in pages of any size', async () => {
    const memory = store();
    for (const id of ['a', '\u{1f600}', '\uff61', 'ab', 'a\0']) await memory.create(task(id));
    memory.now = 99n;
    await memory.create(task('old'));
    const expected = ['\u{1f600}', '\uff61', 'ab', 'a\0', 'a', 'old'];
    for (const pageSize of [1, 2, 3, 5, 6, 7]) {
      const pages = await walk(memory, { pageSize });
      expect(pages.flat()).toEqual(expected);
      expect(pages.length).toBe(Math.ceil(6 / pageSize));
    }
  });

  test('advances a task by every write, also on a clock that stands still or runs backwards', async () => {
    const memory = store();
    const times = [(await memory.create(task('a'))).lastUpdatedMicros];
    times.push((await memory.replace(task('a'))).lastUpdatedMicros);
    memory.now = 5n;
    times.push((await memory.append('a', message('m'))).stored.lastUpdatedMicros);
    times.push((await memory.cancel('a')).lastUpdatedMicros);
    memory.now = 500n;
    times.push((await memory.replace(task('a'))).lastUpdatedMicros);
    expect(times).toEqual([100n, 101n, 102n, 103n, 500n]);
  });

  test('changes nothing by a rejected write or a repeated message', async () => {
    const memory = store();
    await memory.create(task('a', { history: [message('m')] }));
    await memory.cancel('a', { timestamp: '2025-01-01T00:00:00Z' });
    const before = await memory.get('a');
    expect(await codeOf(memory.create(task('a', { contextId: 'x' })))).toBe('already-exists');
    expect(await codeOf(memory.replace(task('a', { contextId: 'x' }), { ifRevision: 1 }))).toBe('revision-conflict');
    expect(await codeOf(memory.cancel('a'))).toBe('not-cancelable');
    expect((await memory.append('a', message('m'))).deduplicated).toBe(true);
    expect(await memory.get('a')).toEqual(before);
    expect((await memory.list({ contextId: 'x' })).totalSize).toBe(0);
    expect((await memory.replace(task('a'), { ifRevision: 2 })).revision).toBe(3);
  });

  test('cancels by state, without message, at the time given or its own', async () => {
    const memory = store(1_700_000_000_000_001n);
    await memory.create(task('a', { status: { state: 2, message: message('s'), timestamp: 'x' } }));
    await memory.create(task('b'));
    const state = TaskState.TASK_STATE_CANCELED;
    const given = { state, message: undefined, timestamp: '2025-01-01T00:00:00Z' };
    expect((await memory.cancel('a', { timestamp: given.timestamp })).task.status).toEqual(given);
    expect((await memory.cancel('b')).task.status).toEqual({ ...given, timestamp: '2023-11-14T22:13:20.000001Z' });
  });

  test('keeps a task at the end of time as it is, and only that task', async () => {
    const memory = store(MAX_TIME_MICROS);
    await memory.create(task('last', { history: [message('m')] }));
    memory.now = 100n;
    await memory.create(task('other'));
    const before = await memory.get('last');
    expect(await codeOf(memory.replace(task('last', { contextId: 'x' })))).toBe('internal');
    expect(await codeOf(memory.append('last', message('n')))).toBe('internal');
    expect(await codeOf(memory.cancel('last'))).toBe('internal');
    expect(await memory.get('last')).toEqual(before);
    expect((await memory.append('last', message('m'))).deduplicated).toBe(true);
    expect((await memory.replace(task('other'))).lastUpdatedMicros).toBe(101n);
    expect(await walk(memory, { pageSize: 1 })).toEqual([['last'], ['other']]);
    memory.now = MAX_TIME_MICROS + 1n;
    expect(await codeOf(memory.create(task('beyond')))).toBe('internal');
    expect(await memory.get('beyond')).toBeUndefined();
  });

  test('continues after a boundary that was updated or deleted, and gives its key at selection', async () => {
    const memory = store();
    for (const id of ['d', 'c', 'b', 'a']) await memory.create(task(id));
    const first = await memory.list({ pageSize: 2 });
    expect(first.taskCursors).toEqual([
      { lastUpdatedMicros: 100n, id: 'd' },
      { lastUpdatedMicros: 100n, id: 'c' },
    ]);
    await memory.replace(task('c'));
    const rest = { pageSize: 9, pageToken: first.nextPageToken };
    expect((await memory.list(rest)).tasks.map(({ id }) => id)).toEqual(['b', 'a']);
    await memory.delete('c');
    expect((await memory.list(rest)).tasks.map(({ id }) => id)).toEqual(['b', 'a']);
    await memory.create(task('bb'));
    expect((await memory.list(rest)).tasks.map(({ id }) => id)).toEqual(['bb', 'b', 'a']);
  });

  test('judges a token before anything else, whatever it holds', async () => {
    const memory = store();
    const refusals = [{}, { pageSize: 0 }, { contextIds: [] }, { contextId: '\ud800' }];
    for (const request of refusals) {
      for (const pageToken of ['0', '10', 'v2.1.YQ', ' ', 'v1.1.', 'fA==']) {
        const error = await memory.list({ ...request, pageToken }).catch((reason: Error) => reason);
        expect(error).toMatchObject({ code: 'invalid-argument', message: 'Invalid page token' });
      }
    }
    expect(await codeOf(memory.list({ pageSize: 0 }))).toBe('invalid-argument');
  });

  test('keeps its context lists in step when tasks change context', async () => {
    const memory = store();
    for (const id of ['a', 'b', 'c']) await memory.create(task(id, { contextId: 'one' }));
    await memory.replace(task('b', { contextId: 'two' }));
    await memory.delete('c');
    const ids = async (request: StoreListRequest) => {
      const page = await memory.list(request);
      return [page.tasks.map(({ id }) => id), page.totalSize];
    };
    expect(await ids({ contextId: 'one' })).toEqual([['a'], 1]);
    expect(await ids({ contextId: 'two' })).toEqual([['b'], 1]);
    expect(await ids({ contextIds: ['one', 'two', 'three'] })).toEqual([['b', 'a'], 2]);
    expect(await ids({ contextIds: ['two'], contextId: 'one' })).toEqual([[], 0]);
    expect(await ids({ contextIds: [] })).toEqual([[], 0]);
  });

  test('merges the contexts of a scope in list order, page by page', async () => {
    const memory = store();
    for (let i = 0; i < 30; i++) {
      memory.now += 1n;
      await memory.create(task(`t${i}`, { contextId: `c${i % 4}` }));
    }
    const expected = Array.from({ length: 30 }, (_, i) => 29 - i).filter((i) => i % 4 !== 3);
    const pages = await walk(memory, { pageSize: 4, contextIds: ['c0', 'c1', 'c2'] });
    expect(pages.flat()).toEqual(expected.map((i) => `t${i}`));
  });

  test('counts what matches, without regard to the page, and not at all where not asked', async () => {
    const memory = store();
    const status = { state: TaskState.TASK_STATE_FAILED, message: undefined, timestamp: '2025-01-01T00:00:00Z' };
    for (let i = 0; i < 10; i++) await memory.create(task(`t${i}`, i % 2 === 0 ? { status } : {}));
    const request = { status: TaskState.TASK_STATE_FAILED, pageSize: 2 };
    const first = await memory.list(request);
    const second = await memory.list({ ...request, pageToken: first.nextPageToken });
    expect([first.totalSize, second.totalSize]).toEqual([5, 5]);
    expect((await memory.list({ statusTimestampAfter: '2025-01-01T01:00:00+01:00' })).totalSize).toBe(5);
    expect((await walk(memory, request)).map((ids) => ids.length)).toEqual([2, 2, 1]);
    const { counts } = memory.counters();
    expect('totalSize' in (await memory.list({ includeTotalSize: false }))).toBe(false);
    expect(memory.counters().counts).toBe(counts);
  });

  test('visits no more than a page and one, and copies no more than a page, at any depth', async () => {
    const memory = store();
    for (let i = 0; i < 2000; i++) await memory.create(task(`t${String(i).padStart(4, '0')}`));
    let pageToken = '';
    do {
      const before = memory.counters();
      const page = await memory.list({ pageSize: 20, pageToken });
      const after = memory.counters();
      expect(after.visits - before.visits).toBeLessThanOrEqual(21);
      expect(after.comparisons - before.comparisons).toBeLessThanOrEqual(Math.ceil(Math.log2(2000)) + 3);
      expect(after.copies - before.copies).toBe(page.tasks.length);
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
  });

  test('shares no object with its callers', async () => {
    const memory = store();
    const mine = task('a', { metadata: { note: 'kept' }, history: [message('m')] });
    const created = await memory.create(mine);
    mine.metadata!.note = created.task.metadata!.note = 'scribbled';
    const sent = message('n');
    const { stored } = await memory.append('a', sent);
    sent.role = stored.task.history[1]!.role = 2;
    const [listed] = (await memory.list({})).tasks;
    listed!.history.length = 0;
    (await memory.get('a'))!.task.metadata!.note = 'scribbled';
    const read = (await memory.get('a'))!.task;
    expect(read.metadata).toEqual({ note: 'kept' });
    expect(read.history.map(({ messageId, role }) => [messageId, role])).toEqual([
      ['m', 1],
      ['n', 1],
    ]);
  });

  test('tells distinct ids apart and refuses what it can not keep', async () => {
    const memory = store();
    const ids = ['__proto__', 'constructor', 'a', 'A', 'a ', 'a\0', 'é', 'e\u0301', '10', '2'];
    for (const id of ids) await memory.create(task(id, { metadata: { id } }));
    for (const id of ids) expect((await memory.get(id))?.task.metadata).toEqual({ id });
    expect(new Set((await walk(memory, { pageSize: 1 })).flat())).toEqual(new Set(ids));
    for (const bad of ['', '\ud800', 'a\udc00']) {
      expect(await codeOf(memory.create(task(bad)))).toBe('invalid-argument');
      expect(await codeOf(memory.get(bad))).toBe('invalid-argument');
      expect(await codeOf(memory.delete(bad))).toBe('invalid-argument');
    }
    expect(await codeOf(memory.create(task('b', { contextId: '\ud800' })))).toBe('invalid-argument');
    expect(await codeOf(memory.create({ id: 'b' } as Task))).toBe('invalid-argument');
    expect((await memory.list({})).totalSize).toBe(ids.length);
  });

  test('starts a deleted id afresh', async () => {
    const memory = store();
    await memory.create(task('a'));
    await memory.replace(task('a'));
    await memory.delete('a');
    expect(await codeOf(memory.delete('a'))).toBe('not-found');
    expect(await codeOf(memory.replace(task('a')))).toBe('not-found');
    expect(await codeOf(memory.append('a', message('m')))).toBe('not-found');
    expect((await memory.create(task('a'))).revision).toBe(1);
  });

  test('reads a light projection, and lists what the request asks of a task', async () => {
    const memory = store();
    const artifact = { artifactId: 'x', name: '', description: '', parts: [], metadata: undefined, extensions: [] };
    await memory.create(task('a', { artifacts: [artifact], history: [message('m'), message('n')] }));
    const light = (await memory.get('a', 'light'))!.task;
    expect([light.artifacts.length, light.history.length]).toEqual([0, 0]);
    const shape = async (request: StoreListRequest) => {
      const [listed] = (await memory.list(request)).tasks;
      return [listed!.artifacts.length, listed!.history.map(({ messageId }) => messageId)];
    };
    expect(await shape({})).toEqual([0, ['m', 'n']]);
    expect(await shape({ includeArtifacts: true, historyLength: 1 })).toEqual([1, ['n']]);
    expect(await shape({ includeArtifacts: true, projection: 'light' })).toEqual([0, []]);
  });
});
