import { describe, expect, it } from 'vitest';
import type { ColumnSight, IndexSight, StartAct, StartOutcome, StartSight, TableSight } from '../history/database.ts';
import { judgeAct } from './database.sample.ts';
import { schema } from './schema.ts';

const column = (name: string, type = 'text', more: Partial<ColumnSight> = {}): ColumnSight => ({
  name,
  type,
  notNull: true,
  default: null,
  generated: false,
  deterministic: true,
  ...more,
});
const index = (name: string, ...keys: string[]): IndexSight => ({
  name,
  method: 'btree',
  valid: true,
  partial: false,
  unique: name === 'key',
  keys,
});
const time = (more: Partial<ColumnSight> = {}): ColumnSight =>
  column('updated_at', 'timestamp with time zone', { default: 'clock_timestamp()', ...more });
const all = index('idx_a2a_tasks_updated', 'updated_at DESC', 'id COLLATE C DESC');
const ofContext = index('idx_a2a_tasks_context_updated', 'context_id', 'updated_at DESC', 'id COLLATE C DESC');
const right: TableSight = {
  kind: 'table',
  columns: [column('id'), column('context_id'), time()],
  indexes: [index('key', 'id'), all, ofContext],
  triggers: [],
  rows: [{ id: 'a', micros: '7', version: '1 (0,1)' }],
  relations: ['a2a_tasks r 1'],
};
const older: TableSight = {
  ...right,
  columns: [column('id'), column('context_id'), time({ default: 'now()' })],
  indexes: [index('key', 'id'), index('idx_a2a_tasks_updated', 'status_seconds DESC')],
};
const started: StartOutcome = { started: true };
const refused = (...pieces: string[]): StartOutcome => ({ started: false, message: pieces.join('\n'), pieces });

const judge = (sight: Partial<StartSight>, act: Partial<StartAct> = {}) =>
  judgeAct(
    schema,
    { act: 'start', fixture: 'release-0.5', mode: 'managed', starters: 1, ...act },
    { seen: 'start', reference: right, before: older, after: right, starts: [started], again: started, ...sight },
  );
const external = (sight: Partial<StartSight>, act: Partial<StartAct> = {}) =>
  judge({ after: sight.before ?? older, ...sight }, { mode: 'external', ...act }).findings;

describe('a store that manages its schema', () => {
  it('passes where it mends an older table and leaves its rows', () => {
    expect(judge({})).toStrictEqual({
      findings: [],
      witnesses: { 'SCHEMA-1': 2, 'SCHEMA-3': 1, 'SCHEMA-4': 1 },
    });
  });

  const left: [string, TableSight, string][] = [
    [
      'no COLLATE "C"',
      { ...right, indexes: [right.indexes[0]!, index('i', 'updated_at DESC', 'id DESC'), ofContext] },
      'SCHEMA-1',
    ],
    [
      'an ascending id',
      { ...right, indexes: [right.indexes[0]!, index('i', 'updated_at DESC', 'id COLLATE C'), ofContext] },
      'SCHEMA-1',
    ],
    ['no index of contexts', { ...right, indexes: [right.indexes[0]!, all] }, 'SCHEMA-1'],
    [
      'an index that is not valid',
      { ...right, indexes: [right.indexes[0]!, { ...all, valid: false }, ofContext] },
      'SCHEMA-1',
    ],
    ['a partial index', { ...right, indexes: [right.indexes[0]!, { ...all, partial: true }, ofContext] }, 'SCHEMA-1'],
    [
      'the default now()',
      { ...right, columns: [column('id'), column('context_id'), time({ default: 'now()' })] },
      'SCHEMA-1',
    ],
    [
      'a time without zone',
      { ...right, columns: [column('id'), column('context_id'), time({ type: 'timestamp without time zone' })] },
      'SCHEMA-4',
    ],
    [
      'a time in milliseconds',
      { ...right, columns: [column('id'), column('context_id'), time({ type: 'timestamp(3) with time zone' })] },
      'SCHEMA-4',
    ],
    ['a trigger on the time', { ...right, triggers: ['touch'] }, 'SCHEMA-4'],
  ];
  it.each(left)('fails where it leaves %s', (_, after, rule) => {
    const { findings } = judge({ after });
    expect(findings.map((text) => text.slice(0, 8))).toStrictEqual([rule]);
  });

  it('may make the same indexes under other names, or read backwards', () => {
    const backwards = index('other', 'updated_at', 'id COLLATE C');
    expect(judge({ after: { ...right, indexes: [right.indexes[0]!, backwards, ofContext] } }).findings).toStrictEqual(
      [],
    );
  });

  it('fails where one of several starters does not start, or a second start does not', () => {
    const no = { started: false, message: 'relation exists' };
    expect(judge({ starts: [started, no] }).findings).toHaveLength(1);
    expect(judge({ again: no }).findings).toHaveLength(1);
  });

  it('fails where its tasks go elsewhere', () => {
    expect(judge({ serves: false }).findings).toHaveLength(1);
  });

  it('has to refuse what it can not mend, and to name it', () => {
    const before = { ...older, triggers: ['touch'] };
    const no = refused('trigger touch: expected none');
    expect(judge({ before, after: before, starts: [no], again: no }).findings).toStrictEqual([]);
    expect(judge({ before, after: before }).findings.map((text) => text.slice(0, 8))).toStrictEqual([
      'SCHEMA-4',
      'SCHEMA-4',
    ]);
    const vague = { started: false, message: 'something is wrong' };
    expect(judge({ before, after: before, starts: [vague], again: no }).findings).toHaveLength(1);
  });

  it('fails where a row loses or changes its time', () => {
    const changed = { ...right, rows: [{ id: 'a', micros: '8', version: '2 (0,2)' }] };
    expect(judge({ after: changed }).findings[0]).toMatch(/^SCHEMA-3: the row "a" went in with 7 and has the time 8/);
    expect(judge({ after: { ...right, rows: [] } }).findings[0]).toMatch(
      /^SCHEMA-3: the row "a" went in with 7 and is gone/,
    );
  });
});

describe('a store that leaves its schema to others', () => {
  const no = refused(
    'column updated_at: expected DEFAULT clock_timestamp()',
    'index idx_a2a_tasks_updated: expected another',
    'index idx_a2a_tasks_context_updated: expected one',
  );

  it('passes where it names what is missing and touches nothing', () => {
    expect(external({ starts: [no], again: no })).toStrictEqual([]);
    expect(external({ before: right }, { fixture: 'nothing', apply: 'create' })).toStrictEqual([]);
  });

  it('fails where it starts on what lacks something, or leaves something unnamed', () => {
    expect(external({ starts: [started], again: no })).not.toStrictEqual([]);
    const short = refused(...(no.pieces ?? []).slice(0, 2));
    expect(external({ starts: [short], again: no })).toStrictEqual([
      expect.stringMatching(/^SCHEMA-2: .* does not say that no valid index is on \(context_id, /),
    ]);
  });

  it('fails where it names what is right, or refuses what lacks nothing', () => {
    const more = refused(...(no.pieces ?? []), 'column id: expected another');
    expect(external({ starts: [more], again: no })).toStrictEqual([
      'SCHEMA-2: a store names "column id: expected another"',
    ]);
    expect(external({ before: right, starts: [refused('index idx_a2a_tasks_updated: expected one')] })).toHaveLength(1);
  });

  it('fails where it changes anything, be it a row that only gets another version', () => {
    const written = { ...older, rows: [{ ...older.rows[0]!, version: '2 (0,2)' }] };
    expect(external({ after: written, starts: [no], again: no })).toHaveLength(1);
  });

  it('holds the shipped SQL to what a start does', () => {
    expect(external({ starts: [no], again: no }, { apply: 'migrate' }).length).toBeGreaterThan(0);
  });
});
