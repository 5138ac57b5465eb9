/** Certificates as a page that people look at. */
import type { Certificate } from '../../suite/certificate.ts';
import type { Strictness } from '../../suite/exit-status.ts';
import { countLine } from '../terminal.ts';
import { renderCoverage, renderProof } from './coverage.ts';
import { escapeHtml } from './escape.ts';
import { renderPage, type Section } from './page.ts';
import { renderRules } from './rules.ts';
import { renderVerdict, subjectAnchor, violations } from './verdict.ts';
import { renderViolation } from './violation.ts';

/**
 * Renders certificates as one self-contained HTML page: of each subject first the verdict and what was proved, then
 * each violation with its picture, the rules, what the run met, and notes. The same certificates give the same text.
 */
export function renderHtmlCertificates(certificates: readonly Certificate[], strictness: Strictness = {}): string {
  const single = certificates.length === 1;
  const names = certificates.map(({ subject }) => subject).join(', ');
  const count = countLine(certificates, strictness);
  const lead = single
    ? renderVerdict(certificates[0]!, strictness, 1)
    : `<h1>pagecheck: ${certificates.length} task stores</h1>\n<p><strong>${count}</strong></p>`;
  const sections = certificates.flatMap((certificate) => sectionsOf(certificate, strictness, single));
  return renderPage({ title: `pagecheck: ${names}: ${count}`, lead, sections });
}

function sectionsOf(certificate: Certificate, strictness: Strictness, single: boolean): Section[] {
  const { subject, proof, notes } = certificate;
  const violated = violations(certificate, strictness);
  const id = (part: string): string => (single ? part : `${subjectAnchor(certificate)}-${part}`);
  const title = (part: string): string => (single ? part : `${subject}: ${part.toLowerCase()}`);
  const parts: (Section | false)[] = [
    !single && { id: id('verdict'), title: subject, html: renderVerdict(certificate, strictness, 3) },
    violated.length > 0 && {
      id: id('violations'),
      title: title('Violations, each with the shortest program that shows it'),
      html: violated.map((result) => renderViolation(result, certificate, strictness)).join('\n'),
    },
    { id: id('rules'), title: title('Rules'), html: renderRules(certificate, strictness) },
    proof !== undefined && {
      id: id('proof'),
      title: title('Proof: faults that this run would have noticed'),
      html: renderProof(proof, certificate),
    },
    { id: id('coverage'), title: title('Input coverage'), html: renderCoverage(certificate) },
    notes.length > 0 && {
      id: id('notes'),
      title: title('Notes'),
      html: `<ul>${notes.map((note) => `<li>${escapeHtml(note)}</li>`).join('')}</ul>`,
    },
  ];
  return parts.filter((part) => part !== false);
}
