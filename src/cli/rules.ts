/** `pagecheck rules [ID]`: the contract, rule by rule. */
import { type Rule, ruleById, rules, scopeNames } from '../../spec/contract.ts';
import { profileRules, profiles } from '../../spec/profiles.ts';
import { fillLines } from '../report/fill.ts';
import { nearMatches } from './near.ts';
import { UsageError } from './usage-error.ts';

/**
 * Renders every rule as a line, or one rule in full with what each profile makes of it. Ids are taken without regard
 * to case. Throws a `UsageError` (status 3) with near matches for an id that no rule has.
 */
export function renderRules(id?: string): string {
  if (id === undefined) return renderAll();
  const rule = ruleById(id.trim().toUpperCase());
  if (rule !== undefined) return renderOne(rule);
  const near = nearMatches(
    id,
    rules.map((each) => each.id),
  );
  const remedy = near.length > 0 ? `did you mean ${near.join(', ')}?` : '"pagecheck rules" lists them all';
  throw new UsageError({ where: JSON.stringify(id), problem: 'is no rule of the contract', remedy });
}

function renderAll(): string {
  const lines = rules.map(
    (rule) => `${rule.id.padEnd(9)} ${rule.level}  ${rule.scope.join(' ').padEnd(11)}  ${rule.title}`,
  );
  return [
    ...lines,
    '',
    `M must, S should. ${Object.entries(scopeNames)
      .map(([letter, name]) => `${letter} ${name}`)
      .join(', ')}.`,
    '"pagecheck rules ID" says more of one rule.',
    '',
  ].join('\n');
}

function renderOne(rule: Rule): string {
  const scopes = rule.scope.map((letter) => scopeNames[letter]).join(', ');
  const should = rule.shouldIn?.map((letter) => scopeNames[letter]).join(', ');
  return [
    `${rule.id}: ${rule.title}`,
    '',
    ...fillLines(rule.words, 100).map((line) => `  ${line}`),
    '',
    `  level    ${rule.level === 'M' ? 'must' : 'should'}${should === undefined ? '' : `; should for: ${should}`}`,
    `  scope    ${scopes}`,
    `  basis    ${rule.basis}${rule.basisNote === undefined ? '' : ` (${rule.basisNote})`}`,
    `  source   ${rule.source}`,
    ...(rule.concurrent ? ['  needs    a concurrent run'] : []),
    ...profileLines(rule),
    '',
  ].join('\n');
}

function profileLines(rule: Rule): readonly string[] {
  return Object.values(profiles).map((profile) => {
    const ruled = profileRules(profile.name, rule.scope).find((each) => each.rule.id === rule.id)!;
    const level = ruled.level === 'M' ? 'must' : 'should';
    const verdict = ruled.applicable
      ? `${level}${ruled.reading === undefined ? '' : `: ${ruled.reading}`}`
      : `not applicable: ${ruled.reason}`;
    return `  ${profile.name.padEnd(8)} ${verdict}`;
  });
}
