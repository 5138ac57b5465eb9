/** `pagecheck certify`: subjects in, certificates and an exit status out. */
import { rules as contractRules, ruleById } from '../../spec/contract.ts';
import { faultWrappers } from '../mutants/wrappers/index.ts';
import { renderDuration } from '../report/duration.ts';
import { renderHtmlCertificates } from '../report/html/certificate.ts';
import { formatCertificates } from '../report/json.ts';
import { renderJUnit } from '../report/junit.ts';
import { renderMarkdown } from '../report/markdown.ts';
import { renderCertificates } from '../report/terminal.ts';
import { defaultSubjects } from '../subject/bundled.ts';
import { isAgentUrl, loadSubject } from '../subject/load.ts';
import type { Subject } from '../subject/subject.ts';
import type { Certificate } from '../suite/certificate.ts';
import { type CertifyOptions, certify, defaults } from '../suite/certify.ts';
import { exitStatus } from '../suite/exit-status.ts';
import { applyKnown, parseKnown } from '../suite/known.ts';
import { type Given, readArguments, readDuration, readNumber, readProfile, readShard, readText } from './arguments.ts';
import { addOutput, readInput, saveReplay, writeOutput } from './files.ts';
import { loadOptions, loadSettings } from './load-settings.ts';
import { nearMatches } from './near.ts';
import { createProgressDisplay } from './progress.ts';
import { UsageError } from './usage-error.ts';

const options = {
  profile: { type: 'string' },
  rule: { type: 'string', multiple: true },
  seed: { type: 'string' },
  runs: { type: 'string' },
  'time-budget': { type: 'string' },
  'operation-timeout': { type: 'string' },
  ...loadOptions,
  exhaustive: { type: 'string' },
  concurrent: { type: 'boolean' },
  'concurrent-runs': { type: 'string' },
  'concurrent-budget': { type: 'string' },
  faults: { type: 'boolean' },
  history: { type: 'string' },
  known: { type: 'string' },
  strict: { type: 'boolean' },
  prove: { type: 'boolean' },
  'prove-budget': { type: 'string' },
  shard: { type: 'string' },
  json: { type: 'string' },
  junit: { type: 'string' },
  markdown: { type: 'string' },
  html: { type: 'string' },
  verbose: { type: 'boolean' },
} as const;

/** Of an agent less is asked, and less often: its tasks stay with it, some five a program. */
const usualOfAgents: CertifyOptions = { profile: 'a2a-1.0', runs: 500 };

/** The times of one of so many subjects: three take what they want, more share what those would take. */
function shareOf(subjects: number, concurrent: boolean): Pick<CertifyOptions, 'timeBudgetMs' | 'concurrentBudgetMs'> {
  if (subjects <= 3) return {};
  const share = Math.floor(150_000 / subjects);
  return concurrent ? { timeBudgetMs: share * 0.6, concurrentBudgetMs: share * 0.4 } : { timeBudgetMs: share };
}

/** Certifies the subjects named in `args`, every bundled one where none is; gives the exit status. */
export async function runCertify(args: readonly string[], signal: AbortSignal): Promise<number> {
  const given = readArguments('certify', args, options);
  const share = shareOf(given.words.length, given.values.concurrent === true);
  const named = given.words.map((name) => ({ name, ...share }));
  const chosenSubjects = named.length === 0 ? defaultSubjects : named;
  const knownFile = readText(given, 'known');
  const known = knownFile === undefined ? undefined : parseKnown(readInput(knownFile), knownFile);
  const chosen = certifyOptions(given, signal);
  const underFaults = given.values.faults === true;
  const settings = { ...loadSettings(given), ...(underFaults ? { faults: true } : {}) };
  const subjects = [];
  for (const { name, ...times } of chosenSubjects)
    subjects.push({ name, times, subject: await loadSubject(name, settings) });
  const display = createProgressDisplay(process.stderr);
  if (chosen.prove === true) announceProof(chosen, subjects.length);
  const certificates: Certificate[] = [];
  for (const { name, times, subject } of subjects) {
    if (signal.aborted) break;
    const usual = isAgentUrl(name) ? usualOfAgents : times;
    const run = { ...usual, ...chosen, reference: name, onProgress: display.show };
    const certificate = underFaults ? await certifyFaults(subject, run) : await certify(subject, run);
    display.clear();
    certificates.push(known === undefined ? certificate : applyKnown(certificate, known));
  }
  const strictness = { strict: given.values.strict === true, prove: chosen.prove === true };
  const color = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
  process.stdout.write(
    renderCertificates(certificates, { ...strictness, color, verbose: given.values.verbose === true }),
  );
  write(given, 'json', () => formatCertificates(certificates));
  write(given, 'junit', () => renderJUnit(certificates, strictness));
  write(given, 'markdown', () => renderMarkdown(certificates, strictness));
  write(given, 'html', () => renderHtmlCertificates(certificates, strictness));
  return exitStatus(certificates, strictness);
}

async function certifyFaults(subject: Subject, run: CertifyOptions): Promise<Certificate> {
  const { certifyUnderFaults } = await import('../suite/faults.ts');
  return (await certifyUnderFaults(subject, run)).certificate;
}

/** Says beforehand what proving may cost. */
function announceProof({ proveBudgetMs = defaults.proveBudgetMs }: CertifyOptions, subjects: number): void {
  const each = subjects === 1 ? '' : ' each';
  process.stderr.write(
    `after the run up to ${faultWrappers.length} faults are put around the store, for ${renderDuration(proveBudgetMs)} at most${each}\n`,
  );
}

function write(given: Given, name: string, render: () => string): void {
  const path = readText(given, name);
  if (path !== undefined) writeOutput(path, render());
}

function certifyOptions(given: Given, signal: AbortSignal): CertifyOptions {
  const profile = readProfile(given);
  const rules = readRules(given);
  const numbers = {
    seed: readNumber(given, 'seed', 0, 2 ** 31 - 1),
    runs: readNumber(given, 'runs', 1, 10_000_000),
    timeBudgetMs: readDuration(given, 'time-budget'),
    operationTimeoutMs: readDuration(given, 'operation-timeout'),
    proveBudgetMs: readDuration(given, 'prove-budget'),
    exhaustive: readNumber(given, 'exhaustive', 1, 6),
    concurrentRuns: readNumber(given, 'concurrent-runs', 1, 10_000_000),
    concurrentBudgetMs: readDuration(given, 'concurrent-budget'),
  };
  const set = Object.entries(numbers).filter(([, value]) => value !== undefined);
  const shard = readShard(given);
  return {
    ...Object.fromEntries(set),
    ...(profile === undefined ? {} : { profile }),
    ...(rules === undefined ? {} : { rules }),
    ...(shard === undefined ? {} : { shard }),
    ...(given.values.concurrent === true ? { concurrent: true } : {}),
    ...(given.values.prove === true ? { prove: true } : {}),
    ...historySaver(given),
    saveReplay,
    signal,
  };
}

/** Where `--history` is given: empties the file, and adds each history to it. */
function historySaver(given: Given): Pick<CertifyOptions, 'saveHistory'> {
  const path = readText(given, 'history');
  if (path === undefined) return {};
  if (given.values.concurrent !== true && given.values.faults !== true)
    throw new UsageError({
      where: `--history ${path}`,
      problem: 'keeps the histories of several clients, and this run has one',
      remedy: 'give --concurrent or --faults as well',
    });
  writeOutput(path, '');
  return { saveHistory: (text) => addOutput(path, text) };
}

function readRules(given: Given): string[] | undefined {
  const named = given.values.rule as unknown as string[] | undefined;
  const ids = named?.flatMap((text) => text.split(','));
  for (const id of ids ?? []) {
    if (ruleById(id) !== undefined) continue;
    const near = nearMatches(
      id,
      contractRules.map((rule) => rule.id),
    );
    throw new UsageError({
      where: `--rule ${id}`,
      problem: 'is no rule',
      remedy: near.length > 0 ? `perhaps ${near.join(', ')}` : 'see `pagecheck rules`',
    });
  }
  return ids;
}
