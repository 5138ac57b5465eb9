import { describe, expect, it } from 'vitest';
import { createMemoryTaskStore } from '../store/memory.ts';
import { TaskNotFoundError } from '../task/errors.ts';
import type { StoreListPage, Task } from '../task/task.ts';
import { TaskState } from '../task/task.ts';
import type { TaskStore } from '../task/task-store.ts';
import { decodePageToken, encodePageToken } from '../token/page-token.ts';
import { createDispatcher, type Dispatcher, type DispatcherOptions } from './dispatcher.ts';
import type { AccessPolicy } from './policy.ts';

const internal = { code: 'internal', message: 'Internal error' };
const invalidToken = { code: 'invalid-argument', message: 'Invalid page token' };

function task(id: string, contextId = 'ctx', change: Partial<Task> = {}): Task {
  const status = { state: TaskState.TASK_STATE_WORKING, message: undefined, timestamp: undefined };
  return { id, contextId, status, artifacts: [], history: [], metadata: undefined, ...change };
}

/** A store whose clock moves by one at each write, with these tasks, the first being the oldest. */
async function storeOf(...tasks: readonly Task[]): Promise<TaskStore> {
  let now = 0n;
  const store = createMemoryTaskStore({
    clock: () => {
      now += 1n;
      return now;
    },
  });
  for (const each of tasks) await store.create(each);
  return store;
}

function allow(canAccessTask: AccessPolicy['canAccessTask'], change: Partial<AccessPolicy> = {}): AccessPolicy {
  return { projection: 'light', scopeTaskList: () => ({ contextIds: 'all' }), canAccessTask, ...change };
}

function over(store: TaskStore, policy: AccessPolicy, options: Partial<DispatcherOptions> = {}): Dispatcher {
  return createDispatcher({ store, policy, policyTimeoutMs: 20, ...options });
}

function idsOf(page: StoreListPage): string[] {
  return page.tasks.map(({ id }) => id);
}

async function walk(dispatcher: Dispatcher, caller: string, pageSize: number): Promise<StoreListPage[]> {
  const pages: StoreListPage[] = [];
  for (let pageToken = ''; pages.length === 0 || pageToken !== ''; pageToken = pages.at(-1)!.nextPageToken) {
    expect(pages.length).toBeLessThan(1_000);
    pages.push(await dispatcher.list(caller, { pageSize, pageToken }));
  }
  return pages;
}

const numbered = (count: number): Task[] =>
  Array.from({ length: count }, (_, i) => task(`t${String(i).padStart(5, '0')}`));
const onlyEven = allow((_caller, { id }) => Number(id.slice(1)) % 2 === 0);

describe('a list', () => {
  it('shows and counts only what the caller may access, at every page size', async () => {
    const dispatcher = over(await storeOf(...numbered(250)), onlyEven);
    const expected = Array.from({ length: 125 }, (_, i) => `t${String(248 - 2 * i).padStart(5, '0')}`);
    for (const pageSize of [1, 7, 50, 100]) {
      const pages = await walk(dispatcher, 'alice', pageSize);
      expect(pages.flatMap(idsOf)).toEqual(expected);
      expect(pages.every(({ totalSize }) => totalSize === 125)).toBe(true);
      expect(pages).toHaveLength(Math.ceil(125 / pageSize));
    }
  });

  it('ends its last page without a token when only inaccessible tasks follow', async () => {
    const dispatcher = over(
      await storeOf(...numbered(10)),
      allow((_caller, { id }) => id >= 't00007'),
    );
    const page = await dispatcher.list('alice', { pageSize: 3 });
    expect(idsOf(page)).toEqual(['t00009', 't00008', 't00007']);
    expect(page.nextPageToken).toBe('');
  });

  it('takes its token from the last task it returned, by its key at selection', async () => {
    const dispatcher = over(await storeOf(...numbered(10)), onlyEven);
    const page = await dispatcher.list('alice', { pageSize: 2 });
    expect(decodePageToken(page.nextPageToken)).toEqual({ id: 't00006', lastUpdatedMicros: 7n });
    expect(page.taskCursors.at(-1)).toEqual({ id: 't00006', lastUpdatedMicros: 7n });
  });

  it('finds a task behind 10,001 inaccessible ones, in batches, holding one batch and one page', async () => {
    const dispatcher = over(
      await storeOf(...numbered(10_002)),
      allow((_caller, { id }) => id === 't00000'),
    );
    const page = await dispatcher.list('alice', { pageSize: 10 });
    expect(idsOf(page)).toEqual(['t00000']);
    expect(page.totalSize).toBe(1);
    const counters = dispatcher.counters();
    expect(counters).toMatchObject({
      batches: 101,
      storeCounts: 0,
      policyCalls: 10_003,
      lightReads: 10_002,
      fullReads: 1,
    });
    expect(counters.peakHeld).toBeLessThanOrEqual(101);
  });

  it('holds one batch and one page where a caller may see one task in 1,000 of 100,000', async () => {
    const store = await storeOf(...numbered(100_000));
    const dispatcher = over(
      store,
      allow((_caller, { id }) => id.endsWith('777')),
    );
    const page = await dispatcher.list('alice', { pageSize: 30 });
    expect(idsOf(page)).toEqual(Array.from({ length: 30 }, (_, i) => `t${99_777 - 1_000 * i}`));
    expect(page.totalSize).toBe(100);
    expect(dispatcher.counters()).toMatchObject({ batches: 1_000, lightReads: 100_000, fullReads: 30, peakHeld: 130 });
  }, 30_000);

  it('skips the total and stops at the successor of its page where no total is wanted', async () => {
    const dispatcher = over(
      await storeOf(...numbered(1_000)),
      allow(() => true),
    );
    const page = await dispatcher.list('alice', { pageSize: 2, includeTotalSize: false });
    expect(page).not.toHaveProperty('totalSize');
    expect(dispatcher.counters().batches).toBe(1);
    const deep = {
      pageSize: 2,
      includeTotalSize: false,
      pageToken: encodePageToken({ id: 't00100', lastUpdatedMicros: 101n }),
    };
    expect(idsOf(await dispatcher.list('alice', deep))).toEqual(['t00099', 't00098']);
    expect(dispatcher.counters().batches).toBe(2);
  });

  it("applies one caller's token to another's tasks", async () => {
    const dispatcher = over(
      await storeOf(...numbered(10)),
      allow((caller, { id }) => Number(id.slice(1)) % 2 === Number(caller)),
    );
    const { nextPageToken } = await dispatcher.list('0', { pageSize: 2 });
    expect(idsOf(await dispatcher.list('1', { pageToken: nextPageToken }))).toEqual(['t00005', 't00003', 't00001']);
  });

  it('starts below a boundary whose task is gone', async () => {
    const store = await storeOf(...numbered(6));
    const dispatcher = over(
      store,
      allow(() => true),
    );
    const { nextPageToken } = await dispatcher.list('alice', { pageSize: 2 });
    await store.delete('t00004');
    expect(idsOf(await dispatcher.list('alice', { pageToken: nextPageToken }))).toEqual([
      't00003',
      't00002',
      't00001',
      't00000',
    ]);
  });

  it('orders an id of four UTF-8 bytes above one of three across pages', async () => {
    const store = createMemoryTaskStore({ clock: () => 5n });
    for (const id of ['\u{1F600}', '｡', 'a']) await store.create(task(id));
    const pages = await walk(
      over(
        store,
        allow(() => true),
      ),
      'alice',
      1,
    );
    expect(pages.flatMap(idsOf)).toEqual(['\u{1F600}', '｡', 'a']);
  });

  it('gives artifacts only where asked for and cuts the history', async () => {
    const messages = ['m1', 'm2', 'm3'].map((messageId) => ({ messageId }) as Task['history'][number]);
    const artifacts = [{ artifactId: 'a' } as Task['artifacts'][number]];
    const store = await storeOf();
    await store.create(
      task('t', 'ctx', {
        history: messages.map((message) => ({ ...emptyMessage, ...message })),
        artifacts: artifacts.map((artifact) => ({ ...emptyArtifact, ...artifact })),
      }),
    );
    const dispatcher = over(
      store,
      allow(() => true),
    );
    const [plain] = (await dispatcher.list('alice', { historyLength: 2 })).tasks;
    expect(plain?.artifacts).toEqual([]);
    expect(plain?.history.map(({ messageId }) => messageId)).toEqual(['m2', 'm3']);
    const [rich] = (await dispatcher.list('alice', { historyLength: 0, includeArtifacts: true })).tasks;
    expect(rich?.artifacts).toHaveLength(1);
    expect(rich?.history).toEqual([]);
  });
});

const emptyMessage = {
  contextId: '',
  taskId: '',
  role: 1,
  parts: [],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
};
const emptyArtifact = { name: '', description: '', parts: [], metadata: undefined, extensions: [] };

describe('a scope', () => {
  const tasks = [task('a', 'red'), task('b', 'blue'), task('c', 'red'), task('d', 'green')];
  const scoped = (contextIds: readonly string[] | 'all') =>
    allow(() => true, { scopeTaskList: () => ({ contextIds }) });

  it('narrows a list, and the request narrows it further', async () => {
    const dispatcher = over(await storeOf(...tasks), scoped(['red', 'blue']));
    expect(idsOf(await dispatcher.list('alice', {}))).toEqual(['c', 'b', 'a']);
    expect(idsOf(await dispatcher.list('alice', { contextId: 'red' }))).toEqual(['c', 'a']);
    expect(await dispatcher.list('alice', { contextId: 'green' })).toMatchObject({
      tasks: [],
      totalSize: 0,
      nextPageToken: '',
    });
  });

  it('that is empty means nothing, and the store is not asked', async () => {
    const dispatcher = over(await storeOf(...tasks), scoped([]));
    expect(await dispatcher.list('alice', {})).toMatchObject({ tasks: [], totalSize: 0, nextPageToken: '' });
    expect(dispatcher.counters().batches).toBe(0);
  });

  it('hides tasks from every other operation as well', async () => {
    const dispatcher = over(await storeOf(...tasks), scoped(['red']));
    await expect(dispatcher.get('alice', 'd')).rejects.toThrow(TaskNotFoundError);
    await expect(dispatcher.cancel('alice', 'd')).rejects.toThrow(TaskNotFoundError);
  });

  it.each([undefined, null, 'none', {}, { contextIds: undefined }, { contextIds: [1] }])(
    'of the wrong form fails the list: %j',
    async (scope) => {
      const dispatcher = over(
        await storeOf(...tasks),
        allow(() => true, { scopeTaskList: () => scope as never }),
      );
      await expect(dispatcher.list('alice', {})).rejects.toMatchObject(internal);
    },
  );

  it('is not left to a store that ignores it', async () => {
    const store = await storeOf(...tasks);
    const careless: TaskStore = { ...methodsOf(store), list: ({ contextIds: _, ...request }) => store.list(request) };
    expect(idsOf(await over(careless, scoped(['blue'])).list('alice', {}))).toEqual(['b']);
  });
});

describe('the final read', () => {
  /** Runs `change` once, between the selection and the final read. */
  function interrupted(store: TaskStore, change: () => Promise<unknown> | undefined): TaskStore {
    let done = false;
    return {
      ...methodsOf(store),
      async get(id, projection) {
        if (!done) {
          done = true;
          await change();
        }
        return store.get(id, projection);
      },
    };
  }

  it('shows fresh contents under the key of the selection', async () => {
    const store = await storeOf(...numbered(4));
    const newer = interrupted(store, () => store.replace(task('t00003', 'ctx', { metadata: { note: 'new' } })));
    const page = await over(
      newer,
      allow(() => true),
    ).list('alice', { pageSize: 1 });
    expect(page.tasks[0]?.metadata).toEqual({ note: 'new' });
    expect(decodePageToken(page.nextPageToken)).toEqual({ id: 't00003', lastUpdatedMicros: 4n });
  });

  it('fails the whole call as for a missing task when a task was revoked, deleted or created again', async () => {
    const denied = new Set<string>();
    const policy = allow((_caller, { id }) => !denied.has(id));
    const revoked = await storeOf(...numbered(4));
    const revoking = interrupted(revoked, async () => denied.add('t00002'));
    await expect(over(revoking, policy).list('alice', {})).rejects.toThrow(new TaskNotFoundError());

    const deleted = await storeOf(...numbered(4));
    const deleting = interrupted(deleted, () => deleted.delete('t00000'));
    await expect(
      over(
        deleting,
        allow(() => true),
      ).list('alice', {}),
    ).rejects.toThrow(new TaskNotFoundError());

    let now = 9n;
    const recreated = createMemoryTaskStore({ clock: () => now });
    await recreated.create(task('t'));
    const recreating = interrupted(recreated, async () => {
      now = 3n;
      await recreated.delete('t');
      await recreated.create(task('t'));
    });
    await expect(
      over(
        recreating,
        allow(() => true),
      ).list('alice', {}),
    ).rejects.toThrow(new TaskNotFoundError());
  });

  it('judges the task as it is now, not as it was selected', async () => {
    const store = await storeOf(task('t', 'ctx', { metadata: { owner: 'alice' } }));
    const policy = allow((caller, { metadata }) => metadata?.owner === caller);
    const handedOver = interrupted(store, () => store.replace(task('t', 'ctx', { metadata: { owner: 'bob' } })));
    await expect(over(handedOver, policy).list('alice', {})).rejects.toThrow(new TaskNotFoundError());
  });
});

describe('a bad request', () => {
  it.each(['0', ' ', 'v1.5.', 'v1.1.YR', 'v2.1.YQ', 'v1.9223372036854775808.YQ', '!'])(
    'with the token %j gets one error whatever is stored and whoever calls',
    async (pageToken) => {
      const full = await storeOf(...numbered(3));
      const dispatchers = [
        over(
          await storeOf(),
          allow(() => true),
        ),
        over(
          full,
          allow(() => true),
        ),
        over(
          full,
          allow(() => false),
        ),
        over(
          full,
          allow(() => true, { scopeTaskList: () => ({ contextIds: [] }) }),
        ),
        over(
          full,
          allow(() => Promise.reject(new Error('down'))),
        ),
      ];
      for (const dispatcher of dispatchers) {
        await expect(dispatcher.list('alice', { pageToken })).rejects.toMatchObject(invalidToken);
      }
    },
  );

  it.each([0, -1, 101, 1.5, Number.NaN, '5'])(
    'with the page size %s is refused, also under an empty scope',
    async (pageSize) => {
      const nothing = allow(() => true, { scopeTaskList: () => ({ contextIds: [] }) });
      const request = { pageSize: pageSize as number };
      await expect(over(await storeOf(), nothing).list('alice', request)).rejects.toMatchObject({
        code: 'invalid-argument',
      });
    },
  );
});

describe('an unsound store', () => {
  const breaks: readonly [string, (page: StoreListPage) => unknown][] = [
    ['without boundaries', ({ taskCursors: _, ...page }) => page],
    ['with a boundary too few', (page) => ({ ...page, taskCursors: page.taskCursors.slice(1) })],
    ['with a boundary missing', (page) => ({ ...page, taskCursors: [undefined, ...page.taskCursors.slice(1)] })],
    [
      'with a boundary twice',
      (page) => ({ ...page, taskCursors: [page.taskCursors[0], page.taskCursors[0], page.taskCursors[2]] }),
    ],
    [
      'with boundaries out of order',
      (page) => ({ ...page, tasks: page.tasks.toReversed(), taskCursors: page.taskCursors.toReversed() }),
    ],
    [
      'with boundaries of other tasks',
      (page) => ({ ...page, taskCursors: page.taskCursors.map((cursor) => ({ ...cursor, id: `${cursor.id}x` })) }),
    ],
    [
      'with times that are no bigint',
      (page) => ({ ...page, taskCursors: page.taskCursors.map(({ id }, i) => ({ id, lastUpdatedMicros: 9 - i })) }),
    ],
    [
      'that repeats its page for ever',
      (page) => ({ ...page, nextPageToken: encodePageToken({ id: 'z', lastUpdatedMicros: 99n }) }),
    ],
    [
      'with an empty page that has a successor',
      () => ({ tasks: [], taskCursors: [], nextPageToken: 'more', pageSize: 1 }),
    ],
    ['with no page at all', () => undefined],
  ];

  it.each(breaks)('%s fails the list, also for a caller who may access nothing', async (_name, change) => {
    const store = await storeOf(...numbered(3));
    const broken: TaskStore = {
      ...methodsOf(store),
      list: async (request) => change(await store.list(request)) as StoreListPage,
    };
    for (const allowed of [true, false]) {
      await expect(
        over(
          broken,
          allow(() => allowed),
        ).list('alice', {}),
      ).rejects.toMatchObject(internal);
    }
  });

  it('that fails tells nothing of how', async () => {
    const store = await storeOf(...numbered(3));
    const failing: TaskStore = { ...methodsOf(store), list: () => Promise.reject(new Error('SELECT * FROM /var/lib')) };
    await expect(
      over(
        failing,
        allow(() => true),
      ).list('alice', {}),
    ).rejects.toMatchObject(internal);
  });

  it('that gives fewer tasks than asked for is read to its end', async () => {
    const store = await storeOf(...numbered(120));
    const meagre: TaskStore = { ...methodsOf(store), list: (request) => store.list({ ...request, pageSize: 7 }) };
    expect(
      (
        await over(
          meagre,
          allow(() => true),
        ).list('alice', { pageSize: 10 })
      ).totalSize,
    ).toBe(120);
  });
});

describe('a policy', () => {
  const failures: readonly [string, AccessPolicy['canAccessTask']][] = [
    [
      'throws',
      () => {
        throw new Error('secret');
      },
    ],
    ['rejects', () => Promise.reject(new TaskNotFoundError())],
    ['answers nothing', () => undefined as never],
    ['answers a text', () => 'yes' as never],
    ['answers 1 late', async () => 1 as never],
    ['never answers', () => new Promise<boolean>(() => {})],
  ];

  it.each(failures)('that %s fails lists and single calls without detail', async (_name, canAccessTask) => {
    const dispatcher = over(await storeOf(...numbered(3)), allow(canAccessTask));
    await expect(dispatcher.list('alice', {})).rejects.toMatchObject(internal);
    await expect(dispatcher.get('alice', 't00000')).rejects.toMatchObject(internal);
  });

  it('that throws for one task and rejects for another leaves no rejection behind', async () => {
    const mixed = allow((_caller, { id }) => {
      if (id === 't00001') throw new Error('sync');
      return Promise.reject(new Error('async'));
    });
    await expect(over(await storeOf(...numbered(3)), mixed).list('alice', {})).rejects.toMatchObject(internal);
  });

  it('is shown history and artifacts only where it asks for them', async () => {
    const store = await storeOf();
    await store.create(
      task('t', 'ctx', {
        history: [{ ...emptyMessage, messageId: 'm' }],
        artifacts: [{ ...emptyArtifact, artifactId: 'a' }],
      }),
    );
    for (const projection of ['light', 'full'] as const) {
      const shown: number[] = [];
      const curious = allow((_caller, { history, artifacts }) => shown.push(history.length + artifacts.length) > 0, {
        projection,
      });
      await over(store, curious).list('alice', { historyLength: 0 });
      expect(shown).toEqual(projection === 'full' ? [2, 2] : [0, 0]);
    }
  });

  it('may answer by a promise', async () => {
    const dispatcher = over(
      await storeOf(...numbered(10)),
      allow(async (_caller, { id }) => id < 't00002'),
    );
    expect(idsOf(await dispatcher.list('alice', {}))).toEqual(['t00001', 't00000']);
  });
});

describe('an operation on one task', () => {
  it('answers for an inaccessible task as for a missing one', async () => {
    const store = await storeOf(
      task('done', 'ctx', {
        status: { state: TaskState.TASK_STATE_COMPLETED, message: undefined, timestamp: undefined },
      }),
    );
    const dispatcher = over(
      store,
      allow((caller) => caller === 'alice'),
    );
    for (const id of ['done', 'missing']) {
      const calls = [
        dispatcher.get('bob', id),
        dispatcher.cancel('bob', id),
        dispatcher.append('bob', id, { ...emptyMessage, messageId: 'm' }),
        dispatcher.replace('bob', task(id), { ifRevision: 7 }),
        dispatcher.delete('bob', id),
      ];
      for (const call of calls) await expect(call).rejects.toThrow(new TaskNotFoundError());
    }
    expect(await store.get('done')).toMatchObject({ revision: 1 });
  });

  it("does not let a create replace another caller's task", async () => {
    const store = await storeOf(task('t', 'ctx', { metadata: { owner: 'alice' } }));
    const dispatcher = over(
      store,
      allow((caller, { metadata }) => metadata?.owner === caller),
    );
    await expect(dispatcher.create('bob', task('t'))).rejects.toMatchObject({ code: 'already-exists' });
    expect((await store.get('t'))?.task.metadata).toEqual({ owner: 'alice' });
  });
});

function methodsOf(store: TaskStore): TaskStore {
  return {
    create: (each) => store.create(each),
    replace: (each, options) => store.replace(each, options),
    append: (id, message) => store.append(id, message),
    cancel: (id, options) => store.cancel(id, options),
    delete: (id) => store.delete(id),
    get: (id, projection) => store.get(id, projection),
    list: (request) => store.list(request),
    close: () => store.close(),
  };
}
