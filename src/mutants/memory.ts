/** The mutants of the in-memory store: rows MEM of the catalogue, and the rows COST that such a store can show. */
import { createMemorySubject } from '../subject/memory.ts';
import { loneMemoryFaults } from './lone-memory-faults.ts';
import { memoryCostFaults } from './memory-cost-faults.ts';
import type { MemoryFault } from './memory-fault.ts';
import { memoryOrderFaults } from './memory-order-faults.ts';
import { memoryPageFaults } from './memory-page-faults.ts';
import { memoryStateFaults } from './memory-state-faults.ts';
import { memoryTimeFaults } from './memory-time-faults.ts';
import type { Mutant } from './mutant.ts';

function mutantOf(area: Mutant['area']): (fault: MemoryFault) => Mutant {
  return ({ store, ...row }) => ({
    ...row,
    area,
    subject: () => createMemorySubject({ name: row.id, newStore: store }),
  });
}

const inStore = [
  ...memoryOrderFaults,
  ...memoryPageFaults,
  ...memoryStateFaults,
  ...memoryTimeFaults,
  ...loneMemoryFaults,
];

/** Every mutant of the in-memory store, in the order of its row. */
export const memoryMutants: readonly Mutant[] = [
  ...inStore.map(mutantOf('memory')),
  ...memoryCostFaults.map(mutantOf('cost')),
].sort((a, b) => (a.id < b.id ? -1 : 1));
