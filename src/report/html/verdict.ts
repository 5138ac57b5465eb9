/** The verdict on a subject in words, and what the run proved. */
import { ruleById } from '../../../spec/contract.ts';
import type { Certificate, RuleResult } from '../../suite/certificate.ts';
import { countStandings, exitStatus, type Standing, type Strictness, standingOf } from '../../suite/exit-status.ts';
import { renderDuration } from '../duration.ts';
import { anchor, escapeHtml, groupDigits } from './escape.ts';

/** Renders what stands first: subject, profile, verdict, what was proved, and what is wrong. `level` is its heading's. */
export function renderVerdict(certificate: Certificate, strictness: Strictness, level: 1 | 3): string {
  const { subject, profile, programs, operations, pages, durationMs, seed, shard, environment } = certificate;
  const status = exitStatus(certificate, strictness);
  const tone: Standing = status === 0 ? 'passed' : status === 1 ? 'failed' : 'undecided';
  const facts: readonly (readonly [string, string])[] = [
    ['profile', profile],
    ['programs', groupDigits(programs)],
    ['operations', groupDigits(operations)],
    ['pages', groupDigits(pages)],
    ['took', renderDuration(durationMs)],
    ['seed', `${seed}${shard === undefined ? '' : `, shard ${shard.index + 1}/${shard.of}`}`],
    ['run on', certificate.startedAt.slice(0, 10)],
    ['with', `Node.js ${environment.node}, ${environment.platform}`],
    ['pagecheck', certificate.pagecheck],
  ];
  return `<header id="${subjectAnchor(certificate)}">
<p class="soft">pagecheck certificate: can this task store be paged through safely while tasks change?</p>
<h${level}>${escapeHtml(subject)}</h${level}>
<div class="verdict ${tone}"><strong>${verdictWords(certificate, strictness)}</strong></div>
<p>${provedWords(certificate, strictness)}</p>
${wrongList(certificate, strictness)}
<dl class="facts">${facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${escapeHtml(value)}</dd></div>`).join('')}</dl>
</header>`;
}

/** The fragment under which a subject stands on the page. */
export function subjectAnchor({ subject, profile }: Certificate): string {
  return anchor(`subject ${subject} ${profile}`);
}

/** The fragment under which the counterexample of a rule stands. */
export function violationAnchor(certificate: Certificate, rule: string): string {
  return `${subjectAnchor(certificate)}-${anchor(rule)}`;
}

/** Whether a result is told with its counterexample: violated, known or not. */
export function isViolated({ status, counterexample }: RuleResult): boolean {
  return status === 'fail' || (status === 'known' && counterexample !== undefined);
}

function verdictWords(certificate: Certificate, strictness: Strictness): string {
  const { failed, undecided, passed } = countStandings([certificate], strictness);
  if (failed > 0) {
    const stale = certificate.rules.filter(({ status }) => status === 'stale').length;
    const violated = failed - stale;
    const parts = [
      violated > 0 ? `${rules(violated)} violated` : '',
      stale > 0 ? `${rules(stale)} listed as failing, yet passing` : '',
    ];
    return `Does not conform: ${parts.filter((part) => part !== '').join(', ')}.`;
  }
  if (undecided > 0)
    return `Undecided: nothing is violated, but of ${rules(undecided, false)} too little was seen for a verdict.`;
  if (passed === 0) return 'Undecided: no rule was judged.';
  return `Conforms: all ${rules(passed, false)} that were judged hold.`;
}

function rules(count: number, verb = true): string {
  return `${count} ${count === 1 ? 'rule' : 'rules'}${verb ? (count === 1 ? ' is' : ' are') : ''}`;
}

function provedWords(certificate: Certificate, strictness: Strictness): string {
  const passed = certificate.rules.filter((result) => standingOf(result, strictness) === 'passed');
  const { skipped } = countStandings([certificate], strictness);
  const least = passed.toSorted((a, b) => a.witnesses - b.witnesses)[0];
  const chances =
    least === undefined
      ? 'No rule passed.'
      : `${passed.length === 1 ? 'One rule passed' : `${passed.length} rules passed`}: each could have failed at least ${groupDigits(least.witnesses)} times in this run (fewest: ${escapeHtml(least.rule)}) and never did.`;
  const proof = certificate.proof ?? [];
  const killed = proof.filter(({ outcome }) => outcome === 'killed').length;
  const proved =
    proof.length === 0
      ? ''
      : ` Of ${proof.length} faults put around this very store, the run would have noticed ${killed}.`;
  const left =
    skipped === 0
      ? ''
      : ` ${rules(skipped, false)} ${skipped === 1 ? 'counts' : 'count'} neither way; the table says why.`;
  return `${chances}${proved}${left}`;
}

/**
 * The violated rules, the most telling first: those that fail the run before those that do not, tasks lost or repeated
 * before what is harder to see.
 */
export function violations({ rules: results }: Certificate, strictness: Strictness): readonly RuleResult[] {
  const tellingness = ['lost', 'repeated', 'intruding', 'misplaced'];
  const rank = (result: RuleResult): number => {
    const how = result.counterexample?.finding.marks?.[0]?.how;
    return (standingOf(result, strictness) === 'failed' ? 0 : 10) + (how === undefined ? 4 : tellingness.indexOf(how));
  };
  return results.filter(isViolated).sort((a, b) => rank(a) - rank(b));
}

/** What is wrong, a sentence each, with the way to its picture. */
function wrongList(certificate: Certificate, strictness: Strictness): string {
  const items = violations(certificate, strictness).map((result) => {
    const title = ruleById(result.rule)?.title ?? '';
    const saw = result.counterexample?.finding.saw ?? result.reason ?? '';
    const broken =
      standingOf(result, strictness) === 'failed' ? '' : result.status === 'known' ? ' (known)' : ' (a should-rule)';
    return `<li><a href="#${violationAnchor(certificate, result.rule)}"><strong>${escapeHtml(result.rule)}</strong>: ${escapeHtml(title)}</a>${broken}. Seen: ${escapeHtml(saw)}.</li>`;
  });
  return items.length === 0 ? '' : `<p><strong>What is wrong</strong></p>\n<ul class="wrong">${items.join('\n')}</ul>`;
}
