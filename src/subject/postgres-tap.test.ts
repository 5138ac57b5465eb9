import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgresDatabase, type PostgresDatabase } from './postgres-database.ts';
import { type DatabaseTap, tapDatabases } from './postgres-tap.ts';

let tap: DatabaseTap;
let database: PostgresDatabase;
let client: pg.Client;
const notices: string[] = [];

beforeAll(async () => {
  tap = tapDatabases();
  database = await openPostgresDatabase({ postgres: 'embedded' });
  client = new pg.Client({ connectionString: database.url });
  client.on('notice', ({ message }) => notices.push(message ?? ''));
  await client.connect();
  await client.query('CREATE TABLE things (id int PRIMARY KEY, name text)');
  await client.query(`INSERT INTO things SELECT i, 'name ' || i FROM generate_series(1, 1000) AS i`);
}, 60_000);

afterAll(async () => {
  await client.end();
  await database.stop();
  await tap.close();
});

describe('a tap on a database', () => {
  it('hears the statements of a store that knows nothing of it, and the plans with which they ran', async () => {
    tap.take();
    const { rows } = await client.query('SELECT * FROM things WHERE name = $1', ['name 7']);
    expect(rows).toEqual([{ id: 7, name: 'name 7' }]);
    const { statements, plans } = tap.take();
    expect(statements).toBe(1);
    expect(plans).toEqual([
      {
        buffers: expect.any(Number),
        root: expect.objectContaining({ node: 'Seq Scan', relation: 'things', rows: 1, removed: 999 }),
      },
    ]);
    expect(tap.take()).toEqual({ statements: 0, plans: [] });
  });

  it('takes the plans out of the stream, and leaves what was meant for the store', async () => {
    await client.query(`DO $$ BEGIN PERFORM * FROM things; RAISE NOTICE 'a word of its own'; END $$`);
    expect(notices).toEqual(['a word of its own']);
  });

  it('carries an answer of many messages whole', async () => {
    const { rows } = await client.query(`SELECT i, repeat('x', 1000) AS x FROM generate_series(1, 5000) AS i`);
    expect(rows).toHaveLength(5_000);
    expect(rows[4_999]).toEqual({ i: 5_000, x: 'x'.repeat(1_000) });
  });

  it('does not listen to a database that is opened after it was closed', async () => {
    const other = tapDatabases();
    await other.close();
    const plain = await openPostgresDatabase({ postgres: 'embedded' });
    expect(plain.url).not.toContain('auto_explain');
    expect(other.used).toBe(false);
    await plain.stop();
  }, 30_000);
});
