/** Looks at a table as it stands: its columns, indexes, triggers and rows. Only reads. */
import type pg from 'pg';
import type { IndexSight, RowSight, TableSight } from '../history/database.ts';
import { quoteIdentifier } from '../store/postgres-parts.ts';

/** The table that everything is about. */
export const TABLE = 'a2a_tasks';

/** Whole microseconds of `updated_at`, as text. */
export const MICROS = `(trunc(extract(epoch FROM updated_at::timestamptz) * 1000000))::text`;

/** Reads the table of a schema, whatever its columns; undefined where nothing has its name. */
export async function sightTable(client: pg.ClientBase, schema: string): Promise<TableSight | undefined> {
  const { rows } = await client.query<{ found: Omit<TableSight, 'rows'> }>(TABLE_QUERY, [schema, TABLE]);
  const found = rows[0]?.found;
  if (found === undefined) return undefined;
  const { kind, columns, indexes, triggers, relations } = found;
  return { kind, columns, indexes, triggers, rows: await sightRows(client, schema, found), relations };
}

/** Reads the indexes alone. */
export async function sightIndexes(client: pg.ClientBase, schema: string): Promise<readonly IndexSight[]> {
  return (await sightTable(client, schema))?.indexes ?? [];
}

async function sightRows(
  client: pg.ClientBase,
  schema: string,
  { columns }: Pick<TableSight, 'columns'>,
): Promise<RowSight[]> {
  const has = (name: string): boolean => columns.some((column) => column.name === name);
  const id = has('id') ? 'id::text' : 'ctid::text';
  const micros = has('updated_at') ? MICROS : 'NULL';
  const { rows } = await client.query<{ id: string; micros: string | null; version: string }>(
    `SELECT ${id} AS id, ${micros} AS micros, xmin::text || ' ' || ctid::text AS version
       FROM ${quoteIdentifier(schema)}.${TABLE} ORDER BY 1 LIMIT 100`,
  );
  return rows.map(({ micros: time, ...row }) => (time === null ? row : { ...row, micros: time }));
}

const TABLE_QUERY = `
WITH relation AS (
  SELECT c.oid, c.relkind FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE n.nspname = $1 AND c.relname = $2)
SELECT jsonb_build_object(
  'kind', CASE relkind WHEN 'r' THEN 'table' ELSE 'relation of kind ' || relkind::text END,
  'columns', (SELECT coalesce(jsonb_agg(jsonb_build_object(
      'name', attname, 'type', format_type(atttypid, atttypmod), 'notNull', attnotnull,
      'default', (SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = attrelid AND adnum = attnum),
      'generated', attgenerated <> '',
      'deterministic', coalesce((SELECT collisdeterministic FROM pg_collation WHERE oid = attcollation), true))
      ORDER BY attnum), '[]')
    FROM pg_attribute WHERE attrelid = relation.oid AND attnum > 0 AND NOT attisdropped),
  'indexes', (SELECT coalesce(jsonb_agg(jsonb_build_object(
      'name', c.relname, 'method', m.amname, 'valid', i.indisvalid AND i.indisready, 'partial', i.indpred IS NOT NULL,
      'unique', i.indisunique,
      'keys', (SELECT jsonb_agg(
          coalesce(a.attname, 'an expression')
          || CASE WHEN l.collname = 'default' OR l.collname IS NULL THEN '' ELSE ' COLLATE ' || l.collname END
          || CASE WHEN NOT o.opcdefault THEN ' ' || o.opcname ELSE '' END
          || CASE WHEN option & 1 = 1 THEN ' DESC' ELSE '' END
          || CASE option WHEN 1 THEN ' NULLS LAST' WHEN 2 THEN ' NULLS FIRST' ELSE '' END ORDER BY place)
        FROM unnest(i.indkey::int2[], i.indoption::int2[], i.indcollation::oid[], i.indclass::oid[])
          WITH ORDINALITY AS k (number, option, collation_oid, class_oid, place)
        LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number AND k.number > 0
        LEFT JOIN pg_collation l ON l.oid = k.collation_oid
        JOIN pg_opclass o ON o.oid = k.class_oid
        WHERE place <= i.indnkeyatts)) ORDER BY c.relname), '[]')
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam
    WHERE i.indrelid = relation.oid),
  'triggers', (SELECT coalesce(jsonb_agg(name ORDER BY name), '[]') FROM (
      SELECT tgname AS name FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
       WHERE tgrelid = relation.oid AND NOT tgisinternal AND tgenabled <> 'D' AND strpos(lower(prosrc), 'updated_at') > 0
      UNION ALL SELECT rulename FROM pg_rewrite WHERE ev_class = relation.oid AND ev_enabled <> 'D' AND rulename <> '_RETURN'
    ) AS touching),
  'relations', (SELECT jsonb_agg(r.relname || ' ' || r.relkind::text || ' ' || r.relfilenode ORDER BY r.relname)
    FROM pg_class r JOIN pg_class t ON t.relnamespace = r.relnamespace WHERE t.oid = relation.oid)
) AS found FROM relation`;
