import { describe, expect, it } from 'vitest';
import { ruleById } from '../../spec/contract.ts';
import { postgresParts } from '../store/postgres-parts.ts';
import { createStatements, type ListShape, type Statements } from '../store/postgres-statements.ts';
import { wholeTask } from '../store/task-copy.ts';
import { migrationFaults, tableFaults } from './migration-faults.ts';
import { postgresFamily } from './postgres.ts';
import { postgresOrderFaults } from './postgres-order-faults.ts';
import { postgresPageFaults } from './postgres-page-faults.ts';
import { postgresRaceFaults } from './postgres-race-faults.ts';
import { postgresTimeFaults } from './postgres-time-faults.ts';
import { postgresWriteFaults } from './postgres-write-faults.ts';
import { raceStoreFaults } from './race-store-faults.ts';

const storeFaults = [
  ...postgresTimeFaults,
  ...postgresOrderFaults,
  ...postgresPageFaults,
  ...postgresWriteFaults,
  ...postgresRaceFaults,
];
const faults = [...storeFaults, ...tableFaults, ...migrationFaults];

const shapes: ListShape[] = [
  { context: 'any', status: false, since: false, boundary: false },
  { context: 'one', status: true, since: true, boundary: true },
  { context: 'several', status: false, since: false, boundary: true },
];

/** Every text that a store may send. */
function textsOf(statements: Statements): string[] {
  const { create, replace, replaceIfRevision, append, cancel } = statements;
  const lists = shapes.flatMap((shape) => [statements.count(shape), statements.page(shape, wholeTask)]);
  return [
    create,
    replace,
    replaceIfRevision,
    append,
    cancel,
    statements.delete,
    statements.get(wholeTask),
    ...lists,
  ].map(({ text }) => text);
}

describe('the mutants of PostgreSQL', () => {
  it('are the rows of the catalogue, each once', () => {
    const ids = postgresFamily.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const overlaps = raceStoreFaults.map(({ id }) => `${id}-postgres`);
    expect([...ids].sort()).toStrictEqual([...faults.map(({ id }) => id), ...overlaps].sort());
    for (const { id, breaks } of postgresFamily) {
      expect(breaks.length, id).toBeGreaterThan(0);
      for (const rule of breaks) expect(ruleById(rule)?.id, `${id}: ${rule}`).toBe(rule);
    }
  });

  it.each(storeFaults.filter(({ parts }) => parts !== undefined))(
    '$id differs from the right store',
    ({ parts = {} }) => {
      const right = textsOf(createStatements('s', postgresParts));
      const faulty = textsOf(createStatements('s', { ...postgresParts, ...parts }));
      const other = ['tokens', 'boundary', 'lookAhead', 'begin', 'commit'].some((piece) => piece in parts);
      expect(other || faulty.some((text, i) => text !== right[i])).toBe(true);
      // One fault: whatever a mutant does to lists, it writes as the right store does, and the other way round.
      expect(
        faulty.slice(0, 7).join() === right.slice(0, 7).join() ||
          faulty.slice(7).join() === right.slice(7).join() ||
          'table' in parts,
      ).toBe(true);
    },
  );
});
