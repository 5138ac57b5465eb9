/**
 * The load that is profiled, as a program of its own: fills a store, then walks its list from end to end and updates
 * tasks between the pages, until the time is up. Its order comes by the environment, where other users don't see it.
 */
import { contentsFor, taskOf } from '../run/content.ts';
import { loadSubject } from '../subject/load.ts';
import type { CallContext, SubjectStore } from '../subject/subject.ts';
import type { Task } from '../task/task.ts';
import { type LoadOrder, orderVariable } from './profile-order.ts';

const call: CallContext = { client: 0 };

/** Does what was ordered; gives a line that tells how much that was. */
async function run({ subject: name, settings, tasks, pageSize, durationMs }: LoadOrder): Promise<string> {
  const subject = await loadSubject(name, settings);
  await subject.start?.();
  try {
    const store = await subject.open();
    try {
      return await loadStore(store, { tasks, pageSize, durationMs });
    } finally {
      await store.close?.();
    }
  } finally {
    await subject.stop?.();
  }
}

async function loadStore(
  store: SubjectStore,
  { tasks, pageSize, durationMs }: Pick<LoadOrder, 'tasks' | 'pageSize' | 'durationMs'>,
): Promise<string> {
  const task = (place: number, note: string): Task =>
    taskOf(contentsFor(`task-${place}`, { history: ['m1', 'm2'], artifacts: ['a1'] }, note));
  for (let place = 0; place < tasks; place++) await store.create(task(place, 'new'), call);
  const until = performance.now() + durationMs;
  let pages = 0;
  let updates = 0;
  let pageToken = '';
  while (performance.now() < until) {
    const page = await store.list({ pageToken, pageSize }, call);
    pageToken = page.nextPageToken;
    pages++;
    if (store.replace === undefined || pages % 4 !== 0) continue;
    await store.replace(task((pages * 7919) % tasks, `update ${updates}`), {}, call);
    updates++;
  }
  return `${pages} pages and ${updates} updates over ${tasks} tasks`;
}

try {
  const order = JSON.parse(process.env[orderVariable] ?? '') as LoadOrder;
  process.stdout.write(`${await run(order)}\n`);
  if (order.exitAtOnce) process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(4);
}
