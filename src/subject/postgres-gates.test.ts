import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Program } from '../history/program.ts';
import { runConcurrently } from '../run/concurrent.ts';
import { createEmbeddedProvider } from '../run/postgres-embedded.ts';
import type { PostgresServer } from '../run/postgres-provider.ts';
import { fixedStrategy, randomStrategy } from '../run/schedule.ts';
import { createPostgresTaskStore } from '../store/postgres.ts';
import { createSchema } from '../store/schema.ts';
import { replayProgram } from '../suite/replay.ts';
import { openPostgresDatabase, type PostgresDatabase } from './postgres-database.ts';
import { type DatabaseGates, gateDatabases } from './postgres-gates.ts';
import { defineSubject, type Subject, type SubjectStore } from './subject.ts';
import { storeMethods } from './task-store-methods.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await createEmbeddedProvider().start();
}, 60_000);
afterAll(async () => {
  await server?.stop();
});

/** A user's store, which knows nothing of gates: all that it has is the connection string. */
function usersSubject(change: (store: SubjectStore) => Partial<SubjectStore>): Subject {
  let database: PostgresDatabase;
  let pool: pg.Pool;
  return defineSubject({
    name: 'a store of a user',
    capabilities: { deduplicates: true },
    start: async () => {
      // A schema of its own in the server's one database would do as well.
      database = await openPostgresDatabase({ postgres: server.url });
      pool = new pg.Pool({ connectionString: database.url });
      pool.on('error', () => undefined);
      await createSchema(pool, 'public');
    },
    stop: async () => {
      await pool.end();
      await database.stop();
    },
    open: async () => {
      await pool.query('DELETE FROM public.a2a_tasks');
      const store = storeMethods(createPostgresTaskStore({ pool }));
      return { ...store, ...change(store) };
    },
  });
}

const readThenWrite = (store: SubjectStore): Partial<SubjectStore> => ({
  append: async (taskId, message, call) => {
    const before = await store.get!(taskId, call);
    if (before === undefined) return undefined;
    const { task } = before;
    await store.replace!({ ...task, history: [...task.history, message] }, {}, call);
    return { deduplicated: false };
  },
});

const program: Program = {
  version: 1,
  scenario: 'test',
  tasks: { A: 'a' },
  setup: [{ op: 'create', task: 'A' }],
  clients: [
    [
      { op: 'append', task: 'A', message: 'm1' },
      { op: 'get', task: 'A' },
    ],
    [{ op: 'append', task: 'A', message: 'm2' }],
  ],
};

async function withGates<T>(subject: Subject, work: (gated: Subject, gates: DatabaseGates) => Promise<T>): Promise<T> {
  const gates = gateDatabases();
  try {
    await subject.start?.();
    return await work(gates.over(subject), gates);
  } finally {
    await subject.stop?.();
    await gates.close();
  }
}

describe('a store that connects with the string it was given', () => {
  it('has its requests scheduled, and a lost update shown 20 times of 20', { timeout: 60_000 }, async () => {
    // Each reads, then each writes.
    const strategy = fixedStrategy([0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 0]);
    const { schedule } = await withGates(usersSubject(readThenWrite), (gated) =>
      runConcurrently(gated, program, { operationTimeoutMs: 10_000, strategy }),
    );
    expect(schedule).toBeDefined();
    const replayed = await replayProgram(
      usersSubject(readThenWrite),
      { ...program, schedule: schedule! },
      { rule: 'SNAP-2', times: 20 },
    );
    expect(replayed).toMatchObject({ shown: 20, of: 20 });
  });

  it('is right under any schedule where it is right', { timeout: 60_000 }, async () => {
    await withGates(
      usersSubject(() => ({})),
      async (gated) => {
        for (let seed = 0; seed < 10; seed++) {
          const strategy = randomStrategy(seed);
          const { history } = await runConcurrently(gated, program, { operationTimeoutMs: 10_000, strategy });
          expect(history.entries.every(({ result }) => result.kind === 'written' || result.kind === 'read')).toBe(true);
        }
      },
    );
  });

  it('that stands still is told of with what it waits for', { timeout: 60_000 }, async () => {
    const stuck = usersSubject(() => ({ append: () => new Promise(() => undefined) }));
    await withGates(stuck, async (gated) => {
      const run = runConcurrently(gated, program, { operationTimeoutMs: 300, strategy: randomStrategy(1) });
      await expect(run).rejects.toThrow(
        'append gave no answer within 300 ms, under a controlled schedule: nothing of it is in the server, and it asks for nothing',
      );
    });
  });

  it('is taken as it is where nobody puts gates, or it has opened no database', () => {
    const gates = gateDatabases();
    const subject = usersSubject(() => ({}));
    expect(gates.over(subject)).toBe(subject);
    return gates.close();
  });
});
