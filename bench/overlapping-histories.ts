/** Histories whose operations overlap, as a run of several clients would give them; made by simulation, so that they are right. */

import type { Contents, Entry } from '../src/history/history.ts';
import { contentsFor, contentsOf, taskOf } from '../src/run/content.ts';
import { seededNumbers } from '../src/run/seeded-numbers.ts';
import { createMemoryTaskStore } from '../src/store/memory.ts';

/** A write or a read of one register. */
export interface RegisterOperation {
  readonly client: number;
  readonly call: number;
  readonly return: number;
  /** What was written; undefined for a read. */
  readonly wrote: number | undefined;
  /** What was read. */
  readonly read: number | undefined;
}

/** How many registers there are. */
const registers = 4;

/** Operations of several clients on four registers of five values, half of them writes; by register, in order of call. */
export function registerHistory(operations: number, clients: number, seed: number): RegisterOperation[][] {
  const below = seededNumbers(seed);
  const done: RegisterOperation[][] = Array.from({ length: registers }, () => []);
  const busy: (
    | { at: number; call: number; wrote: number | undefined; read: number | undefined; took: boolean }
    | undefined
  )[] = [];
  const values = done.map(() => 0);
  for (let now = 0, count = 0; count < operations; now++) {
    const client = below(clients);
    const own = busy[client];
    if (own === undefined) {
      const wrote = below(2) === 0 ? below(5) : undefined;
      busy[client] = { at: below(registers), call: now, wrote, read: undefined, took: false };
    } else if (!own.took) {
      own.took = true;
      if (own.wrote === undefined) own.read = values[own.at];
      else values[own.at] = own.wrote;
    } else {
      done[own.at]!.push({ client, call: own.call, return: now, wrote: own.wrote, read: own.read });
      busy[client] = undefined;
      count++;
    }
  }
  return done.map((register) => register.sort((a, b) => a.call - b.call));
}

/** How many tasks stand at most in a walk history, and how many a page holds. */
const tasks = 100;
const pageSize = 10;

/**
 * Four clients that walk in pages of ten and four that create a hundred tasks, then replace, delete and create them,
 * until `operations` have returned; in order of return. The pages are those of the store in memory at one moment of each
 * call.
 */
export async function walkHistory(operations: number, seed: number): Promise<Entry[]> {
  const below = seededNumbers(seed);
  const clients = 8;
  let micros = 1_700_000_000_000_000n;
  const store = createMemoryTaskStore({ clock: () => micros++ });
  const entries: Entry[] = [];
  let created = 0;
  const busy: ((Pick<Entry, 'call' | 'operation'> & { result: Entry['result'] | undefined }) | undefined)[] = [];
  const walks = Array.from({ length: clients }, () => ({ count: 0, page: 0, token: '', from: -1 }));
  // What is under way at the end comes to its end: a write that happened and is not told would make the history wrong.
  for (let now = 0; entries.length < operations || busy.some((own) => own !== undefined); now++) {
    const client = below(clients);
    const own = busy[client];
    const walk = walks[client]!;
    if (own === undefined && entries.length >= operations) continue;
    if (own === undefined) busy[client] = { call: now, operation: nextOperation(client), result: undefined };
    else if (own.result === undefined) own.result = await perform(own.operation);
    else {
      const { call, operation, result } = own;
      const index = entries.length;
      entries.push({ index, client, step: index, call, return: now, operation, result });
      busy[client] = undefined;
      if (result.kind !== 'page') continue;
      const ended = result.nextToken === '';
      walks[client] = ended
        ? { count: walk.count + 1, page: 0, token: '', from: -1 }
        : { count: walk.count, page: walk.page + 1, token: result.nextToken, from: index };
    }
  }
  return entries;

  function nextOperation(client: number): Entry['operation'] {
    const { count, page, token, from } = walks[client]!;
    if (client < clients / 2) {
      const source = from < 0 ? {} : { token, tokenFrom: from };
      return { op: 'list', walk: `c${client}w${count}`, page, pageSize, total: false, ...source };
    }
    if (created < tasks) return { op: 'create', contents: contentsFor(`task-${created++}`, undefined, '0') };
    const id = `task-${below(tasks)}`;
    const kind = below(10);
    if (kind === 0) return { op: 'delete', id };
    return { op: kind < 3 ? 'create' : 'replace', contents: contentsFor(id, undefined, String(kind)) };
  }

  async function perform(operation: Entry['operation']): Promise<Entry['result']> {
    try {
      if (operation.op === 'list') {
        const page = await store.list({ pageSize, pageToken: operation.token ?? '', includeTotalSize: false });
        return {
          kind: 'page',
          items: page.tasks.map((task): Contents => contentsOf(task)),
          cursors: page.taskCursors.map(({ id, lastUpdatedMicros }) => ({ id, micros: lastUpdatedMicros })),
          nextToken: page.nextPageToken,
        };
      }
      if (operation.op === 'delete') {
        await store.delete(operation.id);
        return { kind: 'done' };
      }
      const { contents } = operation as Extract<Entry['operation'], { op: 'create' }>;
      const stored = await store[operation.op as 'create' | 'replace'](taskOf(contents));
      return { kind: 'written', micros: stored.lastUpdatedMicros, revision: String(stored.revision) };
    } catch (error) {
      return { kind: 'error', code: (error as { code: string }).code, message: '' };
    }
  }
}
