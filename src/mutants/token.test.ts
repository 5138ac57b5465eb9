import { readFileSync } from 'node:fs';
import { Task } from '@a2a-js/sdk';
import { describe, expect, it } from 'vitest';
import { ruleById } from '../../spec/contract.ts';
import { createMemorySubject } from '../subject/memory.ts';
import type { Subject, SubjectStore } from '../subject/subject.ts';
import type { StoreListRequest } from '../task/task.ts';
import { pageTokenV1 } from '../token/page-token.ts';
import { tokenMutants } from './token.ts';
import { tokenIdFaults } from './token-id-faults.ts';
import { tokenSpellingFaults } from './token-spelling-faults.ts';
import { tokenTimeFaults } from './token-time-faults.ts';

const { valid, invalid } = JSON.parse(
  readFileSync(new URL('../../spec/vectors/page-token-v1.json', import.meta.url), 'utf8'),
) as { valid: { id: string; micros: string; token: string }[]; invalid: { token: string }[] };

const codecFaults = [...tokenIdFaults, ...tokenSpellingFaults, ...tokenTimeFaults];
const call = { client: 0 };
const timestamp = '2001-01-01T00:00:00.000001Z';

function task(id: string): Task {
  return Task.fromJSON({ id, contextId: 'ctx', status: { state: 'TASK_STATE_WORKING', timestamp } });
}

/** What an operation answers, as text; an error by its code and message. */
async function outcome(operation: () => Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await operation(), (_, value) => (typeof value === 'bigint' ? String(value) : value));
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return `${code}: ${message}`;
  }
}

/** Drives a new store through everything that a fault of `token-use` or `token-boundary` is triggered by. */
async function transcript(subject: Subject): Promise<string[]> {
  const store: SubjectStore = await subject.open();
  const seen: string[] = [];
  const list = async (request: StoreListRequest): Promise<string> => {
    let next = '';
    seen.push(
      await outcome(async () => {
        const page = await store.list(request, call);
        next = page.nextPageToken;
        return { ids: page.tasks.map(({ id }) => id), next, total: page.totalSize };
      }),
    );
    return next;
  };
  const wrong = async () => {
    for (const pageToken of ['0', '1', ' ', 'fA==']) await list({ pageToken });
  };

  await wrong();
  for (const id of ['a', 'b', 'c', 'd', 'z\ud800']) seen.push(await outcome(() => store.create(task(id), call)));
  await wrong();
  const second = await list({ pageSize: 2 });
  await list({ pageSize: 2, pageToken: second });
  await store.replace?.(task('c'), {}, call);
  await list({ pageSize: 2, pageToken: second });
  await store.delete?.('c', call);
  await list({ pageSize: 2, pageToken: second });
  await store.restart?.();
  await list({ pageSize: 2, pageToken: second });
  const late = await list({ pageSize: 1 });
  await store.setClock?.(1_700_000_002_000_000n);
  await list({ pageSize: 1, pageToken: late });
  await list({ pageSize: 1, pageToken: '2' });
  await store.close?.();
  return seen;
}

describe('the token mutants', () => {
  it('have ids of their own and break rules of the contract', () => {
    expect(new Set(tokenMutants.map(({ id }) => id)).size).toBe(tokenMutants.length);
    for (const { id, breaks, equivalent } of tokenMutants) {
      expect(breaks.length > 0, id).toBe(equivalent === undefined);
      expect(
        breaks.filter((rule) => ruleById(rule) === undefined),
        id,
      ).toEqual([]);
      expect(new Set(breaks).size, id).toBe(breaks.length);
    }
  });

  it.each(tokenMutants)('$id opens, takes three tasks and lists them', async ({ id, subject }) => {
    const made = subject();
    const store = await made.open();
    for (const taskId of ['a', 'b', 'c']) await store.create(task(taskId), call);
    const page = await store.list({}, call);
    expect(made.name).toBe(id);
    expect(page.tasks.map((listed) => listed.id)).toEqual(['c', 'b', 'a']);
    expect(page.totalSize).toBe(3);
    await store.close?.();
  });

  it.each(codecFaults)('$id is told from v1 by a vector', async ({ codec }) => {
    const run = async ({ encode, decode }: typeof codec) => [
      ...(await Promise.all(
        valid.map(({ id, micros }) => outcome(async () => encode({ id, lastUpdatedMicros: BigInt(micros) }))),
      )),
      ...(await Promise.all([...valid, ...invalid].map(({ token }) => outcome(async () => decode(token))))),
    ];
    expect(await run(codec)).not.toEqual(await run(pageTokenV1));
  });

  const inCodec = new Set(codecFaults.map(({ id }) => id));
  it.each(tokenMutants.filter(({ id }) => !inCodec.has(id)))(
    '$id is told from the right store',
    async ({ subject }) => {
      expect(await transcript(subject())).not.toEqual(await transcript(createMemorySubject()));
    },
  );
});
