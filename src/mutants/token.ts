/**
 * The mutants of the page token: rows TOK of the catalogue that an in-memory store can show. Rows 40, 42, 43, 44 and
 * 53 need callers, a scope or filters that a token carries between them: they belong to the dispatcher's catalogue.
 */

import { memoryWithMethods, memoryWithParts } from './faulty-memory.ts';
import { loneTokenFaults } from './lone-token-faults.ts';
import type { Mutant } from './mutant.ts';
import { tokenBoundaryFaults } from './token-boundary-faults.ts';
import { tokenIdFaults } from './token-id-faults.ts';
import { tokenSpellingFaults } from './token-spelling-faults.ts';
import { tokenTimeFaults } from './token-time-faults.ts';
import { tokenUseFaults } from './token-use-faults.ts';

const inCodec: readonly Mutant[] = [
  ...tokenIdFaults,
  ...tokenSpellingFaults,
  ...tokenTimeFaults,
  ...loneTokenFaults,
].map(({ codec, ...row }) => ({ ...row, area: 'token', subject: () => memoryWithParts(row.id, { codec }) }));

const inBoundary: readonly Mutant[] = tokenBoundaryFaults.map(({ parts, ...row }) => ({
  ...row,
  area: 'token',
  subject: () => memoryWithParts(row.id, parts),
}));

const inUse: readonly Mutant[] = tokenUseFaults.map(({ use, ...row }) => ({
  ...row,
  area: 'token',
  subject: () => memoryWithMethods(row.id, use),
}));

/** Every token mutant, in the order of its row. */
export const tokenMutants: readonly Mutant[] = [...inCodec, ...inBoundary, ...inUse].sort((a, b) =>
  a.id < b.id ? -1 : 1,
);
