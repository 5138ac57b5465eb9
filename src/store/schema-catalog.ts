/** What PostgreSQL's catalog says of the table. Only reads. */
import type pg from 'pg';
import { TABLE_NAME } from './schema-sql.ts';

/** A column as it stands. */
export interface FoundColumn {
  readonly name: string;
  readonly type: string;
  readonly notNull: boolean;
  readonly default: string | null;
  readonly generated: boolean;
  /** Whether different texts are different under its collation; true where it has none. */
  readonly deterministic: boolean;
}

/** One key column of an index as it stands. */
export interface FoundKey {
  /** The column's name; null for an expression. */
  readonly column: string | null;
  /** `C`, `default`, or another collation's name; null where the type has none. */
  readonly collation: string | null;
  /** True where it is the collation of the column itself. */
  readonly ownCollation: boolean;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
  /** True for the type's default operator class. */
  readonly defaultOperators: boolean;
}

/** An index of the table as it stands. */
export interface FoundIndex {
  readonly name: string;
  readonly method: string;
  readonly usable: boolean;
  readonly partial: boolean;
  readonly unique: boolean;
  /** True where it belongs to a constraint, which alone can drop it. */
  readonly constraint: boolean;
  readonly keys: readonly FoundKey[];
  readonly definition: string;
}

/** A trigger or rule of a user's that mentions the column `updated_at`. */
export interface FoundTrigger {
  readonly name: string;
  readonly kind: 'trigger' | 'rule';
}

/** The table as it stands. */
export interface FoundTable {
  /** `table` or what else stands under its name. */
  readonly kind: string;
  readonly persistent: boolean;
  readonly columns: readonly FoundColumn[];
  readonly indexes: readonly FoundIndex[];
  readonly triggers: readonly FoundTrigger[];
  /** What else of the schema has the name of an ordering index: names and what they are. */
  readonly namesakes: readonly { readonly name: string; readonly kind: string }[];
}

/** Reads what stands under the table's name in the schema; undefined where nothing does. */
export async function readTable(
  client: pg.ClientBase,
  schema: string,
  indexNames: readonly string[],
): Promise<FoundTable | undefined> {
  const { rows } = await client.query<{ found: FoundTable | null }>(CATALOG_QUERY, [schema, TABLE_NAME, indexNames]);
  return rows[0]?.found ?? undefined;
}

const KIND = (relkind: string): string =>
  `CASE ${relkind} WHEN 'r' THEN 'table' WHEN 'p' THEN 'partitioned table' WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' WHEN 'f' THEN 'foreign table' WHEN 'S' THEN 'sequence' WHEN 'i' THEN 'index' WHEN 'I' THEN 'partitioned index' ELSE 'relation' END`;

// One statement, so that all of it is one state of the catalog. Bits of indoption: 1 descending, 2 nulls first.
const CATALOG_QUERY = `
SELECT json_build_object(
  'kind', ${KIND('c.relkind')},
  'persistent', c.relpersistence = 'p',
  'columns', (
    SELECT coalesce(json_agg(json_build_object(
      'name', a.attname,
      'type', pg_catalog.format_type(a.atttypid, a.atttypmod),
      'notNull', a.attnotnull,
      'default', pg_catalog.pg_get_expr(d.adbin, d.adrelid),
      'generated', a.attgenerated <> '',
      'deterministic', coalesce(l.collisdeterministic, true)) ORDER BY a.attnum), '[]')
    FROM pg_catalog.pg_attribute a
    LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    LEFT JOIN pg_catalog.pg_collation l ON l.oid = a.attcollation
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
  'indexes', (
    SELECT coalesce(json_agg(json_build_object(
      'name', ic.relname,
      'method', am.amname,
      'usable', i.indisvalid AND i.indisready AND i.indislive,
      'partial', i.indpred IS NOT NULL,
      'unique', i.indisunique AND i.indimmediate,
      'constraint', EXISTS (SELECT FROM pg_catalog.pg_constraint k WHERE k.conindid = i.indexrelid),
      'definition', pg_catalog.pg_get_indexdef(i.indexrelid),
      'keys', (
        SELECT json_agg(json_build_object(
          'column', a.attname,
          'collation', l.collname,
          'ownCollation', i.indcollation[n] = coalesce(a.attcollation, 0),
          'descending', i.indoption[n]::int & 1 = 1,
          'nullsFirst', i.indoption[n]::int & 2 = 2,
          'defaultOperators', o.opcdefault) ORDER BY n)
        FROM generate_series(0, i.indnkeyatts - 1) AS n
        LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[n] AND a.attnum > 0
        LEFT JOIN pg_catalog.pg_collation l ON l.oid = i.indcollation[n]
        JOIN pg_catalog.pg_opclass o ON o.oid = i.indclass[n])) ORDER BY ic.relname), '[]')
    FROM pg_catalog.pg_index i
    JOIN pg_catalog.pg_class ic ON ic.oid = i.indexrelid
    JOIN pg_catalog.pg_am am ON am.oid = ic.relam
    WHERE i.indrelid = c.oid),
  'triggers', (
    SELECT coalesce(json_agg(json_build_object('name', x.name, 'kind', x.kind) ORDER BY x.name), '[]')
    FROM (
      SELECT t.tgname AS name, 'trigger' AS kind
      FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_proc p ON p.oid = t.tgfoid
      WHERE t.tgrelid = c.oid AND NOT t.tgisinternal AND t.tgenabled <> 'D'
        AND concat_ws(' ', p.prosrc, pg_catalog.pg_get_triggerdef(t.oid)) ILIKE '%updated\\_at%'
      UNION ALL
      SELECT r.rulename, 'rule' FROM pg_catalog.pg_rewrite r
      WHERE r.ev_class = c.oid AND r.rulename <> '_RETURN' AND r.ev_enabled <> 'D') x),
  'namesakes', (
    SELECT coalesce(json_agg(json_build_object('name', s.relname, 'kind', ${KIND('s.relkind')}) ORDER BY s.relname), '[]')
    FROM pg_catalog.pg_class s
    WHERE s.relnamespace = c.relnamespace AND s.relname = ANY ($3::text[])
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_index i WHERE i.indexrelid = s.oid AND i.indrelid = c.oid))
) AS found
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace ns ON ns.oid = c.relnamespace
WHERE ns.nspname = $1 AND c.relname = $2`;
