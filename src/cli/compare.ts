/** `pagecheck diff` and `pagecheck merge`: certificates against each other, and together. */
import { renderDiff } from '../report/diff-text.ts';
import { renderHtmlCertificates } from '../report/html/certificate.ts';
import { formatCertificates, parseCertificates } from '../report/json.ts';
import { renderMarkdown } from '../report/markdown.ts';
import { renderCertificates } from '../report/terminal.ts';
import type { Certificate } from '../suite/certificate.ts';
import { diffCertificates } from '../suite/diff.ts';
import { exitStatus } from '../suite/exit-status.ts';
import { mergeCertificates } from '../suite/merge.ts';
import { readArguments, readText } from './arguments.ts';
import { readInput, writeOutput } from './files.ts';
import { UsageError } from './usage-error.ts';

/** Says what a release broke, mended or left; 1 where it broke something. */
export function runDiff(args: readonly string[]): number {
  const { words } = readArguments('diff', args, {});
  const [older, newer, ...more] = words;
  if (older === undefined || newer === undefined || more.length > 0)
    throw new UsageError({
      where: 'pagecheck diff',
      problem: 'takes two certificates',
      remedy: 'name the older file and the newer one',
    });
  const before = parseCertificates(readInput(older), older);
  const after = parseCertificates(readInput(newer), newer);
  if (before.length !== after.length)
    throw new UsageError({
      where: `${older}, ${newer}`,
      problem: `hold ${before.length} and ${after.length} certificates`,
      remedy: 'give files of runs with the same subjects',
    });
  let regressed = false;
  for (const [position, certificate] of before.entries()) {
    const diff = diffCertificates(certificate, after[position] as Certificate);
    process.stdout.write(renderDiff(diff));
    regressed ||= diff.regression;
  }
  return regressed ? 1 : 0;
}

const mergeOptions = {
  json: { type: 'string' },
  markdown: { type: 'string' },
  html: { type: 'string' },
  strict: { type: 'boolean' },
} as const;

/** Puts the certificates of shards together, subject by subject, and shows the result. */
export function runMerge(args: readonly string[]): number {
  const given = readArguments('merge', args, mergeOptions);
  if (given.words.length === 0)
    throw new UsageError({
      where: 'pagecheck merge',
      problem: 'takes certificates',
      remedy: 'name the JSON files of the shards',
    });
  const groups = new Map<string, Certificate[]>();
  for (const certificate of given.words.flatMap((file) => parseCertificates(readInput(file), file))) {
    const key = `${certificate.subject} ${certificate.profile}`;
    groups.set(key, [...(groups.get(key) ?? []), certificate]);
  }
  const merged = [...groups.values()].map((shards) => mergeCertificates(shards));
  const strictness = { strict: given.values.strict === true };
  process.stdout.write(renderCertificates(merged, strictness));
  const outputs = { json: formatCertificates, markdown: renderMarkdown, html: renderHtmlCertificates };
  for (const [name, render] of Object.entries(outputs)) {
    const path = readText(given, name);
    if (path !== undefined) writeOutput(path, render(merged, strictness));
  }
  return exitStatus(merged, strictness);
}
