/** The contract as data: every rule, in the order in which reports show them. */
import type { Level, Rule, Scope } from './rule.ts';
import { accessRules } from './rules/access.ts';
import { countAndFilterRules, storeRules } from './rules/list-and-store.ts';
import { costRules, legacyRules, schemaRules } from './rules/schema-and-cost.ts';
import { orderRules, timeRules } from './rules/time-and-order.ts';
import { tokenRules } from './rules/token.ts';
import { snapshotRules, walkRules } from './rules/walk.ts';
import { pushRules, wireRules } from './rules/wire.ts';

export type { Level, Rule, Scope } from './rule.ts';

/** Every scope letter with what it stands for, in the order in which they are written. */
export const scopeNames: Readonly<Record<Scope, string>> = {
  T: 'token codec',
  I: 'in-memory store',
  P: 'PostgreSQL store',
  D: 'dispatcher',
  W: 'wire',
  X: 'external store',
};

/** Every rule once; ids are unique. */
export const rules: readonly Rule[] = [
  ...timeRules,
  ...orderRules,
  ...tokenRules,
  ...walkRules,
  ...snapshotRules,
  ...countAndFilterRules,
  ...storeRules,
  ...accessRules,
  ...wireRules,
  ...schemaRules,
  ...costRules,
  ...pushRules,
  ...legacyRules,
];

const byId: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.id, rule]));

/** Finds the rule with exactly this id; undefined where there is none. */
export function ruleById(id: string): Rule | undefined {
  return byId.get(id);
}

/**
 * Gives the level of a rule for a subject with these scope letters; undefined where the rule is judged for none of
 * them. One letter for which the rule is a must makes it a must.
 */
export function levelIn(rule: Rule, scope: readonly Scope[]): Level | undefined {
  const judged = scope.filter((letter) => rule.scope.includes(letter));
  if (judged.length === 0) return undefined;
  const must = rule.level === 'M' && judged.some((letter) => !rule.shouldIn?.includes(letter));
  return must ? 'M' : 'S';
}
