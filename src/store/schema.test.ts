import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PostgresServer } from '../run/postgres-provider.ts';
import { availableReleases } from '../run/postgres-releases.ts';
import { createPostgresTaskStore } from './postgres.ts';
import { checkSchema, createSchema, requireSchema, SchemaError } from './schema.ts';

const sql = (name: string): string => readFileSync(new URL(`../../spec/sql/${name}`, import.meta.url), 'utf8');

describe.each(availableReleases())('the schema, release %s', (_, provider) => {
  let server: PostgresServer;
  let pool: pg.Pool;

  beforeAll(async () => {
    server = await provider.start();
    pool = new pg.Pool({ connectionString: server.url, max: 12 });
    // A pool has ended before its clients have said goodbye; the server's own end then reaches them as an error.
    pool.on('error', () => {});
  });
  afterAll(async () => {
    await pool?.end();
    await server?.stop();
  });
  beforeEach(async () => {
    await pool.query('DROP SCHEMA IF EXISTS s CASCADE');
  });

  const fixture = async (name: string): Promise<void> => {
    const client = await pool.connect();
    await client.query(`CREATE SCHEMA s; SET search_path = s`);
    await client.query(sql(`fixtures/${name}.sql`));
    client.release(true);
  };
  const rows = async (schema = 's'): Promise<unknown[]> =>
    (await pool.query(`SELECT id, updated_at::text, xmin::text, ctid::text FROM ${schema}.a2a_tasks ORDER BY id`)).rows;
  const findings = async (schema = 's'): Promise<string[]> =>
    (await checkSchema(pool, schema)).map(
      ({ piece, expected, found }) => `${piece}: expected ${expected}, found ${found}`,
    );

  it('is made where nothing stands, and a second run changes nothing', async () => {
    await createSchema(pool, 's');
    expect(await findings()).toStrictEqual([]);
    const oids = `SELECT array_agg(c.oid ORDER BY c.oid)::text AS all FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 's'`;
    const before = (await pool.query(oids)).rows;
    await createSchema(pool, 's');
    expect((await pool.query(oids)).rows).toStrictEqual(before);
  });

  it('is made once by many starters at once', async () => {
    await Promise.all(Array.from({ length: 10 }, () => createSchema(pool, 's')));
    expect(await findings()).toStrictEqual([]);
  });

  it('quotes whatever name it has', async () => {
    const name = 'We"ird; name';
    await createSchema(pool, name);
    const store = createPostgresTaskStore({ pool, schema: name });
    expect((await store.list({})).totalSize).toBe(0);
    expect(await checkSchema(pool, name)).toStrictEqual([]);
    await pool.query(`DROP SCHEMA "We""ird; name" CASCADE`);
  });

  const upgradable: [fixture: string, findings: string[]][] = [
    [
      'release-0.5',
      [
        'column updated_at: expected DEFAULT clock_timestamp(), found DEFAULT now()',
        'index idx_a2a_tasks_updated: expected (updated_at DESC, id COLLATE "C" DESC), found CREATE INDEX idx_a2a_tasks_updated ON s.a2a_tasks USING btree (status_seconds DESC, status_nanos DESC)',
        'index idx_a2a_tasks_context_updated: expected (context_id, updated_at DESC, id COLLATE "C" DESC), found none',
      ],
    ],
    [
      'wrong-indexes',
      [
        'index idx_a2a_tasks_updated: expected (updated_at DESC, id COLLATE "C" DESC), found CREATE INDEX idx_a2a_tasks_updated ON s.a2a_tasks USING btree (updated_at DESC, id DESC)',
        `index idx_a2a_tasks_context_updated: expected (context_id, updated_at DESC, id COLLATE "C" DESC), found CREATE INDEX idx_a2a_tasks_context_updated ON s.a2a_tasks USING btree (context_id, updated_at DESC, id COLLATE "C" DESC) WHERE (context_id <> ''::text)`,
      ],
    ],
    [
      'invalid-index',
      [
        'index idx_a2a_tasks_updated: expected (updated_at DESC, id COLLATE "C" DESC), found CREATE INDEX idx_a2a_tasks_updated ON s.a2a_tasks USING btree (updated_at DESC, id COLLATE "C" DESC), not valid',
        'index idx_a2a_tasks_context_updated: expected (context_id, updated_at DESC, id COLLATE "C" DESC), found none',
      ],
    ],
    [
      'nullable-time',
      [
        'column updated_at: expected NOT NULL, found NULL allowed',
        'column updated_at: expected DEFAULT clock_timestamp(), found no default',
        'index idx_a2a_tasks_updated: expected (updated_at DESC, id COLLATE "C" DESC), found none',
        'index idx_a2a_tasks_context_updated: expected (context_id, updated_at DESC, id COLLATE "C" DESC), found none',
      ],
    ],
  ];

  describe.each(upgradable)('as %s left it', (name, expected) => {
    it('is named piece by piece, and an external one is not touched', async () => {
      await fixture(name);
      const before = await rows();
      expect(await findings()).toStrictEqual(expected);
      await expect(requireSchema(pool, 's')).rejects.toThrow(SchemaError);
      expect(await findings()).toStrictEqual(expected);
      expect(await rows()).toStrictEqual(before);
    });

    it('is upgraded without touching a row', async () => {
      await fixture(name);
      const before = await rows();
      expect(before).toHaveLength(4);
      await createSchema(pool, 's');
      expect(await findings()).toStrictEqual([]);
      expect(await rows()).toStrictEqual(before);
      const store = createPostgresTaskStore({ pool, schema: 's' });
      expect((await store.list({})).tasks.map(({ id }) => id)).toStrictEqual(['newer', 'tie-2', 'tie-1', 'older']);
    });
  });

  it.each(['release-0.5', 'wrong-indexes', 'invalid-index'])(
    'as %s left it is upgraded by the file for external schemas too',
    async (name) => {
      await fixture(name);
      const before = await rows();
      const file = sql('migrate.sql').replaceAll('public.', 's.');
      await pool.query(file);
      await pool.query(file);
      expect(await findings()).toStrictEqual([]);
      expect(await rows()).toStrictEqual(before);
    },
  );

  it('that the file for new external schemas makes is the one that the store makes', async () => {
    await pool.query('CREATE SCHEMA s');
    await pool.query(sql('create.sql').replaceAll('public.', 's.'));
    await createSchema(pool, 'ours');
    const describe = async (schema: string) =>
      (
        await pool.query(
          `SELECT column_name, data_type, udt_name, is_nullable, column_default FROM information_schema.columns WHERE table_schema = $1 ORDER BY ordinal_position`,
          [schema],
        )
      ).rows;
    expect(await findings()).toStrictEqual([]);
    expect(await describe('s')).toStrictEqual(await describe('ours'));
    await pool.query('DROP SCHEMA ours CASCADE');
  });

  const refused: [fixture: string, finding: string][] = [
    ['missing-time', 'rows: expected a time in each updated_at, found rows with NULL'],
    [
      'time-trigger',
      'trigger touch_task: expected no trigger or rule that can set updated_at, found one that is enabled',
    ],
    ['time-without-zone', 'column updated_at: expected timestamp with time zone, found timestamp without time zone'],
    ['time-in-millis', 'column updated_at: expected timestamp with time zone, found timestamp(3) with time zone'],
    ['short-ids', 'column id: expected text, found character varying(36)'],
    ['short-ids', 'key: expected PRIMARY KEY (id), found no unique index on id alone'],
    ['folded-ids', 'column id: expected a collation that keeps different texts apart, found one that does not'],
    ['not-ours', 'column id: expected text, found none'],
  ];
  it.each(refused)('as %s left it is refused by both kinds of store (%s)', async (name, finding) => {
    await fixture(name);
    const dump = `SELECT array_agg(c.relname || ' ' || c.oid::text || coalesce(pg_get_indexdef(c.oid), '') ORDER BY c.oid)::text AS all FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 's'`;
    const before = (await pool.query(dump)).rows;
    expect(await findings()).toContain(finding);
    await expect(createSchema(pool, 's')).rejects.toThrow(SchemaError);
    expect((await pool.query(dump)).rows).toStrictEqual(before);
  });

  const damage: [what: string, statement: string, finding: RegExp][] = [
    [
      'a view',
      'ALTER TABLE s.a2a_tasks RENAME TO t; CREATE VIEW s.a2a_tasks AS SELECT * FROM s.t',
      /^table a2a_tasks: expected a table, found a view$/,
    ],
    ['an unlogged table', 'ALTER TABLE s.a2a_tasks SET UNLOGGED', /^table a2a_tasks: .*unlogged/],
    ['a rule', 'CREATE RULE r AS ON UPDATE TO s.a2a_tasks DO INSTEAD NOTHING', /^rule r: /],
    [
      'rows beyond every cursor',
      `INSERT INTO s.a2a_tasks (id, updated_at) VALUES ('x', 'infinity')`,
      /^rows: expected times within signed 64-bit/,
    ],
    [
      'a generated time',
      `ALTER TABLE s.a2a_tasks DROP COLUMN updated_at; ALTER TABLE s.a2a_tasks ADD COLUMN updated_at timestamptz NOT NULL GENERATED ALWAYS AS ('2024-01-01 00:00:00+00'::timestamptz) STORED`,
      /^column updated_at: expected a column that is written, found a generated one$/,
    ],
    [
      'an index of our name on another table',
      'DROP INDEX s.idx_a2a_tasks_updated; CREATE TABLE s.t (a int); CREATE INDEX idx_a2a_tasks_updated ON s.t (a)',
      /^index idx_a2a_tasks_updated: .* found the name taken by another index$/,
    ],
  ];
  it.each(damage)('with %s is named as it is', async (_, statement, finding) => {
    await createSchema(pool, 's');
    await pool.query(statement);
    expect((await findings()).filter((text) => finding.test(text))).toHaveLength(1);
  });

  it('is fine with what does no harm: a disabled trigger, other names, reversed directions, more indexes', async () => {
    await fixture('time-trigger');
    await pool.query(`ALTER TABLE s.a2a_tasks DISABLE TRIGGER touch_task;
      CREATE INDEX one ON s.a2a_tasks (updated_at, id COLLATE "C");
      CREATE INDEX zero ON s.a2a_tasks (context_id, updated_at, id COLLATE "C")`);
    expect(await findings()).toHaveLength(1);
    await pool.query(`
      CREATE INDEX two ON s.a2a_tasks (context_id, updated_at DESC, id COLLATE "C" DESC) INCLUDE (revision);
      CREATE INDEX three ON s.a2a_tasks (status_state)`);
    expect(await findings()).toStrictEqual([]);
  });
});
