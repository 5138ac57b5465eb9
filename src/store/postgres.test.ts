import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PostgresServer } from '../run/postgres-provider.ts';
import { availableReleases } from '../run/postgres-releases.ts';
import { MAX_TIME_MICROS, MIN_TIME_MICROS } from '../task/clock.ts';
import { type Task, TaskState } from '../task/task.ts';
import { encodePageToken } from '../token/page-token.ts';
import { createPostgresTaskStore, openPostgresTaskStore, type PostgresTaskStore } from './postgres.ts';
import { EARLIEST_TIMESTAMPTZ_MICROS } from './postgres-time.ts';
import { createSchema } from './schema.ts';

const message = (messageId: string): Task['history'][number] => ({
  messageId,
  contextId: '',
  taskId: '',
  role: 1,
  parts: [],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});

const task = (id: string, changes: Partial<Task> = {}): Task => ({
  id,
  contextId: 'c',
  status: { state: TaskState.TASK_STATE_WORKING, message: undefined, timestamp: undefined },
  artifacts: [],
  history: [],
  metadata: undefined,
  ...changes,
});

describe.each(availableReleases())('the PostgreSQL store, release %s', (_, provider) => {
  let server: PostgresServer;
  let pool: pg.Pool;
  let store: PostgresTaskStore;

  const query = async (text: string, values?: unknown[]): Promise<Record<string, unknown>[]> =>
    (await pool.query(values === undefined ? { text } : { text, values })).rows;
  const setTime = (id: string, time: string) =>
    query('UPDATE s.a2a_tasks SET updated_at = $2 WHERE id = $1', [id, time]);
  const micros = async (id: string): Promise<bigint> => (await store.get(id))?.lastUpdatedMicros ?? 0n;
  const ids = async (pageToken: string): Promise<string[]> =>
    (await store.list({ pageToken })).tasks.map(({ id }) => id);
  /** A connection of its own, outside the pool. */
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: server.url });
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  const waiting = async (count: number): Promise<void> => {
    const text = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock'`;
    for (let i = 0; i < 2_000; i++) if ((await query(text))[0]?.n === count) return;
    throw new Error(`never saw ${count} sessions wait`);
  };

  beforeAll(async () => {
    server = await provider.start();
    pool = new pg.Pool({
      connectionString: server.url,
      pipeline: true,
      max: 4,
      options: '-c TimeZone=Asia/Kathmandu',
    } as pg.PoolConfig);
    pool.on('error', () => {});
    await createSchema(pool, 's');
    store = createPostgresTaskStore({ pool, schema: 's' });
  });
  afterAll(async () => {
    await pool?.end();
    await server?.stop();
  });
  beforeEach(async () => {
    await query('TRUNCATE s.a2a_tasks');
  });

  describe('times', () => {
    it('never moves a writer that waited for the lock behind the one that it waited for', async () => {
      await store.create(task('t'));
      const other = await connect();
      await other.query(`BEGIN; UPDATE s.a2a_tasks SET metadata = metadata WHERE id = 't'`);
      const writes = Promise.allSettled([
        store.replace(task('t')),
        store.append('t', message('m')).then(({ stored }) => stored),
        store.replace(task('t'), { ifRevision: 1 }),
      ]);
      await waiting(3);
      await other.query(`UPDATE s.a2a_tasks SET updated_at = clock_timestamp() WHERE id = 't'`);
      const [held] = (
        await other.query(
          `SELECT trunc(extract(epoch FROM updated_at) * 1e6)::text AS m FROM s.a2a_tasks WHERE id = 't'`,
        )
      ).rows;
      await other.query('COMMIT');
      await other.end();
      const settled = await writes;
      const times = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value.lastUpdatedMicros] : []));
      // Of the three, the conditional one loses unless it came first.
      expect(times.length).toBeGreaterThanOrEqual(2);
      for (const time of times) expect(time).toBeGreaterThan(BigInt(held.m));
      expect(new Set(times).size).toBe(times.length);
    });

    it('advances by a microsecond where the stored time lies ahead of the clock', async () => {
      await store.create(task('t'));
      await setTime('t', '2200-01-01 00:00:00.000001+00');
      const before = await micros('t');
      expect((await store.replace(task('t'))).lastUpdatedMicros).toBe(before + 1n);
      expect((await store.append('t', message('m'))).stored.lastUpdatedMicros).toBe(before + 2n);
      expect((await store.append('t', message('m'))).stored.lastUpdatedMicros).toBe(before + 2n);
      expect((await store.cancel('t')).lastUpdatedMicros).toBe(before + 3n);
    });

    it('changes nothing of a task at the end of time', async () => {
      await store.create(task('t', { history: [message('m')] }));
      await setTime('t', '294247-01-10 04:00:54.775807+00');
      const before = await store.get('t');
      expect(before?.lastUpdatedMicros).toBe(MAX_TIME_MICROS);
      await expect(store.replace(task('t', { contextId: 'd' }))).rejects.toMatchObject({ code: 'internal' });
      await expect(store.append('t', message('n'))).rejects.toMatchObject({ code: 'internal' });
      await expect(store.cancel('t')).rejects.toMatchObject({ code: 'internal' });
      expect(await store.append('t', message('m'))).toMatchObject({ deduplicated: true });
      expect(await store.get('t')).toStrictEqual(before);
      await store.create(task('u'));
      expect((await store.replace(task('u'))).revision).toBe(2);
    });

    it('says internal, not nonsense, for a time that no cursor can carry', async () => {
      await store.create(task('t'));
      await setTime('t', 'infinity');
      await expect(store.list({})).rejects.toMatchObject({ code: 'internal' });
      await expect(store.replace(task('t'))).rejects.toMatchObject({ code: 'internal' });
    });

    it('keeps every microsecond in a page token', async () => {
      for (const [id, time] of [
        ['a', '2300-01-01 00:00:00.000003+00'],
        ['b', '2300-01-01 00:00:00.000002+00'],
        ['c', '0044-03-15 00:00:00.000001+00 BC'],
      ] as const) {
        await store.create(task(id));
        await setTime(id, time);
      }
      const first = await store.list({ pageSize: 1 });
      const second = await store.list({ pageSize: 1, pageToken: first.nextPageToken });
      const third = await store.list({ pageSize: 1, pageToken: second.nextPageToken });
      expect([first, second, third].flatMap((page) => page.tasks.map(({ id }) => id))).toStrictEqual(['a', 'b', 'c']);
      expect(third).toMatchObject({ nextPageToken: '', totalSize: 3 });
    });
  });

  describe('boundaries that it never issued', () => {
    beforeEach(async () => {
      for (const id of ['a', 'a\u0001', 'ab', 'b']) {
        await store.create(task(id));
        await setTime(id, '2024-01-01 00:00:00+00');
      }
    });
    const at = 1_704_067_200_000_000n;

    it('are positions also with a NUL, which no stored id has', async () => {
      expect(await ids(encodePageToken({ lastUpdatedMicros: at, id: 'a\0' }))).toStrictEqual(['a']);
      expect(await ids(encodePageToken({ lastUpdatedMicros: at, id: 'a\0zzz' }))).toStrictEqual(['a']);
      expect(await ids(encodePageToken({ lastUpdatedMicros: at, id: 'b\0' }))).toStrictEqual([
        'b',
        'ab',
        'a\u0001',
        'a',
      ]);
      expect(await ids(encodePageToken({ lastUpdatedMicros: at, id: '\0' }))).toStrictEqual([]);
    });

    it('are positions also before and at the ends of time', async () => {
      for (const time of [MIN_TIME_MICROS, EARLIEST_TIMESTAMPTZ_MICROS - 1n, EARLIEST_TIMESTAMPTZ_MICROS]) {
        expect(await ids(encodePageToken({ lastUpdatedMicros: time, id: 'z' }))).toStrictEqual([]);
      }
      expect(await ids(encodePageToken({ lastUpdatedMicros: MAX_TIME_MICROS, id: 'z' }))).toHaveLength(4);
    });

    it('are positions also where the id is longer than any stored one', async () => {
      expect(await ids(encodePageToken({ lastUpdatedMicros: at, id: 'x'.repeat(700_000) }))).toHaveLength(4);
      expect(await ids(encodePageToken({ lastUpdatedMicros: at, id: `a${'\u0000'.repeat(2000)}` }))).toStrictEqual([
        'a',
      ]);
    });
  });

  describe('ids', () => {
    it.each(['a\0b', '\ud800', 'x'.repeat(1001), ''])('refuses %j at the door of every operation', async (id) => {
      const refused = expect.objectContaining({ code: 'invalid-argument' });
      const { statements } = store.counters;
      await expect(store.create(task(id))).rejects.toEqual(refused);
      await expect(store.replace(task(id))).rejects.toEqual(refused);
      await expect(store.append(id, message('m'))).rejects.toEqual(refused);
      await expect(store.cancel(id)).rejects.toEqual(refused);
      await expect(store.delete(id)).rejects.toEqual(refused);
      await expect(store.get(id)).rejects.toEqual(refused);
      if (id !== '') await expect(store.list({ contextId: id })).rejects.toEqual(refused);
      expect(store.counters.statements).toBe(statements);
    });

    it('keeps the longest id and context id together, also where nothing compresses', async () => {
      const noise = Array.from({ length: 1000 }, (_, i) =>
        String.fromCharCode(33 + ((i * i * 7919 + i * 104729) % 94)),
      ).join('');
      await store.create(task(noise, { contextId: noise }));
      expect((await store.list({ contextId: noise })).taskCursors).toMatchObject([{ id: noise }]);
    });

    it('orders and tells apart what a locale would not', async () => {
      const all = ['a', 'A', 'b', '_', 'a ', 'é', 'e\u0301', '\u{1F600}', '\uff61', '__proto__', 'ab'];
      for (const id of all) {
        await store.create(task(id));
        await setTime(id, '2024-01-01 00:00:00+00');
      }
      const walked: string[] = [];
      for (let pageToken: string | undefined; pageToken !== ''; ) {
        const page = await store.list({ pageSize: 2, ...(pageToken ? { pageToken } : {}) });
        walked.push(...page.tasks.map(({ id }) => id));
        pageToken = page.nextPageToken;
      }
      expect(walked).toStrictEqual([...all].sort((a, b) => Buffer.compare(Buffer.from(b), Buffer.from(a))));
    });
  });

  describe('writers at once', () => {
    it('lets one of many conditional replaces win, and keeps every append', async () => {
      await store.create(task('t'));
      const replaces = await Promise.allSettled(
        Array.from({ length: 8 }, () => store.replace(task('t'), { ifRevision: 1 })),
      );
      expect(replaces.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const one of replaces)
        if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'revision-conflict' });
      await Promise.all(Array.from({ length: 16 }, (_, i) => store.append('t', message(`m${i % 8}`))));
      const stored = await store.get('t');
      expect(stored?.task.history.map(({ messageId }) => messageId).sort()).toStrictEqual([
        'm0',
        'm1',
        'm2',
        'm3',
        'm4',
        'm5',
        'm6',
        'm7',
      ]);
      expect(stored?.revision).toBe(10);
    });

    it('lets one of many creates win', async () => {
      const creates = await Promise.allSettled(Array.from({ length: 8 }, () => store.create(task('t'))));
      expect(creates.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    it('counts and lists one state, whatever is written in between', async () => {
      let done = false;
      const writer = (async () => {
        for (let i = 0; i < 300; i++) await store.create(task(`t${i}`));
        done = true;
      })();
      while (!done) {
        const { tasks, totalSize } = await store.list({ pageSize: 100 });
        if (tasks.length < 100) expect(totalSize).toBe(tasks.length);
      }
      await writer;
    });
  });

  describe('connections', () => {
    it('tries a read again when its connection is killed in the middle of it', async () => {
      await store.create(task('t'));
      const other = await connect();
      await other.query('BEGIN; LOCK TABLE s.a2a_tasks IN ACCESS EXCLUSIVE MODE');
      const page = store.list({});
      await waiting(1);
      await other.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'`);
      await other.query('COMMIT');
      await other.end();
      expect((await page).totalSize).toBe(1);
    });

    it('says that the outcome is unknown when the connection of a write is killed', async () => {
      await store.create(task('t'));
      const other = await connect();
      await other.query(`BEGIN; SELECT FROM s.a2a_tasks WHERE id = 't' FOR UPDATE`);
      const write = store.replace(task('t'));
      const seen = expect(write).rejects.toMatchObject({ code: 'unknown-outcome' });
      await waiting(1);
      await other.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'`);
      await seen;
      await other.query('COMMIT');
      await other.end();
      expect((await store.replace(task('t'))).revision).toBe(2);
    });

    it('waits out a restart of the server', async () => {
      await store.create(task('t'));
      await query('CHECKPOINT');
      await server.crash?.();
      const page = store.list({});
      await server.restart?.();
      expect((await page).totalSize).toBe(1);
      expect((await store.replace(task('t'))).revision).toBe(2);
    });

    it('honours a statement timeout, and the next call finds a clean connection', async () => {
      const impatient = createPostgresTaskStore({
        connection: { connectionString: server.url, max: 1, statement_timeout: 50 },
        schema: 's',
      });
      await impatient.create(task('t'));
      const other = await connect();
      await other.query(`BEGIN; SELECT FROM s.a2a_tasks WHERE id = 't' FOR UPDATE`);
      await expect(impatient.replace(task('t'))).rejects.toMatchObject({
        code: 'internal',
        message: 'The database canceled the call',
      });
      await other.query(`ROLLBACK; BEGIN; LOCK TABLE s.a2a_tasks IN ACCESS EXCLUSIVE MODE`);
      await expect(impatient.list({})).rejects.toMatchObject({ code: 'internal' });
      await other.query('ROLLBACK');
      await other.end();
      expect(await impatient.list({})).toMatchObject({ totalSize: 1 });
      expect((await impatient.get('t'))?.revision).toBe(1);
      await impatient.close();
    });

    it('closes a connection that somebody gave back inside a transaction: a write in it would be lost', async () => {
      const shared = new pg.Pool({ connectionString: server.url, max: 1 });
      const client = await shared.connect();
      await client.query('BEGIN');
      client.release();
      const own = createPostgresTaskStore({ pool: shared, schema: 's' });
      await own.create(task('t'));
      expect(await store.get('t')).toBeDefined();
      await own.close();
      await shared.end();
    });

    it('leaves no transaction open, and works without pipelining too', async () => {
      const plain = createPostgresTaskStore({
        connection: { connectionString: server.url, pipeline: false, application_name: 'plain' } as pg.PoolConfig,
        schema: 's',
      });
      await plain.create(task('t'));
      expect(await plain.list({ pageSize: 1 })).toMatchObject({ totalSize: 1, nextPageToken: '' });
      await plain.list({ pageToken: 'v1.0.eA' });
      const states = await query(`SELECT DISTINCT state FROM pg_stat_activity WHERE application_name = 'plain'`);
      expect(states).toStrictEqual([{ state: 'idle' }]);
      await plain.close();
    });

    it('tries again where the database could not order two transactions', async () => {
      const serial = createPostgresTaskStore({
        connection: { connectionString: server.url, options: '-c default_transaction_isolation=serializable' },
        schema: 's',
      });
      await serial.create(task('t'));
      await Promise.all(Array.from({ length: 10 }, (_, i) => serial.append('t', message(`m${i}`))));
      expect((await serial.get('t'))?.task.history).toHaveLength(10);
      await serial.close();
    });

    it('reads on a read-only server and refuses writes cleanly', async () => {
      await store.create(task('t'));
      const standby = createPostgresTaskStore({
        connection: { connectionString: server.url, options: '-c default_transaction_read_only=on' },
        schema: 's',
      });
      expect((await standby.list({})).totalSize).toBe(1);
      await expect(standby.replace(task('t'))).rejects.toMatchObject({
        code: 'internal',
        message: 'The database takes no writes',
      });
      await standby.close();
      expect((await store.get('t'))?.revision).toBe(1);
    });
  });

  describe('round trips', () => {
    it('sends one statement for a page without a count, and four with one', async () => {
      const { statements, counts } = store.counters;
      await store.list({ includeTotalSize: false });
      expect(store.counters).toMatchObject({ statements: statements + 1, counts });
      await store.list({});
      expect(store.counters).toMatchObject({ statements: statements + 5, counts: counts + 1 });
    });

    it('asks the database nothing where the scope allows nothing', async () => {
      await store.create(task('t'));
      const { statements } = store.counters;
      expect(await store.list({ contextIds: [] })).toMatchObject({ tasks: [], totalSize: 0, nextPageToken: '' });
      expect(await store.list({ contextId: 'c', contextIds: ['d', 'c\0'] })).toMatchObject({ tasks: [], totalSize: 0 });
      expect(store.counters.statements).toBe(statements);
      expect((await store.list({ contextIds: ['d', 'c', 'c\0'] })).totalSize).toBe(1);
    });

    it('reads neither history nor artifacts that nobody asks for', async () => {
      await store.create(task('t', { history: [message('m'), message('n')] }));
      expect((await store.list({ historyLength: 1 })).tasks[0]?.history).toMatchObject([{ messageId: 'n' }]);
      expect((await store.list({ historyLength: 0 })).tasks[0]?.history).toStrictEqual([]);
      expect((await store.get('t', 'light'))?.task.history).toStrictEqual([]);
    });
  });

  it('opens a managed schema by making it, and an external one only where it stands', async () => {
    const connection = { connectionString: server.url };
    await expect(openPostgresTaskStore({ connection, schema: 'later', schemaMode: 'external' })).rejects.toThrow(
      /table a2a_tasks/,
    );
    await (await openPostgresTaskStore({ connection, schema: 'later', schemaMode: 'managed' })).close();
    await (await openPostgresTaskStore({ connection, schema: 'later', schemaMode: 'external' })).close();
  });
});
