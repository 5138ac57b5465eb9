/** The README's table of rules, generated from the contract. */
import { type Rule, rules, scopeNames } from '../../spec/contract.ts';

const OPEN = '<!-- rules -->';
const CLOSE = '<!-- /rules -->';

/** Renders the rules as a Markdown table, with the meaning of its letters below. */
export function renderRulesTable(): string {
  const rows = rules.map(
    (rule) =>
      `| ${rule.id} | ${levelCell(rule)} | ${rule.scope.join(' ')} | ${basisCell(rule)} | ${cell(rule.words)} |`,
  );
  const letters = Object.entries(scopeNames).map(([letter, name]) => `${letter} ${name}`);
  return [
    '| rule | level | scope | basis | what holds |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    `Level: M must, S should. Scope: ${letters.join(', ')}. Basis: seed, the pagination contract of v0.6.0; A2A, the ` +
      'A2A 1.0 specification or proto; ours, a reading or a strengthening of this project.',
  ].join('\n');
}

/**
 * Replaces what stands between the markers `<!-- rules -->` and `<!-- /rules -->` by the table. Throws a plain `Error`
 * where the document has not exactly one pair of them in order.
 */
export function withRulesTable(document: string): string {
  const start = document.indexOf(OPEN);
  const end = document.indexOf(CLOSE);
  const single = start === document.lastIndexOf(OPEN) && end === document.lastIndexOf(CLOSE);
  if (start < 0 || end < start || !single) throw new Error(`The document needs one ${OPEN} and then one ${CLOSE}`);
  return `${document.slice(0, start + OPEN.length)}\n\n${renderRulesTable()}\n\n${document.slice(end)}`;
}

function levelCell(rule: Rule): string {
  return rule.shouldIn === undefined ? rule.level : `M; S for ${rule.shouldIn.join(' ')}`;
}

function basisCell(rule: Rule): string {
  return cell(rule.basisNote === undefined ? rule.basis : `${rule.basis} (${rule.basisNote})`);
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
