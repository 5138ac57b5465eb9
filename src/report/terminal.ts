/** The certificate on a terminal: a row a rule, failures in full, and the count as the last line. */
import { ruleById } from '../../spec/contract.ts';
import type { Certificate, Coverage, RuleResult } from '../suite/certificate.ts';
import { countStandings, type Strictness, standingOf } from '../suite/exit-status.ts';
import { renderDuration } from './duration.ts';
import { type FailureOptions, renderFailure } from './failure.ts';
import { fillLines } from './fill.ts';
import { visible } from './quote.ts';
import { statusWord } from './status-word.ts';

/** How a certificate is shown; `verbose` adds traces and the whole coverage. */
export interface TerminalOptions extends Strictness, FailureOptions {
  /** ANSI colours; plain text where absent. */
  readonly color?: boolean;
}

/** Renders one certificate; see `renderCertificates`. */
export function renderCertificate(certificate: Certificate, options: TerminalOptions = {}): string {
  return renderCertificates([certificate], options);
}

/**
 * Renders certificates one after the other: rows, failures, notes. The last line counts over all of them, exactly
 * `N passed, N failed, N skipped`: failed is what makes the exit status 1, skipped is everything that neither passed nor
 * failed. A line above it says how much of that is undecided. The text ends with a newline.
 */
export function renderCertificates(certificates: readonly Certificate[], options: TerminalOptions = {}): string {
  const blocks = certificates.map((certificate) => certificateLines(certificate, options).join('\n'));
  return `${[...blocks, closingLines(certificates, options).join('\n')].join('\n\n')}\n`;
}

/** The closing line of a run: `N passed, N failed, N skipped`, as `renderCertificates` ends with it. */
export function countLine(certificates: readonly Certificate[], strictness: Strictness = {}): string {
  const { passed, failed, undecided, skipped } = countStandings(certificates, strictness);
  return `${passed} passed, ${failed} failed, ${undecided + skipped} skipped`;
}

function certificateLines(certificate: Certificate, options: TerminalOptions): readonly string[] {
  const { programs, operations, pages, durationMs } = certificate;
  const violated = certificate.rules.filter((result) => result.status === 'fail');
  const notes = noteLines(certificate, options);
  return [
    `${visible(certificate.subject)}: profile ${certificate.profile}, seed ${certificate.seed}, pagecheck ${certificate.pagecheck}`,
    '',
    ...ruleLines(certificate.rules, options),
    ...violated.flatMap((result) => ['', renderFailure(result, certificate, options)]),
    ...proofLines(certificate, options),
    ...(notes.length > 0 ? ['', ...notes] : []),
    '',
    `${number(programs)} programs, ${number(operations)} operations, ${number(pages)} pages in ${renderDuration(durationMs)}`,
  ];
}

/** A row a rule; what is not applicable is told by its reason, one line each, unless `verbose` asks for rows. */
function ruleLines(results: readonly RuleResult[], options: TerminalOptions): readonly string[] {
  const apart = (result: RuleResult) => result.status === 'not-applicable' && options.verbose !== true;
  const reasons = new Map<string, string[]>();
  for (const { rule, reason = '' } of results.filter(apart))
    reasons.set(reason, [...(reasons.get(reason) ?? []), rule]);
  return [
    ...results.filter((result) => !apart(result)).map((result) => row(result, options)),
    ...(reasons.size > 0 ? ['', '  not applicable'] : []),
    ...[...reasons].flatMap(([reason, rules]) => [
      ...fillLines(rules.join(' '), 92).map((line) => `    ${line}`),
      ...fillLines(visible(reason), 90).map((line) => `      ${line}`),
    ]),
  ];
}

/** What was proved: how many faults this run would have noticed, and each that it would not; all of them if verbose. */
function proofLines({ proof }: Certificate, options: TerminalOptions): readonly string[] {
  if (proof === undefined) return [];
  const killed = proof.filter(({ outcome }) => outcome === 'killed').length;
  const told = proof.filter(({ outcome }) => options.verbose === true || outcome === 'survived');
  return [
    '',
    `proof: of ${proof.length} faults put around this store the run would have noticed ${killed}`,
    ...told.map(({ wrapper, fault, rule, outcome, reason }) => {
      const why = reason === undefined ? '' : ` (${reason})`;
      return `  ${outcome.padEnd(8)} ${rule.padEnd(9)} ${visible(`${wrapper}: ${fault}${why}`)}`;
    }),
  ];
}

function row(result: RuleResult, options: TerminalOptions): string {
  const word = statusWord(result, options);
  const painted = options.color === true ? paint(word.padEnd(8), result, options) : word.padEnd(8);
  const witnesses = `${number(result.witnesses)}${result.status === 'vacuous' ? `/${number(result.floor)}` : ''}`;
  const remark = result.reason ?? ruleById(result.rule)?.title ?? '';
  const cells = [result.rule.padEnd(9), witnesses.padStart(9), renderDuration(result.durationMs).padStart(9)];
  return `  ${painted} ${cells.join(' ')}  ${visible(remark)}`.trimEnd();
}

const RED = 31;
const GREEN = 32;
const YELLOW = 33;
const GREY = 90;

function paint(text: string, result: RuleResult, options: Strictness): string {
  const colors = { passed: GREEN, failed: RED, undecided: YELLOW, skipped: result.status === 'fail' ? YELLOW : GREY };
  return `\u001b[${colors[standingOf(result, options)]}m${text}\u001b[0m`;
}

function noteLines(certificate: Certificate, options: TerminalOptions): readonly string[] {
  const thin = certificate.coverage.filter((met) => options.verbose === true || met.count < met.floor);
  return [
    ...certificate.notes.map((note) => `note: ${visible(note)}`),
    ...thin.map((met) => `met ${visible(met.name)}: ${number(met.count)} (${wanted(met)})`),
  ];
}

function wanted({ floor }: Coverage): string {
  return floor === 0 ? 'not asked of this subject' : `at least ${number(floor)} wanted`;
}

function closingLines(certificates: readonly Certificate[], options: TerminalOptions): readonly string[] {
  const { undecided } = countStandings(certificates, options);
  const shoulds = certificates
    .flatMap((certificate) => certificate.rules)
    .filter((result) => result.status === 'fail' && standingOf(result, options) === 'skipped').length;
  return [
    ...(undecided > 0 ? [`undecided: ${undecided}, which is no pass`] : []),
    ...(shoulds > 0 ? [`should-rules violated: ${shoulds}, which fails a run only with --strict`] : []),
    countLine(certificates, options),
  ];
}

/** Groups thousands with commas, whatever the locale. */
function number(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}
