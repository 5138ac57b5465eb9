/**
 * The pieces that a PostgreSQL store is put together from: SQL fragments, and the values that go with them. A mutant is
 * a store with one piece replaced, so each fault that such stores really have is one piece here.
 * In a fragment the table is always `t`, and a placeholder such as `$2` stands for a value.
 */

import { MAX_TIME_MICROS } from '../task/clock.ts';
import type { TaskCursor } from '../task/task.ts';
import { TaskState } from '../task/task.ts';
import { type PageTokenCodec, pageTokenV1 } from '../token/page-token.ts';
import { type BoundaryValues, boundaryValues } from './postgres-boundary.ts';
import { LATEST_TIMESTAMPTZ, readMicros } from './postgres-time.ts';

/** What a page statement is put together from. */
export interface PagePieces {
  readonly columns: string;
  readonly table: string;
  /** Conditions on the task; empty for none. */
  readonly filters: readonly string[];
  /** The boundary's condition; undefined for a first page. */
  readonly after: string | undefined;
  readonly orderBy: string;
  readonly limit: string;
}

/** The pieces of a store. */
export interface PostgresParts {
  /** The table's name in SQL, for a schema name. */
  table(schema: string): string;
  /** The time of a new task. */
  readonly createTime: string;
  /** The new time of a replaced, appended to or cancelled task. */
  readonly replaceTime: string;
  readonly appendTime: string;
  readonly cancelTime: string;
  /** Holds for a task whose time can still advance (TIME-5). */
  readonly advanceable: string;
  /** Gives a task's time in whole microseconds, and reads that. */
  readonly micros: string;
  readMicros(text: string): bigint;
  readonly tokens: PageTokenCodec;
  boundary(cursor: TaskCursor): BoundaryValues;
  readonly orderBy: string;
  /** The order within one context: the same, since the context is. */
  readonly orderByInContext: string;
  /** Holds for tasks after a boundary. */
  after(time: string, id: string): string;
  /** Holds for the tasks of one context; `value` is an array of its id alone. */
  contextIs(value: string): string;
  /** How many rows beyond the page are read to see whether more follow; with 0, a full page counts as "more". */
  readonly lookAhead: number;
  page(pieces: PagePieces): string;
  /** Gets the boundary's condition only so that a faulty count can use it. */
  count(table: string, filters: readonly string[], after: string | undefined): string;
  readonly begin: string;
  readonly commit: string;
  /** Holds where a message is not in the history yet; `key` is its id as JSON text. */
  isNewMessage(key: string): string;
  /** Holds for a task that can be cancelled. */
  readonly cancelable: string;
  /** The id as it is sent. */
  sentId(id: string): string;
  /** Tells whether a client from the pool is used; else its connection is closed. */
  takesClient(transactionStatus: string | undefined): boolean;
  /** Tells whether a client goes back to the pool after a call; else its connection is closed. */
  keepsClient(failed: boolean, transactionStatus: string | undefined): boolean;
}

// `clock_timestamp()` and not `now()`: a writer that waited for the row's lock must not set the time at which it began
// to wait. PostgreSQL evaluates SET anew on the row that it finds after the wait (manual, 13.2.1).
const advance = `GREATEST(clock_timestamp(), t.updated_at + interval '1 microsecond')`;

const latest = `timestamptz '${LATEST_TIMESTAMPTZ}'`;

const orderBy = 't.updated_at DESC, t.id COLLATE "C" DESC';

const terminalStates = [
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
];

/** The pieces of a right store. */
export const postgresParts: PostgresParts = {
  table: (schema) => `${quoteIdentifier(schema)}.a2a_tasks`,
  createTime: 'clock_timestamp()',
  replaceTime: advance,
  appendTime: advance,
  cancelTime: advance,
  advanceable: `t.updated_at < ${latest}`,
  // Since PostgreSQL 14 `extract` gives an exact numeric, but only below the last microsecond of signed 64 bits: that one
  // itself comes out 7 less.
  micros: `CASE WHEN t.updated_at < ${latest} THEN trunc(extract(epoch FROM t.updated_at) * 1000000) WHEN t.updated_at = ${latest} THEN ${MAX_TIME_MICROS} ELSE 'Infinity' END`,
  readMicros,
  tokens: pageTokenV1,
  boundary: boundaryValues,
  orderBy,
  // For `context_id = $1` the planner drops the context from the order and then may walk the index over all contexts
  // instead, discarding what it does not want: with 10⁶ tasks at one time it read 101,680 pages for one page. It does
  // not see through an array, so only the context's own index gives this order.
  orderByInContext: `t.context_id, ${orderBy}`,
  contextIs: (value) => `t.context_id = ANY ((SELECT ${value}::text[])::text[])`,
  // The sub-selects keep the values from the planner: statistics on times say little about times to come, and the plan
  // that it then makes once is the one that it would make for every value.
  after: (time, id) =>
    `(t.updated_at, t.id COLLATE "C") < ((SELECT ${time}::timestamptz), (SELECT ${id}::text) COLLATE "C")`,
  lookAhead: 1,
  // The planner knows the inner limit, and so that few rows are wanted of however many. It does not see the outer one,
  // and then favours a plan whose first rows come soon: the range scan that stops, not a sort of the whole context.
  page: ({ columns, table, filters, after, orderBy, limit }) =>
    `SELECT * FROM (SELECT ${columns} FROM ${table} AS t${where([...filters, ...(after ? [after] : [])])} ORDER BY ${orderBy} LIMIT 101) AS p LIMIT (SELECT ${limit})`,
  count: (table, filters) => `SELECT count(*) FROM ${table} AS t${where(filters)}`,
  begin: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  commit: 'COMMIT',
  isNewMessage: (key) => `NOT (${key}::text = ANY (t.message_ids))`,
  cancelable: `t.status_state NOT IN (${terminalStates.join(', ')})`,
  sentId: (id) => id,
  // Somebody may have given it back inside a transaction, where a write of ours would be lost. Drivers before pg 8.23
  // don't say.
  takesClient: (status) => status === 'I' || status === undefined,
  // A failed call's connection may be in a failed transaction, or hold a statement that the driver knows nothing of.
  keepsClient: (failed, status) => !failed && (status === 'I' || status === undefined),
};

/** Joins conditions; nothing where there are none. */
export function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}

/** Quotes a name for SQL. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
