/** The table of rules: what was decided of each, how often it could have failed, and why. */
import { ruleById } from '../../../spec/contract.ts';
import type { Certificate } from '../../suite/certificate.ts';
import { type Standing, type Strictness, standingOf } from '../../suite/exit-status.ts';
import { renderDuration } from '../duration.ts';
import { statusWord } from '../status-word.ts';
import { anchor, escapeHtml, groupDigits } from './escape.ts';
import { type Row, renderFilters, renderTable, type Table } from './table.ts';
import { isViolated, violationAnchor } from './verdict.ts';

const kinds = (['failed', 'undecided', 'passed', 'skipped'] as const).map((kind) => ({ kind, name: kind }));
const order: Readonly<Record<Standing, number>> = { failed: 0, undecided: 1, skipped: 3, passed: 2 };

/** Renders the rules of a certificate as a table that sorts and filters. */
export function renderRules(certificate: Certificate, strictness: Strictness): string {
  const rows = certificate.rules.map((result): Row => {
    const standing = standingOf(result, strictness);
    const name = escapeHtml(result.rule);
    const link = isViolated(result) ? `<a href="#${violationAnchor(certificate, result.rule)}">${name}</a>` : name;
    const reason = result.reason === undefined ? '' : `<br><span class="soft">${escapeHtml(result.reason)}</span>`;
    const words = statusWord(result, strictness);
    return {
      kind: standing,
      cells: [
        { html: link },
        { html: `<span class="badge ${standing}">${escapeHtml(words)}</span>`, value: `${order[standing]} ${words}` },
        { html: `${escapeHtml(ruleById(result.rule)?.title ?? 'not a rule of this version')}${reason}` },
        { html: groupDigits(result.witnesses), value: result.witnesses },
        { html: groupDigits(result.floor), value: result.floor },
        { html: renderDuration(result.durationMs), value: result.durationMs },
        { html: result.level === 'M' ? 'must' : 'should' },
      ],
    };
  });
  const table: Table = {
    id: anchor(`rules ${certificate.subject} ${certificate.profile}`),
    caption: `Rules of ${certificate.subject}`,
    columns: [
      { head: 'rule' },
      { head: 'verdict' },
      { head: 'what holds, and why not' },
      { head: 'witnesses', number: true },
      { head: 'needed', number: true, rare: true },
      { head: 'time', number: true, rare: true },
      { head: 'level', rare: true },
    ],
    rows,
  };
  return `<p class="soft">Witnesses count how often a rule could have failed in this run; with fewer than needed it is vacuous, which is no pass.</p>
${renderFilters(table, kinds)}
${renderTable(table)}`;
}
