/** `pagecheck cost`: subjects in, cost certificates and an exit status out. */
import { formatCostCertificates, parseCostCertificates } from '../report/cost-json.ts';
import { renderComparison, renderCostCount, renderCosts } from '../report/cost-text.ts';
import { renderHtmlCosts } from '../report/html/cost.ts';
import { bundledSubjects } from '../subject/bundled.ts';
import { isAgentUrl, loadSubject } from '../subject/load.ts';
import { tapDatabases } from '../subject/postgres-tap.ts';
import type { Subject } from '../subject/subject.ts';
import { defaultBudgetMs, defaultSizes, fullSizes, measureCost } from '../suite/cost.ts';
import { baselineOf, compareCosts, defaultTolerance } from '../suite/cost-against.ts';
import type { CostCertificate } from '../suite/cost-certificate.ts';
import { costExitStatus } from '../suite/cost-exit-status.ts';
import { type Given, readArguments, readDuration, readNumber, readText } from './arguments.ts';
import { readInput, writeOutput } from './files.ts';
import { loadOptions, loadSettings } from './load-settings.ts';
import { createLineDisplay } from './progress.ts';
import { UsageError } from './usage-error.ts';

const options = {
  sizes: { type: 'string' },
  full: { type: 'boolean' },
  seed: { type: 'string' },
  'time-budget': { type: 'string' },
  against: { type: 'string' },
  tolerance: { type: 'string' },
  strict: { type: 'boolean' },
  json: { type: 'string' },
  html: { type: 'string' },
  verbose: { type: 'boolean' },
  ...loadOptions,
} as const;

const defaultNames: readonly string[] = ['memory', 'postgres', 'dispatcher'];
/** With a million tasks. */
const fullBudgetMs = 30 * 60_000;
const mostTasks = 10_000_000;

/** Measures the subjects named in `args`, the bundled stores and the dispatcher where none is; gives the exit status. */
export async function runCost(args: readonly string[], signal: AbortSignal): Promise<number> {
  const given = readArguments('cost', args, options);
  const full = given.values.full === true;
  const sizes = readSizes(given) ?? (full ? fullSizes : defaultSizes);
  const seed = readNumber(given, 'seed', 0, 2 ** 31 - 1) ?? 1;
  const timeBudgetMs = readDuration(given, 'time-budget') ?? (full ? fullBudgetMs : defaultBudgetMs);
  const tolerance = readTolerance(given);
  const strictness = { strict: given.values.strict === true };
  const names = given.words.length === 0 ? defaultNames : given.words;
  const settings = loadSettings(given);
  const subjects: { readonly name: string; readonly subject: Subject }[] = [];
  for (const name of names) {
    if (isAgentUrl(name)) throw refuseAgent(name);
    subjects.push({ name, subject: await loadSubject(name, settings) });
  }
  const baselines = readBaselines(
    given,
    subjects.map(({ subject }) => subject.name),
    { sizes, seed },
  );

  const display = createLineDisplay(process.stderr);
  const certificates: CostCertificate[] = [];
  for (const { name, subject } of subjects) {
    if (signal.aborted) break;
    // Ours have counters of their own; of others the databases that they open are listened to.
    const tap = Object.hasOwn(bundledSubjects, name) ? undefined : tapDatabases();
    const listened = tap === undefined ? {} : { tap };
    try {
      const run = { sizes, seed, timeBudgetMs, signal, onProgress: display.show, ...listened };
      certificates.push(await measureCost(subject, run));
    } finally {
      await tap?.close();
      display.clear();
    }
  }
  process.stdout.write(renderCosts(certificates, { ...strictness, verbose: given.values.verbose === true }));
  const comparisons = certificates.flatMap((certificate) => {
    const baseline = baselines.get(certificate.subject);
    return baseline === undefined ? [] : [compareCosts(baseline, certificate, tolerance)];
  });
  for (const comparison of comparisons) process.stdout.write(`\n${renderComparison(comparison)}`);
  process.stdout.write(`\n${renderCostCount(certificates, strictness, comparisons)}`);
  const json = readText(given, 'json');
  if (json !== undefined) writeOutput(json, formatCostCertificates(certificates));
  const html = readText(given, 'html');
  if (html !== undefined) writeOutput(html, await renderHtmlCosts(certificates, strictness));
  return costExitStatus(certificates, comparisons, strictness);
}

/** Measuring fills a store with tasks, and nobody could take them away again from somebody's agent. */
function refuseAgent(name: string): UsageError {
  return new UsageError({
    where: name,
    problem: "is a running agent, which can't be measured without filling it with tasks for good",
    remedy: 'give the path of a module that opens stores of its own, as examples/map-store.subject.ts does',
  });
}

/** Reads the earlier certificates before anything is measured: what is wrong with them shows at once. */
function readBaselines(
  given: Given,
  subjects: readonly string[],
  run: { readonly sizes: readonly number[]; readonly seed: number },
): Map<string, CostCertificate> {
  const path = readText(given, 'against');
  if (path === undefined) return new Map();
  const certificates = parseCostCertificates(readInput(path), path);
  return new Map(subjects.map((subject) => [subject, baselineOf(certificates, { subject, ...run }, path)]));
}

/** Reads numbers of tasks such as `1e3,20000`, ascending; undefined where there are none. */
function readSizes(given: Given): readonly number[] | undefined {
  const text = readText(given, 'sizes');
  if (text === undefined) return undefined;
  const sizes = text.split(',').map((each) => (/^[0-9]+(e[0-9]+)?$/.test(each) ? Number(each) : Number.NaN));
  // A page of 100 at 90 % is full from 1,000 tasks on; one that is not costs less, which would pass for growth.
  const isGood = (n: number): boolean => n >= 1_000 && n <= mostTasks;
  if (sizes.every(isGood)) return [...new Set(sizes)].sort((a, b) => a - b);
  const outside = sizes.find((n) => !Number.isNaN(n) && !isGood(n));
  throw new UsageError({
    where: `--sizes ${text}`,
    problem: outside === undefined ? 'holds what is no number of tasks' : `has ${outside} tasks, too few or too many`,
    remedy: 'give whole numbers from 1e3 to 1e7 with commas between them, such as 1e3,1e4,1e5',
  });
}

function readTolerance(given: Given): number {
  const text = readText(given, 'tolerance');
  if (text === undefined) return defaultTolerance;
  const share = /^[0-9]*\.?[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (share >= 0 && share <= 10) return share;
  throw new UsageError({
    where: `--tolerance ${text}`,
    problem: 'is no share',
    remedy: 'give a number from 0 to 10: 0.1 lets a counter be a tenth worse',
  });
}
