import { expect, it } from 'vitest';
import type { Task } from '../task/task.ts';
import { TaskState } from '../task/task.ts';
import { createDispatcherSubject } from './dispatcher.ts';

const status = { state: TaskState.TASK_STATE_WORKING, message: undefined, timestamp: undefined };
const task = (id: string, contextId = 'ctx'): Task => ({
  id,
  contextId,
  status,
  artifacts: [],
  history: [],
  metadata: undefined,
});
const alice = { client: 0, caller: 'alice' };
const nobody = { client: 0 };

it('lets every caller access every task until one is denied, and again once it is allowed', async () => {
  const store = await createDispatcherSubject().open();
  await store.create(task('t'), nobody);
  expect((await store.list({}, alice)).totalSize).toBe(1);
  await store.setAccess?.('alice', 't', false);
  expect(await store.list({}, alice)).toMatchObject({ tasks: [], taskCursors: [], totalSize: 0 });
  expect(await store.get?.('t', alice)).toBeUndefined();
  await expect(store.cancel?.('t', {}, alice)).rejects.toMatchObject({ code: 'not-found' });
  expect((await store.list({}, nobody)).totalSize).toBe(1);
  await store.setAccess?.('alice', 't', true);
  expect((await store.list({}, alice)).totalSize).toBe(1);
});

it('keeps apart callers and ids whose names run into each other', async () => {
  const store = await createDispatcherSubject().open();
  for (const id of ['b:c', 'c']) await store.create(task(id), nobody);
  await store.setAccess?.('a', 'b:c', false);
  expect((await store.list({}, { client: 0, caller: 'a:b' })).totalSize).toBe(2);
});

it('narrows lists by scope, and sets the clock of the store', async () => {
  const store = await createDispatcherSubject().open();
  await store.setClock?.(42n);
  await store.create(task('r', 'red'), nobody);
  await store.create(task('b', 'blue'), nobody);
  store.setScope('alice', ['blue']);
  expect((await store.list({}, alice)).taskCursors).toEqual([{ id: 'b', lastUpdatedMicros: 42n }]);
  store.setScope('alice', []);
  expect((await store.list({}, alice)).totalSize).toBe(0);
});

it('takes parts that stand in for its own', async () => {
  const subject = createDispatcherSubject(undefined, { name: 'blabbing', parts: { nextPageToken: () => 'always' } });
  expect(subject.name).toBe('blabbing');
  expect((await (await subject.open()).list({}, alice)).nextPageToken).toBe('always');
});

it('takes a policy and a store in between', async () => {
  const asked: unknown[] = [];
  const subject = createDispatcherSubject(undefined, {
    projection: 'full',
    policy: ({ policy }) => ({ ...policy, canAccessTask: (caller) => caller !== 'alice' }),
    wrapStore: (store) =>
      new Proxy(store, {
        get: (target, name) => {
          asked.push(name);
          return Reflect.get(target, name).bind(target);
        },
      }),
  });
  const store = await subject.open();
  await store.create(task('t'), nobody);
  expect((await store.list({}, alice)).totalSize).toBe(0);
  expect((await store.list({}, nobody)).totalSize).toBe(1);
  expect(asked).toEqual(['create', 'list', 'list', 'get']);
});

it('counts what the store and the dispatcher did', async () => {
  const store = await createDispatcherSubject().open();
  await store.create(task('t'), nobody);
  await store.list({}, alice);
  expect(store.counters?.()).toMatchObject({
    counts: 0,
    batches: 1,
    policyCalls: 2,
    fullReads: 1,
    lightReads: 1,
    peakHeld: 2,
  });
});
