/** Certificates as JUnit XML, for CI servers. */
import { ruleById } from '../../spec/contract.ts';
import type { Certificate, RuleResult } from '../suite/certificate.ts';
import { countStandings, type Strictness, standingOf } from '../suite/exit-status.ts';
import { renderFailure } from './failure.ts';
import { statusWord } from './status-word.ts';
import { escapeXml, escapeXmlLines } from './xml.ts';

/**
 * Renders a test suite a certificate and a test case a rule. Failed rules hold a `failure` with the whole failure text;
 * undecided ones an `error`, since nothing was violated and yet nothing shown; skipped ones `skipped` with the reason.
 * Times are seconds. The text ends with a newline.
 */
export function renderJUnit(certificates: readonly Certificate[], strictness: Strictness = {}): string {
  const suites = certificates.flatMap((certificate) => suiteLines(certificate, strictness));
  const counts = attributes(countAttributes(certificates, strictness));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="pagecheck"${counts}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function countAttributes(certificates: readonly Certificate[], strictness: Strictness): Record<string, string> {
  const { failed, undecided, skipped } = countStandings(certificates, strictness);
  const tests = certificates.reduce((sum, certificate) => sum + certificate.rules.length, 0);
  const time = certificates.reduce((sum, certificate) => sum + certificate.durationMs, 0);
  return {
    tests: String(tests),
    failures: String(failed),
    errors: String(undecided),
    skipped: String(skipped),
    time: seconds(time),
  };
}

function suiteLines(certificate: Certificate, strictness: Strictness): readonly string[] {
  const { subject, profile, startedAt } = certificate;
  const head = { name: `${subject} (${profile})`, timestamp: startedAt, ...countAttributes([certificate], strictness) };
  const properties = { profile, seed: String(certificate.seed), pagecheck: certificate.pagecheck };
  return [
    `  <testsuite${attributes(head)}>`,
    '    <properties>',
    ...Object.entries(properties).map(([name, value]) => `      <property${attributes({ name, value })}/>`),
    '    </properties>',
    ...certificate.rules.map((result) => caseLine(result, certificate, strictness)),
    '  </testsuite>',
  ];
}

function caseLine(result: RuleResult, certificate: Certificate, strictness: Strictness): string {
  const title = ruleById(result.rule)?.title;
  const head = attributes({
    classname: `pagecheck.${certificate.subject}`,
    name: title === undefined ? result.rule : `${result.rule}: ${title}`,
    time: seconds(result.durationMs),
  });
  const body = caseBody(result, certificate, strictness);
  return body === '' ? `    <testcase${head}/>` : `    <testcase${head}>${body}</testcase>`;
}

function caseBody(result: RuleResult, certificate: Certificate, strictness: Strictness): string {
  const type = result.status;
  const reason = `${statusWord(result, strictness)}${result.reason === undefined ? '' : `: ${result.reason}`}`;
  const violated = result.status === 'fail' || result.status === 'known';
  const message = (violated ? result.counterexample?.finding.saw : undefined) ?? reason;
  switch (standingOf(result, strictness)) {
    case 'passed':
      return '';
    case 'failed':
      return `<failure${attributes({ type, message })}>${escapeXmlLines(failureText(result, certificate))}</failure>`;
    case 'undecided':
      return `<error${attributes({ type, message: reason })}>${escapeXmlLines(witnessText(result))}</error>`;
    case 'skipped': {
      const skipped = `<skipped${attributes({ message: reason })}/>`;
      if (!violated) return skipped;
      return `${skipped}<system-out>${escapeXmlLines(renderFailure(result, certificate))}</system-out>`;
    }
  }
}

function failureText(result: RuleResult, certificate: Certificate): string {
  if (result.status === 'stale') return result.reason ?? 'listed as a known failure, yet it passes';
  return renderFailure(result, certificate);
}

function witnessText(result: RuleResult): string {
  return `could have failed ${result.witnesses} times; at least ${result.floor} are wanted`;
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3);
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    .join('');
}
