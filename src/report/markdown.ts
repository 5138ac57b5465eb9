/** Certificates as Markdown, for the step summary of a CI job. */
import { ruleById } from '../../spec/contract.ts';
import type { Certificate, RuleResult } from '../suite/certificate.ts';
import { type Standing, type Strictness, standingOf } from '../suite/exit-status.ts';
import { renderDuration } from './duration.ts';
import { renderFailure } from './failure.ts';
import { visible } from './quote.ts';
import { statusWord } from './status-word.ts';
import { countLine } from './terminal.ts';

const marks: Readonly<Record<Standing, string>> = { passed: '✅', failed: '❌', undecided: '❔', skipped: '➖' };

/**
 * Renders certificates as Markdown: per subject a line of what was run, a table of the rules that did not simply pass,
 * each violation in full, and the rest folded away. The count of all closes it. The text ends with a newline.
 */
export function renderMarkdown(certificates: readonly Certificate[], strictness: Strictness = {}): string {
  const blocks = certificates.map((certificate) => block(certificate, strictness));
  return `${['# pagecheck', ...blocks, countLine(certificates, strictness)].join('\n\n')}\n`;
}

function block(certificate: Certificate, strictness: Strictness): string {
  const { programs, operations, durationMs } = certificate;
  const standing = (result: RuleResult): Standing => standingOf(result, strictness);
  const isQuiet = (result: RuleResult): boolean => {
    return standing(result) === 'passed' || result.status === 'not-applicable' || result.status === 'not-run';
  };
  const loud = certificate.rules.filter((result) => !isQuiet(result));
  const quiet = certificate.rules.filter(isQuiet);
  const run = `${programs} programs, ${operations} operations in ${renderDuration(durationMs)}`;
  const parts = [
    `## ${escapeMarkdown(certificate.subject)}`,
    `Profile ${certificate.profile}, seed ${certificate.seed}: ${run}. ${countLine([certificate], strictness)}.`,
    ...(loud.length > 0 ? [table(loud, strictness)] : []),
    ...loud.filter(hasProof).map((result) => fenced(renderFailure(result, certificate))),
    ...certificate.notes.map((note) => `> ${escapeMarkdown(note)}`),
    ...(quiet.length > 0 ? [folded(`${quiet.length} rules passed or not judged`, table(quiet, strictness))] : []),
  ];
  return parts.join('\n\n');
}

function hasProof(result: RuleResult): boolean {
  return result.status === 'fail' || (result.status === 'known' && result.counterexample !== undefined);
}

function table(results: readonly RuleResult[], strictness: Strictness): string {
  const rows = results.map((result) => {
    const remark = escapeMarkdown(result.reason ?? ruleById(result.rule)?.title ?? '');
    const word = `${marks[standingOf(result, strictness)]} ${statusWord(result, strictness)}`;
    return `| ${word} | ${escapeMarkdown(result.rule)} | ${result.witnesses} | ${remark} |`;
  });
  return ['| | rule | witnesses | |', '|---|---|--:|---|', ...rows].join('\n');
}

function folded(summary: string, body: string): string {
  return `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

/** A fence that is longer than any run of backticks in the text, so that the text can't end it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), (run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

/** Takes their meaning from the characters that Markdown, tables and HTML act on; a line break would end the row. */
function escapeMarkdown(text: string): string {
  return visible(text).replace(/[\\`*_{}[\]<>|#~&]/g, (character) => (character === '&' ? '&amp;' : `\\${character}`));
}
