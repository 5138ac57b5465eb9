/** What is wrong with a table: pure judgement of what the catalog says. */
import type { FoundIndex, FoundTable } from './schema-catalog.ts';
import { orderingIndexes, tableColumns } from './schema-sql.ts';

/** One piece of the schema that is missing or different. */
export interface SchemaProblem {
  /** What it is about, such as `column updated_at` or `index idx_a2a_tasks_updated`. */
  readonly piece: string;
  readonly expected: string;
  readonly found: string;
  /** How `createSchema` mends it without touching a row; absent where only its owner can. */
  readonly repair?: 'default' | 'not-null' | 'index';
}

/** Lists the problems of a table that stands, in the order table, columns, key, indexes, triggers. */
export function problemsOf(table: FoundTable): SchemaProblem[] {
  if (table.kind !== 'table') return [{ piece: 'table a2a_tasks', expected: 'a table', found: `a ${table.kind}` }];
  const problems: SchemaProblem[] = [];
  if (!table.persistent) {
    problems.push({
      piece: 'table a2a_tasks',
      expected: 'a logged table',
      found: 'an unlogged or temporary one: a crash empties it',
    });
  }
  problems.push(...columnProblems(table), ...keyProblems(table));
  for (const definition of orderingIndexes) problems.push(...indexProblems(table, definition.name, definition.key));
  for (const { name, kind } of table.triggers) {
    problems.push({
      piece: `${kind} ${name}`,
      expected: 'no trigger or rule that can set updated_at',
      found: 'one that is enabled',
    });
  }
  return problems;
}

/**
 * Tells whether an index serves as the ordering index of that name, judged by definition and validity, never by name.
 * An index whose directions are all reversed gives the same order when it is read backwards, so it serves as well.
 */
export function servesAs(index: FoundIndex, name: string): boolean {
  const columns = name === 'idx_a2a_tasks_updated' ? ['updated_at', 'id'] : ['context_id', 'updated_at', 'id'];
  if (!index.usable || index.partial || index.method !== 'btree' || index.keys.length !== columns.length) return false;
  const ordered = index.keys.slice(-2);
  const [first] = ordered;
  return index.keys.every((key, i) => {
    if (key.column !== columns[i] || !key.defaultOperators) return false;
    // Read backwards, its direction turns with the others'.
    if (key.column === 'context_id') {
      return key.ownCollation && key.descending !== first?.descending && key.nullsFirst === key.descending;
    }
    if (key.column === 'id' && key.collation !== 'C') return false;
    return key.descending === first?.descending && key.nullsFirst === key.descending;
  });
}

function columnProblems(table: FoundTable): SchemaProblem[] {
  return tableColumns.flatMap((column): SchemaProblem[] => {
    const piece = `column ${column.name}`;
    const found = table.columns.find(({ name }) => name === column.name);
    if (found === undefined) return [{ piece, expected: column.type, found: 'none' }];
    const problems: SchemaProblem[] = [];
    if (found.type !== column.type) problems.push({ piece, expected: column.type, found: found.type });
    if (found.generated) problems.push({ piece, expected: 'a column that is written', found: 'a generated one' });
    if (!found.deterministic) {
      problems.push({ piece, expected: 'a collation that keeps different texts apart', found: 'one that does not' });
    }
    if (column.notNull && !found.notNull) {
      problems.push({ piece, expected: 'NOT NULL', found: 'NULL allowed', repair: 'not-null' });
    }
    // Only this default is the contract's; the store names every other column when it writes.
    if (column.name === 'updated_at' && !found.generated && found.default !== column.default) {
      problems.push({
        piece,
        expected: `DEFAULT ${column.default}`,
        found: found.default === null ? 'no default' : `DEFAULT ${found.default}`,
        repair: 'default',
      });
    }
    return problems;
  });
}

function keyProblems(table: FoundTable): SchemaProblem[] {
  const unique = table.indexes.some(
    ({ unique, usable, partial, keys }) =>
      unique && usable && !partial && keys.length === 1 && keys[0]?.column === 'id',
  );
  return unique ? [] : [{ piece: 'key', expected: 'PRIMARY KEY (id)', found: 'no unique index on id alone' }];
}

function indexProblems(table: FoundTable, name: string, key: string): SchemaProblem[] {
  if (table.indexes.some((index) => servesAs(index, name))) return [];
  const piece = `index ${name}`;
  const namesake = table.namesakes.find((other) => other.name === name);
  if (namesake !== undefined) {
    return [{ piece, expected: key, found: `the name taken by another ${namesake.kind}` }];
  }
  const standing = table.indexes.find((index) => index.name === name);
  if (standing === undefined) return [{ piece, expected: key, found: 'none', repair: 'index' }];
  const found = standing.usable ? standing.definition : `${standing.definition}, not valid`;
  return [{ piece, expected: key, found, ...(standing.constraint ? {} : { repair: 'index' as const }) }];
}
