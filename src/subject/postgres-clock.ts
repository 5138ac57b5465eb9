/** A clock that the harness sets, for a store whose time is the database's. */
import type pg from 'pg';
import { quoteIdentifier } from '../store/postgres-parts.ts';
import { formatTimestamptz } from '../store/postgres-time.ts';

/**
 * Makes a schema with functions named like PostgreSQL's own clocks, which show the time that was set last, and the
 * server's own time until then. A session that searches this schema before `pg_catalog` uses them for each clock that a
 * statement names without a schema: the store's statements stay as they are, to the letter, and yet two tasks can have
 * one time, and time can stand still or run backwards. (`CURRENT_TIMESTAMP` is syntax, no name: it stays the server's.)
 */
export async function createClock(pool: pg.Pool, schema: string): Promise<void> {
  const name = quoteIdentifier(schema);
  const functions = ['clock_timestamp', 'statement_timestamp', 'transaction_timestamp', 'now'].map(
    (clock) => `CREATE FUNCTION ${name}.${clock}() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS
      $$ BEGIN RETURN coalesce((SELECT shows FROM ${name}.clock), pg_catalog.${clock}()); END $$`,
  );
  await pool.query(
    [`CREATE SCHEMA ${name}`, `CREATE TABLE ${name}.clock AS SELECT NULL::timestamptz AS shows`, ...functions].join(
      '; ',
    ),
  );
}

/** Sets the clock to a time, in microseconds, at which it stands still; to the server's own where absent. */
export async function setClock(pool: pg.Pool, schema: string, micros?: bigint): Promise<void> {
  const shows = micros === undefined ? null : formatTimestamptz(micros);
  await pool.query(`UPDATE ${quoteIdentifier(schema)}.clock SET shows = $1`, [shows]);
}
