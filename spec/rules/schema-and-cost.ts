/** SCHEMA, COST, LEGACY: what PostgreSQL is set up with, what a page costs, and what the older release did. */
import type { Rule } from '../rule.ts';
import { COSTS, OPENING, OWN } from './source.ts';

export const schemaRules: readonly Rule[] = [
  {
    id: 'SCHEMA-1',
    title: 'a managed schema is installed at startup',
    level: 'M',
    scope: ['P'],
    basis: 'seed',
    basisNote: 'racing starters, judging by definition: ours',
    words:
      'Where the store manages its schema, startup leaves the column default and both ordering indexes in place ' +
      'whichever older release it finds. Existing objects are judged by definition and validity, not by name; running ' +
      'it again, or many at once, does no harm.',
    source: COSTS,
    concurrent: false,
  },
  {
    id: 'SCHEMA-2',
    title: 'an external schema is checked, not touched',
    level: 'M',
    scope: ['P'],
    basis: 'seed',
    basisNote: 'the check: ours',
    words:
      'The equivalent SQL ships as a file for schemas that others manage. Started on one that lacks it, the store names ' +
      'exactly what is missing and alters nothing.',
    source: COSTS,
    concurrent: false,
  },
  {
    id: 'SCHEMA-3',
    title: 'a migration invents no times',
    level: 'M',
    scope: ['P'],
    basis: 'seed',
    words: 'Every row comes out of a migration with the `updated_at` that it went in with.',
    source: COSTS,
    concurrent: false,
  },
  {
    id: 'SCHEMA-4',
    title: 'every writer advances updated_at',
    level: 'M',
    scope: ['P'],
    basis: 'seed',
    words:
      'Whoever writes a task moves its `updated_at` forward. The schema check names each trigger, default or column ' +
      'type that would make this impossible.',
    source: COSTS,
    concurrent: false,
  },
];

export const costRules: readonly Rule[] = [
  {
    id: 'COST-1',
    title: 'an in-memory write costs O(log n)',
    level: 'M',
    scope: ['I'],
    basis: 'seed',
    words: 'The work of one write into the in-memory store grows with the logarithm of the number of tasks.',
    source: COSTS,
    concurrent: false,
  },
  {
    id: 'COST-2',
    title: 'an in-memory page visits its own entries',
    level: 'M',
    scope: ['I'],
    basis: 'seed',
    words:
      'Without filters a page finds its start in O(log n) and visits page size + 1 entries at most, however deep it ' +
      'lies. An exact count under filters may visit all.',
    source: COSTS,
    concurrent: false,
  },
  {
    id: 'COST-3',
    title: 'a PostgreSQL page is one short range scan',
    level: 'M',
    scope: ['P'],
    basis: 'seed',
    words:
      'Without totals, and with no filter but the context, a page reads page size + 1 rows at most from one range scan ' +
      'of the matching index: the row comparison is the index condition, nothing is sorted, no row is discarded. This ' +
      'holds at any depth and among any ties, from 10,000 tasks up, on a vacuumed table without older snapshots. ' +
      'Filters stand before the cursor predicate and LIMIT is bounded; other filters are only reported.',
    source: COSTS,
    concurrent: false,
  },
  {
    id: 'COST-4',
    title: "an external store's page does not grow with depth",
    level: 'S',
    scope: ['X'],
    basis: 'ours',
    words:
      'With totals off, a deep page costs no more than a first one, and growth with the number of tasks stays within ' +
      'its logarithm. Where a total is always computed only the depth is judged; where noise forbids a verdict there is ' +
      'none.',
    source: OWN,
    concurrent: false,
  },
];

export const legacyRules: readonly Rule[] = [
  {
    id: 'LEGACY-1',
    title: 'the older release lists by creation',
    level: 'M',
    scope: ['I'],
    basis: 'seed',
    basisNote: 'judged under profile 0.5.2 only',
    words: 'Release 0.5.2 lists tasks in the order of their creation and pages with numeric offsets.',
    source: OPENING,
    concurrent: false,
  },
];
