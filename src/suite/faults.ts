/** A fault run: rounds of work under faults, judged together into a certificate. */
import { profileRules } from '../../spec/profiles.ts';
import { concurrentRules, judgeConcurrent } from '../check/concurrent.ts';
import { judgeDurability } from '../check/durability.ts';
import type { Finding } from '../check/verdict.ts';
import type { History } from '../history/history.ts';
import { formatEntry } from '../history/notation.ts';
import type { Program } from '../history/program.ts';
import { faultKinds, runFaultRound } from '../run/faults.ts';
import { seededNumbers } from '../run/seeded-numbers.ts';
import { startSubject, stopSubject } from '../run/subject-life.ts';
import type { Subject } from '../subject/subject.ts';
import { UsageError } from '../subject/usage-error.ts';
import { version } from '../version.ts';
import type { Certificate, Counterexample, RuleResult } from './certificate.ts';
import type { CertifyOptions, Progress } from './certify.ts';
import { contextOf } from './certify.ts';
import { floorOf } from './floors.ts';
import { formatHistory } from './history-file.ts';

/** What a fault run takes of the options of a run. */
export type FaultOptions = Pick<
  CertifyOptions,
  'seed' | 'timeBudgetMs' | 'operationTimeoutMs' | 'signal' | 'onProgress' | 'reference' | 'saveReplay' | 'saveHistory'
>;

/** What a fault run met, beside its verdicts. */
export interface FaultCounts {
  readonly acknowledged: number;
  readonly unknown: number;
  readonly lost: number;
  /** Faults that happened, by kind. */
  readonly injected: Readonly<Record<string, number>>;
}

const defaults = { timeBudgetMs: 60_000, operationTimeoutMs: 30_000 } as const;
const CLIENTS = 4;
/** So many faults a round: rounds stay short enough for a search of an order of all their operations. */
const FAULTS_A_ROUND = 3;

/** The rules that faults can break: those of operations at once, but for what needs callers or few writes. */
const rules = concurrentRules.filter((rule) => !rule.startsWith('AUTH') && rule !== 'WIRE-5' && rule !== 'SNAP-1');

/** What stands for the program of a round, whose steps are chosen as it goes. */
const faultProgram: Program = { version: 1, scenario: 'faults', tasks: {}, clients: [[], []] };

interface Tallied {
  witnesses: number;
  undecided: string | undefined;
  found: { readonly finding: Finding; readonly history: History; readonly round: number } | undefined;
}

/**
 * Works on fresh stores in rounds until the time is up, at least once through every kind of fault; gives a certificate
 * whose notes hold the counts, and the counts. Throws a `SubjectFault` where a store gives no answer at all.
 */
export async function certifyUnderFaults(
  subject: Subject,
  options: FaultOptions = {},
): Promise<{ readonly certificate: Certificate; readonly counts: FaultCounts }> {
  const startedAt = new Date();
  const from = performance.now();
  await startSubject(subject);
  try {
    const kinds = await faultKinds(subject);
    if (kinds.length === 0) throw noFaults(subject.name);
    const run = new FaultRun(subject, options, kinds);
    const until = from + (options.timeBudgetMs ?? defaults.timeBudgetMs);
    while ((performance.now() < until || !run.isThrough) && options.signal?.aborted !== true) await run.round();
    return {
      counts: run.counts(),
      certificate: {
        format: 'pagecheck-certificate',
        version: 1,
        pagecheck: version,
        subject: `${subject.name} under faults`,
        profile: '0.6',
        seed: options.seed ?? 1,
        startedAt: startedAt.toISOString(),
        durationMs: performance.now() - from,
        environment: { node: process.version, platform: `${process.platform} ${process.arch}` },
        programs: run.rounds,
        operations: run.operations,
        pages: run.pages,
        rules: run.results(),
        coverage: [],
        notes: [...run.notes(), ...(subject.notes?.() ?? [])],
      },
    };
  } finally {
    await stopSubject(subject);
  }
}

class FaultRun {
  rounds = 0;
  operations = 0;
  pages = 0;
  readonly #subject: Subject;
  readonly #options: FaultOptions;
  readonly #kinds: readonly string[];
  readonly #seed: number;
  readonly #below: (bound: number) => number;
  readonly #tallies = new Map<string, Tallied>();
  readonly #injected = new Map<string, number>();
  #queue: string[] = [];
  #taken = 0;
  #acknowledged = 0;
  #unknown = 0;
  #lost = 0;

  constructor(subject: Subject, options: FaultOptions, kinds: readonly string[]) {
    this.#subject = subject;
    this.#options = options;
    this.#kinds = kinds;
    this.#seed = options.seed ?? 1;
    this.#below = seededNumbers(this.#seed);
  }

  /** Every kind had its turn. */
  get isThrough(): boolean {
    return this.#taken >= this.#kinds.length;
  }

  async round(): Promise<void> {
    const { operationTimeoutMs = defaults.operationTimeoutMs, signal, onProgress } = this.#options;
    const seed = (this.#seed ^ Math.imul(this.rounds + 1, 0x9e3779b1)) | 0;
    const kinds = Array.from({ length: FAULTS_A_ROUND }, () => this.#nextKind());
    const { history, injected, broken } = await runFaultRound(this.#subject, {
      clients: CLIENTS,
      kinds,
      seed,
      operationTimeoutMs,
      ...(signal === undefined ? {} : { signal }),
    });
    for (const kind of injected) this.#injected.set(kind, (this.#injected.get(kind) ?? 0) + 1);
    this.operations += history.entries.length;
    this.pages += history.entries.filter(({ operation }) => operation.op === 'list').length;
    this.#judge(history, broken);
    this.#options.saveHistory?.(formatHistory(this.#subject, history, { profile: '0.6', program: faultProgram }));
    this.rounds++;
    onProgress?.(this.#progress());
  }

  counts(): FaultCounts {
    return {
      acknowledged: this.#acknowledged,
      unknown: this.#unknown,
      lost: this.#lost,
      injected: Object.fromEntries(this.#injected),
    };
  }

  notes(): string[] {
    const { acknowledged, unknown, lost, injected } = this.counts();
    const kinds = Object.entries(injected).map(([kind, times]) => `${kind} ${times}`);
    const missed = this.#kinds.filter((kind) => injected[kind] === undefined);
    return [
      `${acknowledged} acknowledged writes, ${unknown} of unknown outcome, ${lost} lost.`,
      `${kinds.length === 0 ? 'No fault' : `Faults: ${kinds.join(', ')}`}, in ${this.rounds} rounds of ${CLIENTS} clients.`,
      ...(missed.length === 0 ? [] : [`Not brought about: ${missed.join(', ')}.`]),
      ...(this.#options.signal?.aborted === true ? ['The run was ended early.'] : []),
    ];
  }

  results(): RuleResult[] {
    return profileRules('0.6', this.#subject.capabilities.scope).flatMap(
      ({ rule, level, applicable }): RuleResult[] => {
        if (!applicable) return [];
        const floor = floorOf(rule.id);
        const { witnesses, undecided, found } = this.#tally(rule.id);
        const base = { rule: rule.id, level, witnesses, floor, durationMs: 0 };
        if (found !== undefined)
          return [{ ...base, status: 'fail' as const, counterexample: this.#counterexample(rule.id, found) }];
        if (!rules.includes(rule.id))
          return [{ ...base, status: 'not-run' as const, reason: 'a run under faults does not judge it' }];
        if (undecided !== undefined) return [{ ...base, status: 'unknown' as const, reason: undecided }];
        if (witnesses < floor)
          return [
            { ...base, status: 'vacuous' as const, reason: `it could have failed ${witnesses} times in this run` },
          ];
        return [{ ...base, status: 'pass' as const }];
      },
    );
  }

  /** All kinds in an order that the seed shuffles, again and again. */
  #nextKind(): string {
    if (this.#queue.length === 0) {
      const rest = [...this.#kinds];
      while (rest.length > 0) this.#queue.push(...rest.splice(this.#below(rest.length), 1));
    }
    this.#taken++;
    return this.#queue.pop() ?? '';
  }

  #judge(history: History, broken: string | undefined): void {
    const durability = judgeDurability(history.entries);
    this.#acknowledged += durability.acknowledged;
    this.#unknown += durability.unknown;
    this.#lost += durability.lost;
    const reports = [durability.report, ...judgeConcurrent(history, contextOf(this.#subject, {}))];
    for (const { rule, witnesses, findings, undecided } of reports) {
      const tally = this.#tally(rule);
      tally.witnesses += witnesses;
      tally.undecided ??= undecided;
      const [finding] = findings;
      if (finding !== undefined) tally.found ??= { finding, history, round: this.rounds };
    }
    if (broken !== undefined)
      this.#tally('SNAP-2').found ??= { finding: doesNotWork(history, broken), history, round: this.rounds };
  }

  #tally(rule: string): Tallied {
    const known = this.#tallies.get(rule) ?? { witnesses: 0, undecided: undefined, found: undefined };
    this.#tallies.set(rule, known);
    return known;
  }

  /** A history with faults happens once: it is kept whole, and judged again from the file. */
  #counterexample(rule: string, { finding, history, round }: NonNullable<Tallied['found']>): Counterexample {
    const program = faultProgram;
    const name = `${this.#subject.name}-faults-${rule}-${this.#seed}`;
    const text = formatHistory(this.#subject, history, { profile: '0.6', rule, program });
    const command = this.#options.saveReplay?.(name, text, 'jsonl');
    const again = `pagecheck certify ${this.#options.reference ?? this.#subject.name} --faults --seed ${this.#seed}`;
    return {
      finding,
      program,
      trace: finding.entries.flatMap((index) => history.entries[index] ?? []).map(formatEntry),
      steps: 0,
      seed: this.#seed,
      run: round,
      replay: command ?? again,
    };
  }

  #progress(): Progress {
    const failed = [...this.#tallies].filter(([, { found }]) => found !== undefined).map(([rule]) => rule);
    const base = { subject: this.#subject.name, phase: 'run', programs: this.rounds, of: this.rounds } as const;
    return { ...base, operations: this.operations, failed };
  }
}

function noFaults(name: string): UsageError {
  return new UsageError({
    where: name,
    problem: 'has no place where faults can happen',
    remedy: 'certify postgres with --faults, or this without',
  });
}

function doesNotWork({ entries }: History, why: string): Finding {
  const last = entries.length - 1;
  return {
    rule: 'SNAP-2',
    entries: [last],
    saw: `after the faults the store does not work again: ${why}`,
    allowed: 'once a fault is over, calls take effect again without a new process',
    let: [],
    then: entries.slice(-1).map(formatEntry),
    however: why,
  };
}
