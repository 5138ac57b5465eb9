import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseAct, DatabaseSight, PagesSight } from '../history/database.ts';
import { createEmbeddedProvider } from '../run/postgres-embedded.ts';
import type { PostgresServer } from '../run/postgres-provider.ts';
import { createUrlProvider } from '../run/postgres-url.ts';
import { createPostgresSubject, type PostgresSubject } from './postgres.ts';

describe('what a run does to the database beneath the PostgreSQL store', () => {
  let server: PostgresServer;
  let subject: PostgresSubject;

  beforeAll(async () => {
    server = await createEmbeddedProvider().start();
    subject = createPostgresSubject({ provider: createUrlProvider(server.url) });
    await subject.start?.();
  });
  afterAll(async () => {
    await subject?.stop?.();
    await server?.stop();
  });

  const perform = async (act: DatabaseAct, on = subject): Promise<DatabaseSight> => {
    const store = await on.open();
    try {
      return (await store.database?.perform(act)) as DatabaseSight;
    } finally {
      await store.close?.();
    }
  };
  const names = async (): Promise<string[]> => {
    const client = new pg.Client({ connectionString: String(subject.place().connection.connectionString) });
    await client.connect();
    const { rows } = await client.query<{ nspname: string }>('SELECT nspname FROM pg_namespace ORDER BY 1');
    await client.end();
    return rows.map(({ nspname }) => nspname);
  };

  it('shows a table before and after starters that all waited for a writer, and leaves no schema', async () => {
    await perform({ act: 'start', fixture: 'nothing', mode: 'external', starters: 1 });
    const before = await names();
    const act = { act: 'start', fixture: 'release-0.5', mode: 'managed', starters: 3, busy: true } as const;
    const sight = await perform(act);
    expect(sight).toMatchObject({
      seen: 'start',
      starts: [{ started: true }, { started: true }, { started: true }],
      again: { started: true },
      serves: true,
    });
    if (sight.seen !== 'start') return;
    const time = (columns: readonly { name: string; default: string | null }[] = []) =>
      columns.find(({ name }) => name === 'updated_at')?.default;
    expect([time(sight.before?.columns), time(sight.after?.columns)]).toStrictEqual(['now()', 'clock_timestamp()']);
    expect(sight.after?.rows).toStrictEqual(sight.before?.rows);
    expect(sight.after?.indexes.flatMap(({ name, keys }) => (name.startsWith('idx') ? [keys.join(', ')] : []))).toEqual(
      expect.arrayContaining(['updated_at DESC, id COLLATE C DESC', 'context_id, updated_at DESC, id COLLATE C DESC']),
    );
    expect(await names()).toStrictEqual(before);
  });

  it('lets writes wait for a row whose time moves meanwhile, and removes the task', async () => {
    const sight = await perform({ act: 'held-row', write: 'append', writers: 2, holder: 'future' });
    if (sight.seen !== 'held-row') throw new Error(sight.seen);
    expect(sight.waited).toBe(2);
    const held = BigInt(sight.held);
    expect(held - BigInt(sight.created)).toBeGreaterThan(3_000_000_000n);
    expect(sight.writes.map(({ micros }) => BigInt(micros ?? 0) - held).sort()).toStrictEqual([1n, 2n]);
  });

  const pages = { act: 'pages', shape: 'one time', tasks: 2_000, pageSize: 50, context: true, pages: 3 } as const;
  const scansOf = (sight: DatabaseSight) =>
    (sight as PagesSight).pages.map(({ tasks, plans }) => ({
      tasks,
      plans: plans.map(({ root }) => JSON.stringify(root).match(/"index":"[a-z0-9_]+"/g)),
    }));

  it('keeps the plan of every page, from the first to the last', async () => {
    const scans = scansOf(await perform(pages));
    expect(scans).toHaveLength(5 + 3 + 2 + 2);
    for (const scan of scans)
      expect(scan).toStrictEqual({ tasks: 50, plans: [['"index":"idx_a2a_tasks_context_updated"']] });
  });

  it('keeps them also for a user who may not load auto_explain', async () => {
    const { password } = new URL(server.url);
    const admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    await admin.query(`CREATE ROLE maker LOGIN CREATEDB PASSWORD '${password}'`);
    await admin.end();
    const url = new URL(server.url);
    url.username = 'maker';
    const ordinary = createPostgresSubject({ provider: createUrlProvider(url.href) });
    await ordinary.start?.();
    try {
      expect(scansOf(await perform(pages, ordinary))).toStrictEqual(scansOf(await perform(pages)));
      expect(
        await perform({ act: 'start', fixture: 'invalid-index', mode: 'managed', starters: 1 }, ordinary),
      ).toMatchObject({
        seen: 'nothing',
      });
      expect(ordinary.notes?.()).toHaveLength(1);
    } finally {
      await ordinary.stop?.();
    }
  });
});
