/** Every check of sequential histories. A new rule is one entry here and one in `spec/contract.ts`. */
import { acknowledged } from './acknowledged.ts';
import { authorization } from './authorization.ts';
import { badTokens } from './bad-tokens.ts';
import { boundaries } from './boundaries.ts';
import type { Check } from './check.ts';
import { cost } from './cost.ts';
import { counts } from './counts.ts';
import { failClosed } from './fail-closed.ts';
import { filters } from './filters.ts';
import { heldRows } from './held-rows.ts';
import { hiddenTasks } from './hidden-tasks.ts';
import { legacy } from './legacy.ts';
import { order } from './order.ts';
import { pageShape } from './page-shape.ts';
import { plans } from './plans.ts';
import { pushConfigs } from './push-configs.ts';
import { rawAnswers } from './raw-answers.ts';
import { rejections } from './rejections.ts';
import { scanBounds } from './scan-bounds.ts';
import { schema } from './schema.ts';
import { scopes } from './scopes.ts';
import { times } from './times.ts';
import { tokens } from './tokens.ts';
import { transports } from './transports.ts';
import { underway } from './underway.ts';
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
  hiddenTasks,
  scopes,
  authorization,
  scanBounds,
  transports,
  rawAnswers,
  pushConfigs,
];

/** The checks of programs that only measure: thousands of tasks, counters, nothing else worth its time. */
export const costChecks: readonly Check[] = [cost, counts];

/** The checks of programs that meddle beneath a dispatcher: what they disturb, no other check could judge. */
export const probeChecks: readonly Check[] = [failClosed, authorization, underway, rawAnswers];

/** The checks of programs about the database beneath a store. */
export const databaseChecks: readonly Check[] = [schema, heldRows, plans];

/** The checks that a program of this scenario is for. */
export function checksFor(scenario: string): readonly Check[] {
  if (scenario.startsWith('cost')) return costChecks;
  if (scenario.startsWith('database')) return databaseChecks;
  return scenario.startsWith('probe') ? probeChecks : sequentialChecks;
}

/** Every rule that a run of one client can judge; two worlds are compared for AUTH-8. */
export const judgeableRules: ReadonlySet<string> = new Set([
  ...[...sequentialChecks, ...costChecks, ...probeChecks, ...databaseChecks].flatMap((check) => check.rules),
  'AUTH-8',
]);
