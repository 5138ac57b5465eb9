/** The SQL of a store, each text under a name of its own, so that a connection prepares it once. */
import { createHash } from 'node:crypto';
import { documentColumns, rowColumns } from './postgres-document.ts';
import type { PostgresParts } from './postgres-parts.ts';
import { type CopyExtent, wholeTask } from './task-copy.ts';

/** A statement to be prepared. Names are made from the text: stores of several schemas may share a pool. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** How many values it takes: `$1` to this. */
  readonly parameters: number;
}

/** Which conditions a list has; each combination is a text of its own, which the planner sees without dead branches. */
export interface ListShape {
  readonly context: 'any' | 'one' | 'several';
  readonly status: boolean;
  readonly since: boolean;
  readonly boundary: boolean;
}

/** The statements of one store. */
export interface Statements {
  readonly create: Statement;
  readonly replace: Statement;
  readonly replaceIfRevision: Statement;
  readonly append: Statement;
  readonly cancel: Statement;
  readonly delete: Statement;
  get(extent: CopyExtent): Statement;
  /** Values of both: context, status, seconds and nanoseconds, the boundary's time and id, each where the shape has it. */
  count(shape: ListShape): Statement;
  /** And the number of rows. */
  page(shape: ListShape, extent: CopyExtent): Statement;
}

/** Writes the statements of a store in a schema. */
export function createStatements(schema: string, parts: PostgresParts): Statements {
  const table = parts.table(schema);
  const cache = new Map<string, Statement>();
  const once = (key: string, text: () => string): Statement => {
    let statement = cache.get(key);
    if (statement === undefined) {
      statement = named(text());
      cache.set(key, statement);
    }
    return statement;
  };

  const stamp = `t.revision, ${parts.micros}`;
  const whole = rowColumns(wholeTask, parts.micros).join(', ');
  const inserted = documentColumns.map((_, i) => `$${i + 2}`).join(', ');
  const replaced = documentColumns.map((column, i) => `${column} = $${i + 2}`).join(', ');
  const update = (set: string, time: string, condition: string, returning: string): Statement => {
    const changes = [set, 'revision = t.revision + 1', ...(time ? [`updated_at = ${time}`] : [])].join(', ');
    return named(
      `UPDATE ${table} AS t SET ${changes} WHERE t.id = $1 AND ${parts.advanceable}${condition} RETURNING ${returning}`,
    );
  };

  const conditions = (shape: ListShape): { filters: string[]; next: () => string } => {
    let count = 0;
    const next = (): string => `$${++count}`;
    const filters: string[] = [];
    if (shape.context === 'one') filters.push(parts.contextIs(next()));
    if (shape.context === 'several') filters.push(`t.context_id = ANY (${next()}::text[])`);
    if (shape.status) filters.push(`t.status_state = ${next()}`);
    if (shape.since) filters.push(`(t.status_seconds, t.status_nanos) >= (${next()}::bigint, ${next()}::integer)`);
    return { filters, next };
  };
  const after = (shape: ListShape, next: () => string): string | undefined =>
    shape.boundary ? parts.after(next(), next()) : undefined;

  return {
    create: named(
      `INSERT INTO ${table} AS t (id, ${documentColumns.join(', ')}, updated_at) VALUES ($1, ${inserted}, ${parts.createTime}) ON CONFLICT (id) DO NOTHING RETURNING ${stamp}`,
    ),
    replace: update(replaced, parts.replaceTime, '', stamp),
    replaceIfRevision: update(replaced, parts.replaceTime, ` AND t.revision = $${documentColumns.length + 2}`, stamp),
    append: update(
      `history = CASE t.history WHEN '' THEN $2::text ELSE t.history || E'\\n' || $2::text END, message_ids = array_append(t.message_ids, $3::text)`,
      parts.appendTime,
      ` AND ${parts.isNewMessage('$3')}`,
      whole,
    ),
    cancel: update(
      'status_state = $2, status_seconds = $3, status_nanos = $4, status = $5',
      parts.cancelTime,
      ` AND ${parts.cancelable}`,
      whole,
    ),
    delete: named(`DELETE FROM ${table} AS t WHERE t.id = $1 RETURNING 1`),
    get: (extent) =>
      once(
        `get ${columnsKey(extent)}`,
        () => `SELECT ${rowColumns(extent, parts.micros).join(', ')} FROM ${table} AS t WHERE t.id = $1`,
      ),
    count: (shape) =>
      once(`count ${JSON.stringify(shape)}`, () => {
        const { filters, next } = conditions(shape);
        return parts.count(table, filters, after(shape, next));
      }),
    page: (shape, extent) =>
      once(`page ${JSON.stringify(shape)} ${columnsKey(extent)}`, () => {
        const { filters, next } = conditions(shape);
        const columns = rowColumns(extent, parts.micros).join(', ');
        const condition = after(shape, next);
        const orderBy = shape.context === 'one' ? parts.orderByInContext : parts.orderBy;
        return parts.page({
          columns,
          table,
          filters,
          after: condition,
          orderBy,
          limit: `${next()}::integer`,
        });
      }),
  };
}

function named(text: string): Statement {
  const name = `pagecheck_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
  const parameters = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  return { name, text, parameters };
}

function columnsKey(extent: CopyExtent): string {
  return `${extent.historyLength > 0} ${extent.artifacts}`;
}
