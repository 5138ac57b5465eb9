/**
 * The mutants of the dispatcher: rows AUTH of the catalogue, and the rows TOK, RACE and COST that need callers. AUTH-37
 * and AUTH-38 stand for tenants: a dispatcher knows callers and contexts alone. AUTH-51 to AUTH-54, and those
 * from AUTH-71 on, are of our own making.
 */
import { authorizationReadFaults } from './authorization-read-faults.ts';
import { authorizationScanFaults } from './authorization-scan-faults.ts';
import { authorizationTokenFaults } from './authorization-token-faults.ts';
import { dispatcherMutant } from './dispatcher-fault.ts';
import { loneAuthorizationFaults } from './lone-authorization-faults.ts';
import type { Mutant } from './mutant.ts';

/** Every mutant of the dispatcher, in the order of its row. */
export const authorizationMutants: readonly Mutant[] = [
  ...authorizationScanFaults,
  ...authorizationReadFaults,
  ...authorizationTokenFaults,
  ...loneAuthorizationFaults,
]
  .map(dispatcherMutant)
  .sort((a, b) => (a.id < b.id ? -1 : 1));
