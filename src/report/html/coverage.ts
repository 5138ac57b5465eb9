/** What the run met, and what it would have noticed: input coverage, and the faults of a proof. */
import type { Certificate, Coverage, Proof } from '../../suite/certificate.ts';
import { anchor, escapeHtml, groupDigits } from './escape.ts';
import { renderFilters, renderTable, type Table } from './table.ts';

/** Renders the adversaries that a run met. */
export function renderCoverage(certificate: Certificate): string {
  const kindOf = ({ count, floor }: Coverage): string =>
    floor === 0 ? 'not asked' : count < floor ? 'too few' : 'met';
  const tones: Readonly<Record<string, string>> = { met: 'passed', 'too few': 'undecided', 'not asked': 'skipped' };
  const table: Table = {
    id: anchor(`coverage ${certificate.subject} ${certificate.profile}`),
    caption: `Adversaries met with ${certificate.subject}`,
    columns: [
      { head: 'adversary' },
      { head: 'enough' },
      { head: 'met', number: true },
      { head: 'needed', number: true, rare: true },
    ],
    rows: certificate.coverage.map((one) => ({
      kind: kindOf(one),
      cells: [
        { html: escapeHtml(one.name) },
        { html: `<span class="badge ${tones[kindOf(one)]}">${kindOf(one)}</span>` },
        { html: groupDigits(one.count), value: one.count },
        { html: one.floor === 0 ? '–' : groupDigits(one.floor), value: one.floor },
      ],
    })),
  };
  const kinds = Object.keys(tones).map((kind) => ({ kind, name: kind }));
  return `<p class="soft">Situations in which stores go wrong, and how often the run brought the store into each. A rule that needs one which was met too seldom is not passed.</p>
${renderFilters(table, kinds)}
${renderTable(table)}`;
}

/** Renders the faults that were put around the subject's own store. */
export function renderProof(proof: readonly Proof[], certificate: Certificate): string {
  const table: Table = {
    id: anchor(`proof ${certificate.subject} ${certificate.profile}`),
    caption: `Faults put around ${certificate.subject}`,
    columns: [
      { head: 'fault' },
      { head: 'outcome' },
      { head: 'rule' },
      { head: 'what it does' },
      { head: 'found in run', number: true, rare: true },
    ],
    rows: proof.map(({ wrapper, fault, rule, outcome, run, reason }) => ({
      kind: outcome,
      cells: [
        { html: escapeHtml(wrapper) },
        { html: `<span class="badge ${outcome === 'killed' ? 'passed' : 'undecided'}">${outcome}</span>` },
        { html: escapeHtml(rule) },
        { html: escapeHtml(`${fault}${reason === undefined ? '' : ` (${reason})`}`) },
        { html: run === undefined ? '–' : String(run), value: run ?? -1 },
      ],
    })),
  };
  return `${renderFilters(table, [
    { kind: 'killed', name: 'killed' },
    { kind: 'survived', name: 'survived' },
  ])}
${renderTable(table)}`;
}
