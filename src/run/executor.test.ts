import { describe, expect, it } from 'vitest';
import type { ListOperation, Operation } from '../history/history.ts';
import type { Program, Step } from '../history/program.ts';
import { createMemorySubject } from '../subject/memory.ts';
import { defineSubject, type Subject, type SubjectStore } from '../subject/subject.ts';
import { runSequentially } from './sequential.ts';

const options = { operationTimeoutMs: 2_000 };
const tasks = { A: 'task-a', B: 'task-b', C: 'task-c' };
const three: readonly Step[] = (['A', 'B', 'C'] as const).map((task) => ({ op: 'create', task }));

async function run(steps: readonly Step[], subject: Subject = createMemorySubject(), more: Partial<Program> = {}) {
  const program: Program = { version: 1, scenario: 'test', tasks, clients: [steps], ...more };
  return (await runSequentially(subject, program, options)).entries;
}

const operations = async (...given: Parameters<typeof run>): Promise<Operation[]> =>
  (await run(...given)).map(({ operation }) => operation);

/** The memory store with some methods of its own, or without them. */
function altered(change: (store: SubjectStore) => SubjectStore, capabilities: Partial<Subject['capabilities']> = {}) {
  const right = createMemorySubject();
  return {
    ...right,
    capabilities: { ...right.capabilities, ...capabilities },
    open: async () => change(await right.open()),
  };
}

describe('a step without meaning is skipped', () => {
  it.each<[string, Step[]]>([
    ['a next of a walk that was never begun', [{ op: 'next', walk: 'w' }]],
    ['a peek of a walk that was never begun', [{ op: 'peek', walk: 'w' }]],
    ['a change of the boundary of no walk', [{ op: 'replace', task: '@w' }]],
    ['a replace at the revision of no task', [{ op: 'replace', task: 'A', revision: 'current' }]],
    ['a wait where the clock is set', [{ op: 'tick' }]],
    ['a restart of a store that has none', [{ op: 'restart' }]],
  ])('%s', async (_, steps) => {
    expect(await operations(steps)).toEqual([]);
  });

  it('a next and a peek of a walk that has ended', async () => {
    const steps: Step[] = [...three, { op: 'walk', walk: 'w' }, { op: 'next', walk: 'w' }, { op: 'peek', walk: 'w' }];
    expect(await operations(steps)).toHaveLength(4);
  });

  it('what the store has no method for', async () => {
    const bare = altered(({ create, list }) => ({ create, list }));
    const steps: Step[] = [
      { op: 'create', task: 'A' },
      { op: 'replace', task: 'A' },
      { op: 'append', task: 'A', message: 'm' },
      { op: 'cancel', task: 'A' },
      { op: 'get', task: 'A' },
      { op: 'delete', task: 'A' },
      { op: 'clock', micros: '5' },
      { op: 'first', walk: 'w' },
    ];
    expect((await operations(steps, bare)).map(({ op }) => op)).toEqual(['create', 'list']);
  });

  it('a replace where the store has none, unless a create writes over what stands', async () => {
    const saves = altered(({ create, list }) => ({ create, list }), { create: 'upsert' });
    const steps: Step[] = [
      { op: 'create', task: 'A' },
      { op: 'replace', task: 'A', content: { state: 'FAILED' } },
      { op: 'replace', task: 'A', revision: 'current' },
    ];
    expect((await operations(steps, saves)).map(({ op }) => op)).toEqual(['create', 'create']);
    const rejects = altered(({ create, list }) => ({ create, list }));
    expect((await operations(steps, rejects)).map(({ op }) => op)).toEqual(['create']);
  });

  it('a repeated message where the subject declares nothing of it', async () => {
    const undeclared = altered((store) => store, { deduplicates: false });
    const steps: Step[] = [
      { op: 'create', task: 'A', content: { history: ['m1'] } },
      { op: 'append', task: 'A', message: 'm1' },
      { op: 'append', task: 'A', message: 'm2' },
      { op: 'append', task: 'A', message: 'm2' },
    ];
    expect((await operations(steps, undeclared)).map(({ op }) => op)).toEqual(['create', 'append']);
  });

  it('a revision where the subject declares none', async () => {
    const undeclared = altered((store) => store, { revisions: false });
    const steps: Step[] = [
      { op: 'create', task: 'A' },
      { op: 'replace', task: 'A', revision: 'current' },
    ];
    expect(await operations(steps, undeclared)).toHaveLength(1);
  });
});

describe('references', () => {
  it('name the boundary task of the latest page by @', async () => {
    const steps: Step[] = [
      ...three,
      { op: 'first', walk: 'w', pageSize: 1 },
      { op: 'append', task: '@w', message: 'm' },
      { op: 'next', walk: 'w', pageSize: 1 },
      { op: 'delete', task: '@w' },
    ];
    const done = await operations(steps);
    expect(done.slice(3)).toMatchObject([{ op: 'list' }, { id: 'task-c' }, { op: 'list' }, { id: 'task-b' }]);
  });

  it('find the current revision and one that is gone', async () => {
    const steps: Step[] = [
      { op: 'create', task: 'A' },
      { op: 'replace', task: 'A', revision: 'stale' },
      { op: 'replace', task: 'A', revision: 'current' },
      { op: 'replace', task: 'A', revision: 'stale' },
    ];
    const entries = await run(steps);
    const revisions = entries.slice(1).map(({ operation }) => ('ifRevision' in operation ? operation.ifRevision : ''));
    expect(revisions).toEqual([expect.stringMatching(/^\d{10,}$/), '1', '1']);
    expect(entries.map(({ result }) => result.kind)).toEqual(['written', 'error', 'written', 'error']);
  });

  it('take a label that the program does not know as an id', async () => {
    expect(await operations([{ op: 'get', task: 'elsewhere' }])).toEqual([{ op: 'get', id: 'elsewhere' }]);
  });

  it('repeat a task as the clients know it where a replace says nothing', async () => {
    const steps: Step[] = [
      { op: 'create', task: 'A', content: { state: 'SUBMITTED', history: ['m1'] } },
      { op: 'append', task: 'A', message: 'm2' },
      { op: 'replace', task: 'A' },
    ];
    const [, , replace] = await operations(steps);
    expect(replace).toMatchObject({ contents: { state: 'SUBMITTED', history: ['m1', 'm2'] } });
  });
});

describe('a walk', () => {
  const lists = (all: readonly Operation[]) => all.filter((one): one is ListOperation => one.op === 'list');

  it('is not moved by a peek', async () => {
    const steps: Step[] = [
      ...three,
      { op: 'first', walk: 'w', pageSize: 1 },
      { op: 'peek', walk: 'w', pageSize: 2, filter: { context: 'd' } },
      { op: 'next', walk: 'w' },
    ];
    const [first, peek, next] = lists(await operations(steps));
    expect(peek).toMatchObject({ tokenFrom: 3, pageSize: 2, filter: { context: 'd' } });
    expect(peek?.walk).toBeUndefined();
    expect(next).toMatchObject({ walk: first?.walk, page: 1, tokenFrom: 3, pageSize: 1, token: peek?.token });
  });

  it('keeps its filter and takes another page size', async () => {
    const steps: Step[] = [
      ...three,
      { op: 'first', walk: 'w', pageSize: 1, filter: { state: 'WORKING' } },
      { op: 'walk', walk: 'w', pageSize: 2 },
    ];
    const seen = lists(await operations(steps));
    expect(seen.map(({ pageSize, filter }) => [pageSize, filter?.state])).toEqual([
      [1, 'WORKING'],
      [2, 'WORKING'],
    ]);
  });

  it('that begins again has another name', async () => {
    const steps: Step[] = [...three, { op: 'first', walk: 'w', pageSize: 1 }, { op: 'first', walk: 'w', pageSize: 1 }];
    const [one, two] = lists(await operations(steps));
    expect(one?.walk).not.toBe(two?.walk);
  });

  it('ends with a failed call', async () => {
    let calls = 0;
    const failing = altered((store) => ({
      ...store,
      list: (request, call) => (++calls === 2 ? Promise.reject(new Error('down')) : store.list(request, call)),
    }));
    const steps: Step[] = [...three, { op: 'first', walk: 'w', pageSize: 1 }, { op: 'walk', walk: 'w', pageSize: 1 }];
    const entries = await run([...steps, { op: 'next', walk: 'w' }], failing);
    expect(entries.slice(3).map(({ result }) => result.kind)).toEqual(['page', 'error']);
  });

  it('is bounded where tokens never end', async () => {
    const endless = altered((store) => ({
      ...store,
      list: async () => ({ ...(await store.list({ pageSize: 1 }, { client: 0 })), nextPageToken: 'again' }),
    }));
    const entries = await run([...three, { op: 'walk', walk: 'w' }], endless);
    expect(entries.length).toBeLessThan(12);
  });
});

describe('a run', () => {
  it('gives every event an instant of its own', async () => {
    const instants = (await run([...three, { op: 'walk', walk: 'w', pageSize: 1 }])).flatMap((entry) => [
      entry.call,
      entry.return,
    ]);
    expect(instants).toEqual([...instants].sort((a, b) => a - b));
    expect(new Set(instants).size).toBe(instants.length);
  });

  it('fills a store with numbered tasks', async () => {
    const ids = (await operations([{ op: 'fill', task: 'A', count: 2 }])).map((one) =>
      'contents' in one ? one.contents.id : '',
    );
    expect(ids).toEqual(['task-a-0000000', 'task-a-0000001']);
  });

  it('counts what each operation cost, where the program asks', async () => {
    const [, list] = await run(
      [
        { op: 'create', task: 'A' },
        { op: 'first', walk: 'w' },
      ],
      createMemorySubject(),
      {
        counters: true,
      },
    );
    expect(list?.counters).toMatchObject({ counts: 1 });
    expect((await run([{ op: 'create', task: 'A' }]))[0]?.counters).toBeUndefined();
  });

  it.each<[string, Partial<SubjectStore>, string]>([
    ['list', { list: async () => undefined as never }, 'broken: list answered a value of type undefined'],
    ['get', { get: async () => 7 as never }, 'broken: get answered a number'],
    ['create', { create: async () => 'ok' as never }, 'broken: create answered a string'],
  ])('names the subject and the operation where %s breaks the interface', async (_, change, message) => {
    const right = createMemorySubject();
    const broken = { ...right, name: 'broken', open: async () => ({ ...(await right.open()), ...change }) };
    const steps: Step[] = [
      { op: 'create', task: 'A' },
      { op: 'get', task: 'A' },
      { op: 'first', walk: 'w' },
    ];
    await expect(run(steps, broken)).rejects.toThrow(message);
    await expect(run(steps, broken)).rejects.toMatchObject({ kind: 'interface' });
  });

  it('ends where an operation is never answered', async () => {
    const hanging = altered((store) => ({ ...store, list: () => new Promise<never>(() => {}) }));
    const program: Program = { version: 1, scenario: 'test', tasks, clients: [[{ op: 'first', walk: 'w' }]] };
    await expect(runSequentially(hanging, program, { operationTimeoutMs: 30 })).rejects.toMatchObject({
      kind: 'hang',
      message: 'memory: list gave no answer within 30 ms',
    });
  });

  it.each<[string, () => Promise<SubjectStore>, string, string]>([
    ['throws', () => Promise.reject(new Error('refused')), 'open', 's: open failed: refused'],
    ['gives nothing', async () => undefined as never, 'interface', 'without the method create'],
    ['gives half a store', async () => ({ create: async () => undefined }) as never, 'interface', 'the method list'],
  ])('says so where open %s', async (_, open, kind, message) => {
    const subject = defineSubject({ name: 's', open });
    await expect(run([], subject)).rejects.toMatchObject({ kind, message: expect.stringContaining(message) });
  });
});
