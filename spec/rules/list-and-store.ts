/** COUNT, FILTER and STORE: totals, filters, and what a store owes its callers. */
import type { Rule } from '../rule.ts';
import { A2A_LIST, CONSISTENCY, COSTS, OWN } from './source.ts';

export const countAndFilterRules: readonly Rule[] = [
  {
    id: 'COUNT-1',
    title: 'totals count the visible, matching tasks',
    level: 'M',
    scope: ['I', 'P', 'D', 'W', 'X'],
    basis: 'seed',
    words:
      "A store's total is the number of visible, matching tasks in one state, wherever the boundary is. A dispatcher's " +
      'total counts what its scan was allowed to see: exact while nothing changes, else no less than the tasks that ' +
      'were there throughout and no more than those that were there at some instant. Inaccessible tasks never count.',
    source: CONSISTENCY,
    concurrent: false,
  },
  {
    id: 'COUNT-2',
    title: 'the count can be switched off',
    level: 'M',
    shouldIn: ['X'],
    scope: ['I', 'P', 'X'],
    basis: 'seed',
    words: 'With `include_total_size = false` a store does not count.',
    source: COSTS,
    concurrent: false,
  },
  {
    id: 'FILTER-1',
    title: 'filters select exactly and combine',
    level: 'M',
    scope: ['I', 'P', 'D', 'W', 'X'],
    basis: 'A2A',
    words:
      'Context, status and `statusTimestampAfter` (that instant or later) each select exactly what they say, and ' +
      'together what all of them say. The unspecified status filters nothing.',
    source: A2A_LIST,
    concurrent: false,
  },
];

export const storeRules: readonly Rule[] = [
  {
    id: 'STORE-1',
    title: 'task cursors are aligned with the tasks',
    level: 'M',
    scope: ['X'],
    basis: 'seed',
    basisNote: 'asked of a store that a dispatcher stands on',
    words:
      'Beside its tasks a page carries `task_cursors`: at each position the storage time and the id of the task there, ' +
      'in list order.',
    source: COSTS,
    concurrent: false,
  },
  {
    id: 'STORE-2',
    title: "stored tasks are out of the caller's reach",
    level: 'M',
    shouldIn: ['X'],
    scope: ['I', 'P', 'X'],
    basis: 'ours',
    words: 'Changing an object that was passed to the store, or that it returned, changes nothing that is stored.',
    source: OWN,
    concurrent: false,
  },
  {
    id: 'STORE-3',
    title: 'distinct ids are distinct tasks',
    level: 'M',
    shouldIn: ['X'],
    scope: ['I', 'P', 'X'],
    basis: 'ours',
    words:
      'No operation confuses two ids: `__proto__`, letter case, normal forms, a trailing space, NUL, prefixes. An id ' +
      'that a store cannot keep is refused at the door as an invalid argument: an ill-formed string anywhere; in ' +
      'PostgreSQL also NUL, and more than 1,000 bytes of id or context id, since an index entry ends at 2,704.',
    source: OWN,
    concurrent: false,
  },
];
