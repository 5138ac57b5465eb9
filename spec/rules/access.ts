/** AUTH: what the dispatcher lets a caller see, and what it never tells. */
import type { Rule } from '../rule.ts';
import { CONSISTENCY, COSTS, OWN } from './source.ts';

export const accessRules: readonly Rule[] = [
  {
    id: 'AUTH-1',
    title: 'a scope only narrows',
    level: 'M',
    scope: ['D'],
    basis: 'seed',
    words: 'ScopeTaskList can take tasks out of what the store is asked for, never add any. An empty scope is no task.',
    source: CONSISTENCY,
    concurrent: false,
  },
  {
    id: 'AUTH-2',
    title: 'access is asked before counting',
    level: 'M',
    scope: ['D'],
    basis: 'seed',
    words: 'A task is neither counted nor chosen for a page before CanAccessTask has agreed.',
    source: CONSISTENCY,
    concurrent: false,
  },
  {
    id: 'AUTH-3',
    title: 'chosen tasks are read and checked again',
    level: 'M',
    scope: ['D'],
    basis: 'seed',
    words:
      'Before projection each chosen task is read anew and access is asked anew. The contents are those of that read; ' +
      'key, filter match and token stay those of the selection.',
    source: CONSISTENCY,
    concurrent: false,
  },
  {
    id: 'AUTH-4',
    title: 'a late revocation is a not-found',
    level: 'M',
    scope: ['D'],
    basis: 'seed',
    words:
      'Where that second read finds a chosen task revoked or deleted, the call fails with the very error that an ' +
      'inaccessible task gives, apart from what the caller itself sent.',
    source: CONSISTENCY,
    concurrent: false,
  },
  {
    id: 'AUTH-5',
    title: 'in doubt, no data',
    level: 'M',
    scope: ['D', 'X'],
    basis: 'seed',
    basisNote: 'all but a missing boundary: ours',
    words:
      'A boundary that is missing, misaligned, repeated or out of order, or a policy that throws, rejects, is late or ' +
      'answers no boolean, ends the call with an error that holds neither data nor detail.',
    source: COSTS,
    concurrent: false,
  },
  {
    id: 'AUTH-6',
    title: 'scans are bounded',
    level: 'M',
    scope: ['D'],
    basis: 'seed',
    words:
      "A scan asks for batches of 100 tasks at most, holds one batch and one page's ids however large the store is, " +
      'and has the store skip its own count.',
    source: COSTS,
    concurrent: false,
  },
  {
    id: 'AUTH-7',
    title: 'full responses for chosen ids only',
    level: 'M',
    scope: ['D'],
    basis: 'seed',
    words:
      'The full projection of a response is loaded for the chosen ids alone. What the scan loads follows the policy: ' +
      'lightweight only if the policy asks for it, so a complex policy may cost a full decode of all matching tasks.',
    source: COSTS,
    concurrent: false,
  },
  {
    id: 'AUTH-8',
    title: 'hidden tasks do not interfere',
    level: 'M',
    scope: ['D', 'W'],
    basis: 'ours',
    words:
      'Two stores that differ in nothing but tasks hidden from a caller give that caller equal tasks, order, totals, ' +
      'errors and tokens. Tokens are compared byte by byte where both worlds gave the visible tasks equal keys, else by ' +
      'the pages they lead to. Not judged: timing, a policy that throws on a hidden task, a create of a hidden id.',
    source: OWN,
    concurrent: false,
  },
  {
    id: 'AUTH-9',
    title: 'inaccessible is missing',
    level: 'M',
    scope: ['D', 'W'],
    basis: 'A2A',
    words:
      'To get, cancel, continue, or configure notifications for, a task that one may not access answers as for a task ' +
      'that does not exist, apart from what the caller itself sent.',
    source: 'A2A 1.0 §3.3.2 (Error Handling) and §13.1 (Data Access and Authorization Scoping)',
    concurrent: false,
  },
];
