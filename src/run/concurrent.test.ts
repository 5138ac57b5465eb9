import { describe, expect, it } from 'vitest';
import type { Program } from '../history/program.ts';
import { createMemorySubject } from '../subject/memory.ts';
import type { Subject, SubjectStore } from '../subject/subject.ts';
import { runConcurrently } from './concurrent.ts';
import { pctStrategy, randomStrategy } from './schedule.ts';
import { SubjectFault } from './subject-fault.ts';

const options = { operationTimeoutMs: 2_000 };

const program: Program = {
  version: 1,
  scenario: 'test',
  tasks: { A: 'a', B: 'b' },
  setup: [{ op: 'create', task: 'A' }],
  clients: [
    [
      { op: 'append', task: 'A', message: 'm1' },
      { op: 'walk', walk: 'w', pageSize: 1 },
    ],
    [
      { op: 'append', task: 'A', message: 'm2' },
      { op: 'create', task: 'B' },
    ],
    [
      { op: 'get', task: 'A' },
      { op: 'get', task: 'B' },
    ],
  ],
};

/** The memory store with waits between its calls and its work. */
function waiting(
  change: (store: SubjectStore, pause: () => Promise<void>) => Partial<SubjectStore> = () => ({}),
): Subject {
  const right = createMemorySubject({ name: 'waiting' });
  const slow = async (pause: () => Promise<void>): Promise<SubjectStore> => {
    const store = await right.open();
    const append: NonNullable<SubjectStore['append']> = async (...given) => {
      await pause();
      const reply = await store.append?.(...given);
      await pause();
      return reply;
    };
    return { ...store, append, ...change(store, pause) };
  };
  return { ...right, open: () => slow(async () => undefined), openScheduled: slow };
}

describe('a concurrent run', () => {
  it('performs the setup first and every step of every client', async () => {
    const { history } = await runConcurrently(createMemorySubject(), program, options);
    expect(history.entries[0]?.operation.op).toBe('create');
    const later = history.entries.slice(1);
    expect(later.filter(({ operation }) => operation.op !== 'list')).toHaveLength(5);
    expect(later.every(({ call }) => call > (history.entries[0]?.return ?? Number.NaN))).toBe(true);
  });

  it('gives every event an instant of its own, entries in order of return', async () => {
    const { history } = await runConcurrently(waiting(), program, { ...options, strategy: randomStrategy(3) });
    const instants = history.entries.flatMap(({ call, return: returned }) => [call, returned]);
    expect(new Set(instants).size).toBe(instants.length);
    const returns = history.entries.map((entry) => entry.return);
    expect(returns).toEqual([...returns].sort((a, b) => a - b));
  });

  it('lets operations overlap', async () => {
    const { history } = await runConcurrently(waiting(), program, { ...options, strategy: randomStrategy(1) });
    const [first, second] = history.entries.filter(({ operation }) => operation.op === 'append');
    expect(second!.call).toBeLessThan(first!.return);
  });

  it('begins nothing after its time, and gives what was done', async () => {
    const { history } = await runConcurrently(createMemorySubject(), program, { ...options, timeBoxMs: 0 });
    expect(history.entries).toHaveLength(1);
  });

  it('ends as an aborted one does', async () => {
    const { history } = await runConcurrently(createMemorySubject(), program, {
      ...options,
      signal: AbortSignal.abort(),
    });
    expect(history.entries).toHaveLength(1);
  });

  it('tells of a store whose clients wait for each other', async () => {
    const dead = waiting(() => ({ append: () => new Promise(() => undefined) }));
    const run = runConcurrently(dead, program, { operationTimeoutMs: 60 });
    await expect(run).rejects.toThrow(new SubjectFault('hang', 'waiting: append gave no answer within 60 ms'));
    const scheduled = runConcurrently(dead, program, { operationTimeoutMs: 60, strategy: randomStrategy(1) });
    await expect(scheduled).rejects.toThrow('append gave no answer');
  });

  it('keeps an unknown outcome as one', async () => {
    const lost = Object.assign(new Error('gone'), { code: 'unknown-outcome' });
    const subject = waiting(() => ({ append: () => Promise.reject(lost) }));
    const { history } = await runConcurrently(subject, program, options);
    expect(history.entries.filter(({ result }) => result.kind === 'unknown')).toHaveLength(2);
  });
});

describe('a schedule', () => {
  const trace = async (subject: Subject, one: Program, strategy?: ReturnType<typeof randomStrategy>) => {
    const run = await runConcurrently(subject, one, { ...options, ...(strategy && { strategy }) });
    return {
      ...run,
      text: JSON.stringify(run.history, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
    };
  };

  it('shows the same run again, 20 times of 20', async () => {
    for (const strategy of [randomStrategy(7), pctStrategy(7, 3, 12, 3)]) {
      const { text, schedule } = await trace(waiting(), program, strategy);
      for (let again = 0; again < 20; again++)
        expect((await trace(waiting(), { ...program, schedule: schedule! })).text).toBe(text);
    }
  });

  it('differs with the seed of its strategy', async () => {
    const texts = new Set<string>();
    for (let seed = 0; seed < 20; seed++) texts.add((await trace(waiting(), program, randomStrategy(seed))).text);
    expect(texts.size).toBeGreaterThan(10);
  });

  it('runs a program of other steps to its end', async () => {
    const fewer: Program = { ...program, clients: program.clients.slice(0, 2), schedule: [2, 2, 9, 0, 1, 1] };
    expect((await trace(waiting(), fewer)).history.entries.length).toBeGreaterThanOrEqual(5);
  });

  it('passes over a client that waits for a lock', async () => {
    let held: Promise<void> = Promise.resolve();
    const locked = waiting((store, pause) => ({
      async append(id, message, call) {
        const before = held;
        let free = (): void => undefined;
        held = new Promise((resolve) => {
          free = resolve;
        });
        await before;
        await pause();
        const reply = await store.append?.(id, message, call);
        await pause();
        free();
        return reply;
      },
    }));
    const { history } = await trace(locked, program, pctStrategy(2, 3, 20, 3));
    expect(history.entries.filter(({ result }) => result.kind === 'written')).toHaveLength(4);
  });
});
