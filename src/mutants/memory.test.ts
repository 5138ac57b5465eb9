import { describe, expect, test } from 'vitest';
import { ruleById } from '../../spec/contract.ts';
import { createMemorySubject } from '../subject/memory.ts';
import type { Subject } from '../subject/subject.ts';
import { MAX_TIME_MICROS } from '../task/clock.ts';
import { type Message, type Task, TaskState } from '../task/task.ts';
import { memoryMutants } from './memory.ts';
import { wrongStores } from './wrong-stores.ts';

const call = { client: 0 };
const IDS = ['a', 'ab', 'B', '_', 'a\0b', 'e\u0301', 'é', '\uff61', '\u{1f600}', '__proto__'];
const START = 1_700_000_000_000_000n;

function task(id: string, fields: Partial<Task> = {}): Task {
  const status = { state: TaskState.TASK_STATE_WORKING, message: undefined, timestamp: '2025-01-01T00:00:00Z' };
  return { id, contextId: 'one', status, artifacts: [], history: [], metadata: { note: 'n' }, ...fields };
}

function message(messageId: string): Message {
  const empty = { parts: [], metadata: undefined, extensions: [], referenceTaskIds: [] };
  return { messageId, contextId: '', taskId: '', role: 1, ...empty };
}

const artifact = { artifactId: 'x', name: '', description: '', parts: [], metadata: undefined, extensions: [] };

interface Transcript {
  readonly answers: string[];
  /** Comparisons, visits and counts, of each answer. */
  readonly costs: number[][];
}

/** What a new store answers, and what each answer cost it, in a fixed pseudo-random course of operations. */
async function transcript(subject: Subject, seed: number): Promise<Transcript> {
  const store = await subject.open();
  let state = seed;
  const pick = <T>(choices: readonly T[]): T => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return choices[Math.floor((state / 2 ** 32) * choices.length)]!;
  };
  const passed: Task[] = [];
  const given: Task[] = [];
  const remember = (made: Task): Task => {
    passed.push(made);
    return made;
  };
  let token = '';
  const versions = () =>
    pick([
      {},
      { contextId: 'two' },
      { artifacts: [artifact] },
      { history: [message('m')] },
      { status: { state: pick([3, 4, 0]), message: undefined, timestamp: '2025-01-01T00:00:00.5Z' } },
    ]);
  const list = async () => {
    const filter = pick([
      {},
      {},
      { contextId: 'one' },
      { contextId: 'two' },
      { status: TaskState.TASK_STATE_WORKING },
      { contextId: 'one', status: TaskState.TASK_STATE_WORKING },
      { statusTimestampAfter: '2025-01-01T00:00:00.5Z' },
    ]);
    const shape = pick([{}, { includeTotalSize: false }, { includeArtifacts: true }]);
    const page = await store.list(
      { ...filter, ...shape, pageSize: pick([0, 1, 1, 2, 3, 101]), pageToken: token },
      call,
    );
    given.push(...page.tasks);
    token = page.nextPageToken;
    return page;
  };
  const operations = [
    () => store.create(remember(task(pick(IDS), versions())), call),
    () => store.replace!(remember(task(pick(IDS), versions())), {}, call),
    () => store.replace!(task(pick(IDS), { metadata: { note: 'late' } }), { ifRevision: pick(['1', '2']) }, call),
    () => store.append!(pick(IDS), message(pick(['m', 'n'])), call),
    () => store.cancel!(pick(IDS), { timestamp: '2025-01-02T00:00:00Z' }, call),
    () => pick([store.delete!.bind(store), store.get!.bind(store)])(pick(IDS), call),
    () => store.get!(pick(IDS), call),
    () => store.setClock!(pick([START, START, START + 500_000n, START + 1_000_000n, START - 7n, MAX_TIME_MICROS])),
    list,
    list,
    list,
  ];
  const seen: Transcript = { answers: [], costs: [] };
  for (let step = 0; step < 400; step++) {
    const before = store.counters!();
    const answer = await Promise.resolve(pick(operations)()).catch(({ code, message: text }) => `${code} ${text}`);
    const after = store.counters!();
    seen.answers.push(
      JSON.stringify(answer ?? null, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    );
    seen.costs.push(['comparisons', 'visits', 'counts'].map((name) => after[name]! - before[name]!));
    // From time to time a caller scribbles over what it passed and what it got.
    if (step % 50 === 49) for (const { status } of [...passed, ...given]) if (status) status.timestamp = 'scribbled';
  }
  return seen;
}

const every = [...memoryMutants, ...wrongStores];

describe('the mutants of the in-memory store', () => {
  test('have ids of their own and break rules of the contract', () => {
    expect(new Set(every.map(({ id }) => id)).size).toBe(every.length);
    for (const { id, breaks, equivalent } of every) {
      expect(breaks.length > 0, id).toBe(equivalent === undefined);
      expect(new Set(breaks).size, id).toBe(breaks.length);
      expect(
        breaks.filter((rule) => ruleById(rule) === undefined),
        id,
      ).toEqual([]);
    }
  });

  test.each(every)('$id opens, takes three tasks and lists them', async ({ id, subject }) => {
    const made = subject();
    const store = await made.open();
    const status = { state: TaskState.TASK_STATE_UNSPECIFIED, message: undefined, timestamp: undefined };
    for (const taskId of ['x', 'y', 'z']) await store.create(task(taskId, { status }), call);
    const page = await store.list({}, call);
    expect(made.name).toBe(id);
    expect(page.tasks.map((listed) => listed.id).sort()).toEqual(['x', 'y', 'z']);
    expect(page.totalSize).toBe(3);
  });

  const seeds = [1, 2, 3, 4, 5, 6, 7, 8];

  test.each(memoryMutants.filter(({ area }) => area === 'memory'))(
    '$id answers otherwise than the right store, each time alike',
    async ({ subject }) => {
      let differs = false;
      for (const seed of seeds) {
        const right = (await transcript(createMemorySubject(), seed)).answers;
        const faulty = (await transcript(subject(), seed)).answers;
        expect((await transcript(subject(), seed)).answers).toEqual(faulty);
        differs ||= JSON.stringify(right) !== JSON.stringify(faulty);
        if (differs) break;
      }
      expect(differs).toBe(true);
    },
  );

  test.each(memoryMutants.filter(({ area }) => area === 'cost'))(
    '$id answers as the right store does, at another cost',
    async ({ subject }) => {
      for (const seed of seeds) {
        const right = await transcript(createMemorySubject(), seed);
        const faulty = await transcript(subject(), seed);
        expect(faulty.answers).toEqual(right.answers);
        expect(faulty.costs).not.toEqual(right.costs);
      }
    },
  );
});
