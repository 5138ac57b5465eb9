/**
 * Rows PG-28 to PG-30 and MIG: tables and migrations that are right but for one thing. Each is the store's own migration
 * with a step replaced, on an empty schema or on what an older release left.
 */
import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { quoteIdentifier } from '../store/postgres-parts.ts';
import { schemaParts } from '../store/schema.ts';
import { createIndexSql, createTableSql, type IndexDefinition } from '../store/schema-sql.ts';
import type { PostgresFault } from './postgres-fault.ts';

/** Makes what a fixture of `spec/sql/fixtures` holds, without its rows, in the run's schema. */
function olderRelease(name: string): NonNullable<PostgresFault['prepare']> {
  return async (pool: pg.Pool, schema: string) => {
    const url = new URL(`../../spec/sql/fixtures/${name}.sql`, import.meta.url);
    const statements = readFileSync(url, 'utf8').replace(/^INSERT [^;]*;$/gm, '');
    const quoted = quoteIdentifier(schema);
    await pool.query(`CREATE SCHEMA ${quoted}; SET search_path = ${quoted}; ${statements} RESET search_path`);
  };
}

/** A migration that does not look at what it has made. */
const blind = { problems: () => [] };

/** A migration whose table differs in one text, and that neither judges it nor makes its indexes afterwards. */
function table(change: (sql: string, schema: string) => string): NonNullable<PostgresFault['schemaParts']> {
  return {
    ...blind,
    createTable: (schema) =>
      [change(createTableSql(schema), schema), ...indexes.map((index) => createIndexSql(schema, index))].join('; '),
  };
}

const indexes: readonly IndexDefinition[] = [
  { name: 'idx_a2a_tasks_updated', key: '(updated_at DESC, id COLLATE "C" DESC)' },
  { name: 'idx_a2a_tasks_context_updated', key: '(context_id, updated_at DESC, id COLLATE "C" DESC)' },
];

/** A migration that makes other indexes. */
function indexed(change: (index: IndexDefinition) => IndexDefinition): NonNullable<PostgresFault['schemaParts']> {
  return { createIndex: (schema, index) => createIndexSql(schema, change(index as IndexDefinition)) };
}

/** A store that starts on a table of its own kind passes over every column of the wrong type. */
const blindStart = ['SCHEMA-1', 'SCHEMA-4'];

export const tableFaults: readonly PostgresFault[] = [
  {
    id: 'PG-28',
    fault: 'the id is a varchar(36)',
    breaks: [...blindStart, 'STORE-3', 'TOKEN-2'],
    schemaParts: table((sql) => sql.replace('id text', 'id varchar(36)')),
  },
  {
    id: 'PG-29',
    fault: 'the id is a char(250): trailing spaces are nothing',
    // The server pads every id that it answers, and converts it wherever it is compared.
    breaks: [
      ...blindStart,
      'STORE-3',
      'TOKEN-2',
      'SNAP-2',
      'COUNT-1',
      'COST-3',
      'WALK-1',
      'WALK-3',
      'WALK-4',
      'WALK-5',
      'WALK-6',
    ],
    schemaParts: table((sql) => sql.replace('id text', 'id char(250)')),
  },
  {
    id: 'PG-30',
    fault: 'the id has a collation that takes upper and lower case for one',
    // A write of an id that does not stand succeeds, on another's row: at a boundary's time it does not appear.
    breaks: [...blindStart, 'STORE-3', 'SNAP-2', 'COUNT-1', 'WALK-3', 'WALK-7'],
    schemaParts: table(
      (sql, schema) =>
        `CREATE COLLATION ${quoteIdentifier(schema)}.folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false); ${sql.replace('id text', `id text COLLATE ${quoteIdentifier(schema)}.folded`)}`,
    ),
  },
];

export const migrationFaults: readonly PostgresFault[] = [
  {
    id: 'MIG-01',
    fault: 'the ordering indexes lack COLLATE "C"',
    breaks: ['COST-3', 'SCHEMA-1'],
    schemaParts: indexed(({ name, key }) => ({ name, key: key.replace(' COLLATE "C"', '') })),
  },
  {
    id: 'MIG-02',
    fault: 'the id ascends in the ordering indexes',
    breaks: ['COST-3', 'SCHEMA-1'],
    schemaParts: indexed(({ name, key }) => ({ name, key: key.replace('"C" DESC', '"C" ASC') })),
  },
  {
    id: 'MIG-04',
    fault: 'the index of contexts is on the context alone',
    breaks: ['COST-3', 'SCHEMA-1'],
    schemaParts: indexed(({ name, key }) => ({ name, key: name.includes('context') ? '(context_id)' : key })),
  },
  {
    id: 'MIG-05',
    fault: 'the default stays now()',
    breaks: ['SCHEMA-1'],
    prepare: olderRelease('release-0.5'),
    schemaParts: { setDefault: () => 'SELECT 1' },
  },
  {
    id: 'MIG-07',
    fault: 'the migration sets the time from the status time',
    breaks: ['SCHEMA-3'],
    prepare: olderRelease('release-0.5'),
    schemaParts: {
      setDefault: (schema) =>
        `${schemaParts.setDefault(schema)}; UPDATE ${quoteIdentifier(schema)}.a2a_tasks SET updated_at = to_timestamp(status_seconds) WHERE status_seconds IS NOT NULL`,
    },
  },
  {
    id: 'MIG-08',
    fault: 'a table that stands is left as it is',
    // Whatever type its column has.
    breaks: ['SCHEMA-1', 'SCHEMA-4', 'COST-3'],
    prepare: olderRelease('release-0.5'),
    schemaParts: blind,
  },
  {
    id: 'MIG-09',
    fault: 'an index that has the name is taken for the right one',
    breaks: ['SCHEMA-1', 'SCHEMA-2', 'COST-3'],
    prepare: olderRelease('release-0.5'),
    schemaParts: {
      problems: (found) =>
        schemaParts.problems(found).filter(({ repair, found }) => repair !== 'index' || found === 'none'),
    },
  },
  {
    id: 'MIG-11',
    fault: 'the time has no zone',
    // Each time that it shows is off by the session's zone, and so is each boundary. A startup that finds nothing wrong
    // in its own table finds nothing wrong in an older one.
    breaks: [
      ...blindStart,
      'SNAP-2',
      'STORE-3',
      'TOKEN-1',
      'TOKEN-5',
      'WALK-1',
      'WALK-2',
      'WALK-5',
      'WALK-6',
      'WALK-7',
    ],
    schemaParts: table((sql) => sql.replace('timestamp with time zone', 'timestamp')),
  },
  {
    id: 'MIG-12',
    fault: 'the time is kept in milliseconds',
    // The last microseconds of all round to a time beyond every cursor.
    // A startup that finds nothing wrong in its own table finds nothing wrong in an older one.
    breaks: [
      'SCHEMA-1',
      'SCHEMA-4',
      'TIME-2',
      'TIME-1',
      'ORDER-1',
      'WALK-3',
      'TOKEN-1',
      'TOKEN-2',
      'STORE-3',
      'SNAP-2',
      'COUNT-1',
    ],
    schemaParts: table((sql) => sql.replace('timestamp with time zone', 'timestamp(3) with time zone')),
  },
  {
    id: 'MIG-14',
    fault: 'starters do not wait for each other',
    breaks: ['SCHEMA-1'],
    schemaParts: { lock: 'SELECT 1' },
  },
  {
    id: 'MIG-15',
    fault: 'a trigger of an older release sets now()',
    breaks: ['SCHEMA-4', 'TIME-2', 'WALK-1', 'TOKEN-5'],
    prepare: olderRelease('time-trigger'),
    schemaParts: { problems: (found) => schemaParts.problems({ ...found, triggers: [] }) },
  },
  {
    id: 'MIG-16',
    fault: 'the ordering indexes hold only some of the rows',
    breaks: ['COST-3', 'SCHEMA-1'],
    schemaParts: indexed(({ name, key }) => ({ name, key: `${key} WHERE status_state <> 5` })),
  },
  {
    id: 'MIG-71',
    fault: 'a missing index of contexts is not told to those who manage their schema',
    breaks: ['SCHEMA-2'],
    schemaParts: {
      told: (found) => schemaParts.told(found).filter(({ piece }) => !piece.includes('context')),
    },
  },
  {
    id: 'MIG-72',
    fault: 'a startup overlooks a trigger that sets the time',
    breaks: ['SCHEMA-4'],
    schemaParts: { problems: (found) => schemaParts.problems({ ...found, triggers: [] }) },
  },
];
