import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EnvironmentError } from '../run/environment-error.ts';
import { createEmbeddedProvider } from '../run/postgres-embedded.ts';
import type { PostgresServer } from '../run/postgres-provider.ts';
import { createUrlProvider } from '../run/postgres-url.ts';
import type { Task } from '../task/task.ts';
import { createPostgresSubject, type PostgresSubject } from './postgres.ts';

const task = (id: string): Task => ({
  id,
  contextId: 'c',
  status: undefined,
  artifacts: [],
  history: [],
  metadata: undefined,
});
const call = { client: 0 };

describe('the PostgreSQL subject', () => {
  let server: PostgresServer;
  const connections: pg.Client[] = [];

  beforeAll(async () => {
    server = await createEmbeddedProvider().start();
  });
  afterAll(async () => {
    for (const client of connections) await client.end();
    await server?.stop();
  });

  const connect = async (url = server.url): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    connections.push(client);
    return client;
  };
  const names = async (client: pg.Client): Promise<string[]> => {
    const text = `SELECT datname AS name FROM pg_database UNION ALL SELECT nspname FROM pg_namespace ORDER BY 1`;
    return (await client.query<{ name: string }>(text)).rows.map(({ name }) => name);
  };
  const subjectAt = (url: string): PostgresSubject => createPostgresSubject({ provider: createUrlProvider(url) });
  const urlAs = (user: string, database: string): string => {
    const url = new URL(server.url);
    url.username = user;
    url.pathname = `/${database}`;
    return url.href;
  };
  const role = async (name: string, rights: string): Promise<string> => {
    const admin = await connect();
    const { password } = new URL(server.url);
    await admin.query(`CREATE ROLE ${name} LOGIN PASSWORD '${password}'`);
    await admin.query(`CREATE DATABASE ${name}`);
    if (rights !== '') await admin.query(rights);
    return urlAs(name, name);
  };

  it('works in a database of its own, where nothing that hides faults is left as it is, and removes it', async () => {
    const admin = await connect();
    const before = await names(admin);
    const subject = subjectAt(server.url);
    await subject.start?.();
    const own = await connect(String(subject.place().connection.connectionString));
    const { rows } = await own.query(`SELECT 'a' < 'B' AS folded, current_schemas(false)::text AS path`);
    expect(rows).toStrictEqual([{ folded: true, path: '{decoy}' }]);
    const store = await subject.open();
    await store.create(task('t'), call);
    await store.close?.();
    await subject.stop?.();
    expect(await names(admin)).toStrictEqual(before);
  });

  it('opens an empty store each time, also beside an open one, and keeps the tasks over a restart', async () => {
    const subject = subjectAt(server.url);
    const one = await subject.open();
    const two = await subject.open();
    await one.create(task('t'), call);
    expect((await two.list({}, call)).totalSize).toBe(0);
    const counted = one.counters?.().statements ?? 0;
    await one.restart?.();
    expect((await one.list({}, call)).totalSize).toBe(1);
    expect(one.counters?.().statements).toBe(counted + 4);
    await one.close?.();
    const again = await subject.open();
    expect((await again.list({}, call)).totalSize).toBe(0);
    await subject.stop?.();
  });

  it('has a clock that stands where it is set, without a change to what the store sends', async () => {
    const subject = subjectAt(server.url);
    const store = await subject.open();
    const time = async (id: string) => (await store.create(task(id), call))?.lastUpdatedMicros;
    const before = BigInt(Date.now()) * 1000n - 60_000_000n;
    expect(await time('now')).toBeGreaterThan(before);
    for (const micros of [2n ** 53n + 1n, -5n, 2n ** 63n - 2n]) {
      await store.setClock?.(micros);
      expect([await time(`${micros} a`), await time(`${micros} b`)]).toStrictEqual([micros, micros]);
      expect((await store.replace?.(task(`${micros} a`), {}, call))?.lastUpdatedMicros).toBe(micros + 1n);
    }
    await store.close?.();
    const next = await subject.open();
    expect((await next.create(task('t'), call))?.lastUpdatedMicros).toBeGreaterThan(before);
    await subject.stop?.();
  });

  it('works in schemas of its own where it may make no database, and removes only those', async () => {
    const url = await role('tenant', 'GRANT CREATE ON DATABASE tenant TO tenant');
    const client = await connect(url);
    const before = await names(client);
    const subject = subjectAt(url);
    const stores = [await subject.open(), await subject.open()];
    for (const store of stores) await store.create(task('t'), call);
    const during = (await names(client)).filter((name) => !before.includes(name));
    expect(during).toHaveLength(4);
    for (const name of during) expect(name).toMatch(/^pagecheck_[0-9a-f]{8}(_[1-3])?$/);
    await subject.stop?.();
    expect(await names(client)).toStrictEqual(before);
  });

  it('says what is missing where it may make neither', async () => {
    const url = await role('guest', '');
    const subject = subjectAt(url);
    const error = await subject.start?.().catch((thrown: Error) => thrown);
    expect(error).toBeInstanceOf(EnvironmentError);
    expect((error as Error).message).toMatch(/may create neither a database nor a schema: grant CREATEDB, or CREATE/);
  });

  it('does not use a table again that a call may still write to', async () => {
    const subject = subjectAt(server.url);
    const store = await subject.open();
    await store.create(task('t'), call);
    const other = await connect(String(subject.place().connection.connectionString));
    await other.query(`BEGIN; SELECT FROM pagecheck_0.a2a_tasks FOR UPDATE`);
    const late = store.replace?.(task('t'), {}, call);
    for (let i = 0; i < 2_000; i++) {
      const { rowCount } = await other.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'`);
      if (rowCount === 1) break;
    }
    await store.close?.();
    const next = await subject.open();
    await other.query('COMMIT');
    await late;
    expect((await next.list({}, call)).totalSize).toBe(0);
    await subject.stop?.();
  });
});
