import { expect, test } from 'vitest';
import type { Task } from '../task/task.ts';
import { createMemorySubject, MEMORY_EPOCH_MICROS } from './memory.ts';

const call = { client: 0 };
const task: Task = {
  id: 'a',
  contextId: 'c',
  status: undefined,
  artifacts: [],
  history: [],
  metadata: undefined,
};

test('each open is an empty store on a clock that stands still until it is set', async () => {
  const subject = createMemorySubject();
  const store = await subject.open();
  expect(await store.create(task, call)).toEqual({ lastUpdatedMicros: MEMORY_EPOCH_MICROS, revision: '1' });
  await store.setClock!(MEMORY_EPOCH_MICROS + 50n);
  expect(await store.replace!(task, {}, call)).toEqual({ lastUpdatedMicros: MEMORY_EPOCH_MICROS + 50n, revision: '2' });
  expect(await store.get!('a', call)).toMatchObject({ task, revision: '2' });
  const other = await subject.open();
  expect((await other.list({}, call)).totalSize).toBe(0);
});

test('a revision that is no number of its store conflicts', async () => {
  const store = await createMemorySubject().open();
  await store.create(task, call);
  for (const ifRevision of ['0', '2', '01', ' 1', '1.0', 'never', '']) {
    await expect(store.replace!(task, { ifRevision }, call)).rejects.toMatchObject({ code: 'revision-conflict' });
  }
  await expect(store.replace!(task, { ifRevision: '1' }, call)).resolves.toMatchObject({ revision: '2' });
});

test('its counters move with its work', async () => {
  const store = await createMemorySubject().open();
  await store.create(task, call);
  const before = store.counters!();
  await store.list({}, call);
  const after = store.counters!();
  expect(after.visits! - before.visits!).toBe(1);
  expect(after.counts! - before.counts!).toBe(1);
});
