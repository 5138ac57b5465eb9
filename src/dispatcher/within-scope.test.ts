import { describe, expect, it } from 'vitest';
import { createMemoryTaskStore } from '../store/memory.ts';
import type { StoreListPage, StoreListRequest } from '../task/task.ts';
import { type Task, TaskState } from '../task/task.ts';
import type { TaskStore } from '../task/task-store.ts';
import { createDispatcher, type Dispatcher } from './dispatcher.ts';
import type { AccessPolicy } from './policy.ts';

const internal = { code: 'internal', message: 'Internal error' };
const contexts = ['a', 'b', 'c'];

function task(n: number): Task {
  const state = n % 2 === 0 ? TaskState.TASK_STATE_WORKING : TaskState.TASK_STATE_COMPLETED;
  const status = { state, message: undefined, timestamp: undefined };
  const id = `t${String(n).padStart(4, '0')}`;
  return { id, contextId: contexts[n % 3] as string, status, artifacts: [], history: [], metadata: undefined };
}

async function storeOf(count: number): Promise<TaskStore> {
  const store = createMemoryTaskStore({ clock: () => 1_000n });
  for (let n = 0; n < count; n += 1) await store.create(task(n));
  return store;
}

/** A caller is named by the contexts of its scope; `all` by none. */
const scopeOf = (caller: string) => ({ contextIds: caller === 'all' ? ('all' as const) : caller.split(',') });
const asks = { asked: 0 };
const scanning: AccessPolicy = { projection: 'light', scopeTaskList: scopeOf, canAccessTask: () => true };
const deciding: AccessPolicy = {
  ...scanning,
  scopeDecides: true,
  canAccessTask: () => {
    asks.asked += 1;
    return false;
  },
};

const over = (store: TaskStore, policy: AccessPolicy): Dispatcher => createDispatcher({ store, policy });

async function walk(dispatcher: Dispatcher, caller: string, request: StoreListRequest): Promise<StoreListPage[]> {
  const pages: StoreListPage[] = [];
  for (let pageToken = ''; pages.length === 0 || pageToken !== ''; pageToken = pages.at(-1)!.nextPageToken) {
    expect(pages.length).toBeLessThan(1_000);
    pages.push(await dispatcher.list(caller, { ...request, pageToken }));
  }
  return pages;
}

describe('where the scope alone decides', () => {
  it.each(['all', 'a', 'a,c', 'b,unknown', 'unknown'])(
    'a caller of scope %s is answered as by a scan, page by page, token by token',
    async (caller) => {
      const store = await storeOf(250);
      for (const request of [
        { pageSize: 7 },
        { pageSize: 100 },
        { pageSize: 50, contextId: 'a' },
        { pageSize: 20, status: TaskState.TASK_STATE_COMPLETED },
        { pageSize: 30, includeTotalSize: false },
      ]) {
        expect(await walk(over(store, deciding), caller, request)).toEqual(
          await walk(over(store, scanning), caller, request),
        );
      }
      expect(asks.asked).toBe(0);
    },
  );

  it('a list costs one page of the store and its own count', async () => {
    const dispatcher = over(await storeOf(1_000), deciding);
    await dispatcher.list('all', { pageSize: 10 });
    const { batches, storeCounts, lightReads, fullReads, peakHeld, policyCalls } = dispatcher.counters();
    expect({ batches, storeCounts, lightReads, fullReads, peakHeld, policyCalls }).toEqual({
      batches: 1,
      storeCounts: 1,
      lightReads: 10,
      fullReads: 10,
      peakHeld: 10,
      policyCalls: 0,
    });
  });

  it('a task out of scope does not exist', async () => {
    const dispatcher = over(await storeOf(3), deciding);
    expect((await dispatcher.get('a', 't0000')).task.id).toBe('t0000');
    await expect(dispatcher.get('a', 't0001')).rejects.toMatchObject({ code: 'not-found' });
  });

  it.each<[string, (page: StoreListPage) => StoreListPage]>([
    ['no boundaries', ({ taskCursors: _, ...page }) => page as StoreListPage],
    ['one boundary too few', (page) => ({ ...page, taskCursors: page.taskCursors.slice(1) })],
    ['no total', ({ totalSize: _, ...page }) => page],
    ['a total below what it shows', (page) => ({ ...page, totalSize: 1 })],
    [
      'a task of another context',
      (page) => ({ ...page, tasks: page.tasks.map((each) => ({ ...each, contextId: 'b' })) }),
    ],
    ['an empty page that goes on', (page) => ({ ...page, tasks: [], taskCursors: [], nextPageToken: 'v1.1.YQ' })],
  ])('a store that gives %s fails closed', async (_what, spoil) => {
    const store = await storeOf(9);
    const list = async (request: StoreListRequest): Promise<StoreListPage> => spoil(await store.list(request));
    const dispatcher = over(Object.assign(Object.create(store), { list }), deciding);
    await expect(dispatcher.list('a', { pageSize: 3 })).rejects.toMatchObject(internal);
  });

  it('a store that starts anew fails closed, and so does a revocation at the final read', async () => {
    const store = await storeOf(9);
    const anew = async (request: StoreListRequest): Promise<StoreListPage> => store.list({ ...request, pageToken: '' });
    const { nextPageToken } = await over(store, deciding).list('all', { pageSize: 3 });
    const restarting = over(Object.assign(Object.create(store), { list: anew }), deciding);
    await expect(restarting.list('all', { pageSize: 3, pageToken: nextPageToken })).rejects.toMatchObject(internal);
    const moving = async (request: StoreListRequest): Promise<StoreListPage> => {
      const page = await store.list(request);
      await store.replace({ ...task(0), contextId: 'b' });
      return page;
    };
    const late = over(Object.assign(Object.create(store), { list: moving }), deciding);
    await expect(late.list('a', { pageSize: 3 })).rejects.toMatchObject({ code: 'not-found' });
  });

  it('a scope that is narrowed between choice and final read fails the call as a missing task does', async () => {
    let asked = 0;
    const narrowing: AccessPolicy = {
      ...deciding,
      scopeTaskList: () => ({ contextIds: (asked++ === 0 ? ['a', 'b'] : ['a']) as string[] }),
    };
    const dispatcher = over(await storeOf(9), narrowing);
    await expect(dispatcher.list('all', { pageSize: 3 })).rejects.toMatchObject({ code: 'not-found' });
  });

  it('is said by true or false', async () => {
    const store = await storeOf(0);
    expect(() => over(store, { ...deciding, scopeDecides: 'yes' as never })).toThrow(TypeError);
  });
});
