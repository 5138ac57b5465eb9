/** The mutants of the PostgreSQL store and its schema: rows PG and MIG, and the rows COST and RACE that are SQL. */
import { migrationFaults, tableFaults } from './migration-faults.ts';
import type { Mutant } from './mutant.ts';
import { type PostgresFault, postgresMutants, rightPostgres } from './postgres-fault.ts';
import { postgresOrderFaults } from './postgres-order-faults.ts';
import { overlapMutants } from './postgres-overlaps.ts';
import { postgresPageFaults } from './postgres-page-faults.ts';
import { postgresRaceFaults } from './postgres-race-faults.ts';
import { postgresTimeFaults } from './postgres-time-faults.ts';
import { postgresWriteFaults } from './postgres-write-faults.ts';

const faults = [
  ...postgresTimeFaults,
  ...postgresOrderFaults,
  ...postgresPageFaults,
  ...postgresWriteFaults,
  ...postgresRaceFaults,
  ...tableFaults,
];

const areas: readonly (readonly [Mutant['area'], readonly PostgresFault[]])[] = [
  ['postgres', faults.filter(({ id }) => id.startsWith('PG-'))],
  ['cost', faults.filter(({ id }) => id.startsWith('COST-'))],
  ['race', faults.filter(({ id }) => id.startsWith('RACE-'))],
  ['migration', migrationFaults],
];

/** Every mutant that needs a PostgreSQL server, in the order of its row. */
export const postgresFamily: readonly Mutant[] = [
  ...areas.flatMap(([area, rows]) => postgresMutants(area, rows)),
  ...overlapMutants(rightPostgres),
].sort((a, b) => (a.id < b.id ? -1 : 1));
