/** SCHEMA-1 to SCHEMA-4: what stands after stores started, against what stood before and what the shipped SQL makes. */
import type { ColumnSight, IndexSight, StartOutcome, StartSight, TableSight } from '../history/database.ts';
import type { Entry } from '../history/history.ts';
import type { Check } from './check.ts';
import { Tally } from './tally.ts';
import { finding } from './witness.ts';
import type { World } from './world.ts';

/** One piece that is missing or different, by the words of which a message must hold one. */
interface Deviation {
  readonly names: readonly string[];
  readonly what: string;
  /** A start mends it without touching a row: a default, an index, NOT NULL where no row lacks the value. */
  readonly mendable: boolean;
  /** It keeps writers from advancing the time (SCHEMA-4). */
  readonly ofTime: boolean;
}

/** The ordering indexes: their names, and their keys read forwards and backwards (seed). */
const orderings: readonly (readonly [name: string, forwards: string, backwards: string])[] = [
  ['idx_a2a_tasks_updated', 'updated_at DESC, id COLLATE C DESC', 'updated_at, id COLLATE C'],
  [
    'idx_a2a_tasks_context_updated',
    'context_id, updated_at DESC, id COLLATE C DESC',
    'context_id DESC, updated_at, id COLLATE C',
  ],
];

/** Judges every start of a history. Linear in rows, columns and indexes. */
export const schema: Check = {
  rules: ['SCHEMA-1', 'SCHEMA-2', 'SCHEMA-3', 'SCHEMA-4'],
  judge(world) {
    const tally = new Tally();
    for (const entry of world.entries) {
      if (entry.operation.op !== 'database' || entry.operation.do.act !== 'start') continue;
      if (entry.result.kind !== 'database' || entry.result.sight.seen !== 'start') continue;
      const { mode, apply } = entry.operation.do;
      const { sight } = entry.result;
      const judged = { world, entry, sight, tally };
      judgeTimes(judged);
      if (mode === 'managed') judgeManaged(judged);
      else judgeExternal(judged, apply !== undefined);
    }
    return tally.reports();
  },
};

interface Judged {
  readonly world: World;
  readonly entry: Entry;
  readonly sight: StartSight;
  readonly tally: Tally;
}

/** SCHEMA-3: each row comes out with the time that it went in with. */
function judgeTimes(judged: Judged): void {
  const { sight, tally } = judged;
  for (const row of sight.before?.rows ?? []) {
    tally.witness('SCHEMA-3');
    const after = sight.after?.rows.find(({ id }) => id === row.id);
    if (after?.micros === row.micros && after !== undefined) continue;
    const now = after === undefined ? 'is gone' : `has the time ${after.micros ?? 'none'}`;
    fail(judged, 'SCHEMA-3', `the row "${row.id}" went in with ${row.micros ?? 'no time'} and ${now} afterwards`, [
      'a migration keeps every row and its updated_at',
    ]);
  }
}

/** A start of a store that manages its schema mends what it can, or refuses and names what it can't. */
function judgeManaged(judged: Judged): void {
  const { sight, tally } = judged;
  const all = [...sight.starts, sight.again];
  const beyond = deviationsOf(sight.before, sight.reference).filter(({ mendable }) => !mendable);
  if (sight.before !== undefined && beyond.length > 0) {
    for (const outcome of all) {
      for (const deviation of beyond) judgeRefusal(judged, outcome, deviation, ruleOf(deviation, 'SCHEMA-1'));
    }
    return;
  }
  for (const outcome of all) {
    tally.witness('SCHEMA-1');
    if (!outcome.started)
      fail(judged, 'SCHEMA-1', `a store does not start: ${outcome.message}`, [
        'startup makes or mends the schema, also again and by many at once',
      ]);
  }
  if (!sight.again.started) return;
  const left = deviationsOf(sight.after, sight.reference);
  tally.witness('SCHEMA-4');
  for (const deviation of left) {
    fail(judged, ruleOf(deviation, 'SCHEMA-1'), `a store has started, and ${deviation.what}`, [
      'startup leaves the column, its default and both ordering indexes in place, by definition and validity',
    ]);
  }
  if (sight.serves === false)
    fail(judged, 'SCHEMA-1', 'a task that the started store creates does not stand in the table of its schema', [
      'the store works in the schema that it was told',
    ]);
}

/** A store that was told to leave the schema alone names what is missing, nothing else, and touches nothing. */
function judgeExternal(judged: Judged, isShipped: boolean): void {
  const { sight, tally } = judged;
  const { before, reference } = sight;
  const deviations = deviationsOf(before, reference);
  tally.witness('SCHEMA-2');
  if (JSON.stringify(before) !== JSON.stringify(sight.after))
    fail(judged, 'SCHEMA-2', 'a store that was told to leave its schema alone has changed it', [
      'it looks, names what is missing and touches nothing',
    ]);
  if (isShipped) {
    for (const { what, mendable } of deviations.filter((one) => one.mendable)) {
      if (mendable) fail(judged, 'SCHEMA-2', `the shipped SQL was applied, and ${what}`, ['it is what a start does']);
    }
  }
  for (const outcome of [...sight.starts, sight.again]) {
    for (const deviation of deviations) judgeRefusal(judged, outcome, deviation, ruleOf(deviation, 'SCHEMA-2'));
    judgeNaming(judged, outcome, deviations);
  }
}

/** The start refuses, and names this piece. */
function judgeRefusal(judged: Judged, outcome: StartOutcome, deviation: Deviation, rule: string): void {
  judged.tally.witness(rule);
  if (outcome.started) {
    fail(judged, rule, `a store starts although ${deviation.what}`, ['it says so and does not start']);
  } else if (!deviation.names.some((name) => outcome.message?.includes(name) === true)) {
    fail(judged, rule, `a store refuses to start and does not say that ${deviation.what}: ${outcome.message}`, [
      'it names each missing or different piece',
    ]);
  }
}

/** SCHEMA-2: nothing is named that is as it has to be. */
function judgeNaming(judged: Judged, outcome: StartOutcome, deviations: readonly Deviation[]): void {
  judged.tally.witness('SCHEMA-2');
  if (!outcome.started && deviations.length === 0)
    fail(judged, 'SCHEMA-2', `a store does not start on a schema that lacks nothing: ${outcome.message}`, [
      'the shipped SQL makes what it needs',
    ]);
  for (const piece of outcome.pieces ?? []) {
    const about = piece.split(':')[0] ?? '';
    if (deviations.length === 0 || deviations.some(({ names }) => names.some((name) => about.includes(name)))) continue;
    fail(judged, 'SCHEMA-2', `a store names "${piece}"`, ['it names what is missing or different, and nothing else']);
  }
}

function ruleOf({ ofTime }: Deviation, otherwise: string): string {
  return ofTime ? 'SCHEMA-4' : otherwise;
}

/** What of a table is missing or different, against the table that the shipped SQL makes. */
function deviationsOf(table: TableSight | undefined, reference: TableSight): Deviation[] {
  const ofAll = { names: ['a2a_tasks'], mendable: false, ofTime: false };
  if (table === undefined) return [{ ...ofAll, what: 'there is no table', mendable: true }];
  if (table.kind !== 'table') return [{ ...ofAll, what: `the table is a ${table.kind}` }];
  const columns = reference.columns.flatMap((column) => columnDeviations(column, table));
  const hasKey = table.indexes.some(
    ({ unique, valid, partial, keys }) => unique && valid && !partial && keys.length === 1 && /^id\b/.test(keys[0]!),
  );
  return [
    ...columns,
    ...(hasKey
      ? []
      : [{ names: ['key', 'column id'], what: 'no key is on the id alone', mendable: false, ofTime: false }]),
    ...orderings.flatMap(([name, forwards, backwards]): Deviation[] =>
      table.indexes.some((index) => serves(index, forwards, backwards))
        ? []
        : [{ names: [name], what: `no valid index is on (${forwards})`, mendable: true, ofTime: false }],
    ),
    ...table.triggers.map((name) => ({
      names: [name],
      what: `the trigger or rule ${name} sets the time`,
      mendable: false,
      ofTime: true,
    })),
  ];
}

function columnDeviations(wanted: ColumnSight, table: TableSight): Deviation[] {
  const names = [`column ${wanted.name}`];
  const isTime = wanted.name === 'updated_at';
  const found = table.columns.find(({ name }) => name === wanted.name);
  const different = (what: string, mendable = false): Deviation => ({
    names: isTime ? [...names, 'rows'] : names,
    what: `the column ${wanted.name} ${what}`,
    mendable,
    ofTime: isTime && !mendable,
  });
  if (found === undefined) return [{ ...different('is missing'), ofTime: false }];
  const deviations: Deviation[] = [];
  if (found.type !== wanted.type) deviations.push(different(`is of type ${found.type}, not ${wanted.type}`));
  if (found.generated) deviations.push(different('is generated'));
  if (!found.deterministic) deviations.push(different('takes different texts for one'));
  if (wanted.notNull && !found.notNull) {
    const lacks = isTime && table.rows.some(({ micros }) => micros === undefined);
    deviations.push(different(lacks ? 'is NULL in a row' : 'may be NULL', !lacks));
  }
  if (isTime && !found.generated && found.default !== 'clock_timestamp()')
    deviations.push(different(`has the default ${found.default ?? 'none'}, not clock_timestamp()`, true));
  return deviations;
}

function serves(index: IndexSight, forwards: string, backwards: string): boolean {
  const keys = index.keys.join(', ');
  return index.method === 'btree' && index.valid && !index.partial && (keys === forwards || keys === backwards);
}

function fail({ world, entry, tally }: Judged, rule: string, saw: string, [allowed]: readonly [string]): void {
  tally.fail(finding(world, { rule, let: [], then: [entry.index], saw, allowed }));
}
