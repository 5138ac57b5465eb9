/** Every check of sequential histories. A new rule is one entry here and one in `spec/contract.ts`. */
import { acknowledged } from './acknowledged.ts';
import { badTokens } from './bad-tokens.ts';
import { boundaries } from './boundaries.ts';
import type { Check } from './check.ts';
import { cost } from './cost.ts';
import { counts } from './counts.ts';
import { filters } from './filters.ts';
import { legacy } from './legacy.ts';
import { order } from './order.ts';
import { pageShape } from './page-shape.ts';
import { rejections } from './rejections.ts';
import { times } from './times.ts';
import { tokens } from './tokens.ts';
import { walkShape } from './walk-shape.ts';
import { walks } from './walks.ts';

export const sequentialChecks: readonly Check[] = [
  times,
  rejections,
  order,
  legacy,
  walks,
  walkShape,
  tokens,
  boundaries,
  badTokens,
  counts,
  filters,
  acknowledged,
  pageShape,
];

/** The checks of programs that only measure: thousands of tasks, counters, nothing else worth its time. */
export const costChecks: readonly Check[] = [cost, counts];
