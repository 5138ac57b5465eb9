/** The table and its indexes as SQL: what `createSchema` installs and `spec/sql/` ships. */
import { quoteIdentifier } from './postgres-parts.ts';

/** One column of the table. */
export interface ColumnDefinition {
  readonly name: string;
  /** As PostgreSQL's `format_type` spells it. */
  readonly type: string;
  readonly notNull: boolean;
  /** As PostgreSQL's `pg_get_expr` spells it; null for none. */
  readonly default: string | null;
}

/** The columns of the table, in order. `updated_at` alone has to do with order; the last six hold the document. */
export const tableColumns: readonly ColumnDefinition[] = [
  { name: 'id', type: 'text', notNull: true, default: null },
  { name: 'context_id', type: 'text', notNull: true, default: `''::text` },
  { name: 'revision', type: 'bigint', notNull: true, default: '1' },
  { name: 'updated_at', type: 'timestamp with time zone', notNull: true, default: 'clock_timestamp()' },
  { name: 'status_state', type: 'integer', notNull: true, default: '0' },
  { name: 'status_seconds', type: 'bigint', notNull: false, default: null },
  { name: 'status_nanos', type: 'integer', notNull: false, default: null },
  { name: 'status', type: 'text', notNull: false, default: null },
  { name: 'metadata', type: 'text', notNull: false, default: null },
  { name: 'history', type: 'text', notNull: true, default: `''::text` },
  { name: 'message_ids', type: 'text[]', notNull: true, default: `'{}'::text[]` },
  { name: 'artifacts', type: 'text', notNull: true, default: `''::text` },
];

/** One ordering index: its name, and its key after `ON table`. */
export interface IndexDefinition {
  readonly name: string;
  readonly key: string;
}

/** The two indexes that a page is a range of (seed). */
export const orderingIndexes: readonly IndexDefinition[] = [
  { name: 'idx_a2a_tasks_updated', key: '(updated_at DESC, id COLLATE "C" DESC)' },
  { name: 'idx_a2a_tasks_context_updated', key: '(context_id, updated_at DESC, id COLLATE "C" DESC)' },
];

/** The name of the table. */
export const TABLE_NAME = 'a2a_tasks';

/** Writes the statement that makes the table. */
export function createTableSql(schema: string): string {
  const columns = tableColumns.map(
    (column) =>
      `${column.name} ${column.type}${column.notNull ? ' NOT NULL' : ''}${column.default === null ? '' : ` DEFAULT ${column.default}`}`,
  );
  return `CREATE TABLE ${quoteIdentifier(schema)}.${TABLE_NAME} (\n  ${[...columns, 'PRIMARY KEY (id)'].join(',\n  ')}\n)`;
}

/** Writes the statement that gives `updated_at` its default, which only writers other than the store use. */
export function setDefaultSql(schema: string): string {
  return `ALTER TABLE ${quoteIdentifier(schema)}.${TABLE_NAME} ALTER COLUMN updated_at SET DEFAULT clock_timestamp()`;
}

/** Writes the statement that makes an ordering index. */
export function createIndexSql(schema: string, { name, key }: IndexDefinition): string {
  return `CREATE INDEX ${name} ON ${quoteIdentifier(schema)}.${TABLE_NAME} ${key}`;
}
