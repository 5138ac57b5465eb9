/** A subject and some numbers of tasks: a cost certificate. */
import { startSubject, stopSubject } from '../run/subject-life.ts';
import type { DatabaseTap } from '../subject/postgres-tap.ts';
import type { Subject } from '../subject/subject.ts';
import { version } from '../version.ts';
import type { CostCertificate } from './cost-certificate.ts';
import { Limit } from './cost-limit.ts';
import { CostRun } from './cost-run.ts';
import { verdictsOf } from './cost-verdicts.ts';

export interface CostOptions {
  /** Numbers of tasks, ascending; `defaultSizes` where absent. */
  readonly sizes?: readonly number[];
  /** Decides ids, and which tasks are written; 1 where absent. */
  readonly seed?: number;
  /** How often the task that is updated very often is; 100,000 times where absent, fewer where the subject is slow. */
  readonly updates?: number;
  /** The longest that measuring may take, in milliseconds; 120,000 where absent. */
  readonly timeBudgetMs?: number;
  /** Listens to databases that the subject opens; it has to be there before the subject starts. */
  readonly tap?: DatabaseTap;
  /** Told what is measured next. */
  readonly onProgress?: (what: string) => void;
  readonly signal?: AbortSignal;
}

/** Numbers of tasks where none are named, and with `--full`. */
export const defaultSizes: readonly number[] = [1_000, 10_000, 100_000];
export const fullSizes: readonly number[] = [...defaultSizes, 1_000_000];
/** The longest that measuring one subject may take. */
export const defaultBudgetMs = 120_000;
const defaultUpdates = 100_000;

/**
 * Measures a subject and judges what the contract bounds. Counters decide wherever there are any: the subject's own, and
 * those of a database that it opens under `tap`; else a clock. The same seed gives the same counters. A run that ends
 * early is told in the notes, and its certificate is not `complete`. Throws a `SubjectFault` where the subject can't be
 * opened, filled or does not answer.
 */
export async function measureCost(subject: Subject, options: CostOptions = {}): Promise<CostCertificate> {
  const { sizes = defaultSizes, seed = 1, updates = defaultUpdates, timeBudgetMs = defaultBudgetMs, signal } = options;
  const startedAt = new Date();
  const from = performance.now();
  await startSubject(subject);
  const limit = new Limit(timeBudgetMs, signal);
  const run = new CostRun(subject, { ...options, sizes, seed, updates }, limit);
  try {
    await run.measure();
  } finally {
    limit.stop();
    await stopSubject(subject);
  }
  const { rules, curves, plans, notes } = verdictsOf(run.measured(), subject.capabilities.scope);
  return {
    format: 'pagecheck-cost-certificate',
    version: 1,
    pagecheck: version,
    subject: subject.name,
    seed,
    startedAt: startedAt.toISOString(),
    durationMs: performance.now() - from,
    environment: { node: process.version, platform: `${process.platform} ${process.arch}` },
    sizes,
    complete: run.complete,
    rules,
    curves,
    plans,
    notes: [...notes, ...run.notes, ...(subject.notes?.() ?? [])],
  };
}
