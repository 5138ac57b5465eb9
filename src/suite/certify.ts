/** A subject, the rules and a budget: a certificate. */
import { type ProfileName, profiles } from '../../spec/profiles.ts';
import type { CheckContext } from '../check/check.ts';
import { concurrentRules } from '../check/concurrent.ts';
import { judgeableRules } from '../check/index.ts';
import { concurrentSource } from '../generate/concurrent.ts';
import { costPrograms } from '../generate/cost.ts';
import { databasePrograms } from '../generate/database.ts';
import { type ProgramSource, programSource } from '../generate/index.ts';
import { isConcurrent, type Program } from '../history/program.ts';
import { Deadline } from '../run/deadline.ts';
import { openStore } from '../run/open-store.ts';
import type { Strategy } from '../run/schedule.ts';
import { startSubject, stopSubject } from '../run/subject-life.ts';
import { gateDatabases } from '../subject/postgres-gates.ts';
import type { Subject, SubjectStore } from '../subject/subject.ts';
import { version } from '../version.ts';
import { withCoverage } from './adversaries.ts';
import { type Methods, type Ruling, rulings } from './applicable.ts';
import type { Certificate, Counterexample, Proof, RuleResult } from './certificate.ts';
import { type Found, showViolation, stepCount } from './counterexample.ts';
import { CoverageCount } from './coverage.ts';
import { runEvery } from './every-program.ts';
import { runEverySchedule } from './every-schedule.ts';
import { floorOf } from './floors.ts';
import { formatHistory } from './history-file.ts';
import { judgeProgram } from './judge.ts';
import { runInLanes } from './lanes.ts';
import { judgeLayers } from './layers.ts';
import { goesInLockstep, lockstepNote, runInLockstep } from './lockstep.ts';
import { applicableFaults, prove } from './prove.ts';
import { formatReplay } from './replay-file.ts';
import { strategyOf } from './strategies.ts';
import { withProof } from './with-proof.ts';

export interface CertifyOptions {
  /** `0.6` where absent. */
  readonly profile?: ProfileName;
  /** Decides every program; 1 where absent. */
  readonly seed?: number;
  /** How many programs; 6,000 where absent. */
  readonly runs?: number;
  /** The longest that running programs may take, in milliseconds; 40,000 where absent. While a rule lacks
   * witnesses, as long again is spent on the scenarios that give it some. Shrinking comes on top. */
  readonly timeBudgetMs?: number;
  /** Judge these rules only; all where absent. */
  readonly rules?: readonly string[];
  /** The longest that one operation may take, in milliseconds; 5,000 where absent. */
  readonly operationTimeoutMs?: number;
  /** This run takes every `of`-th program from position `index` on, so that shards are disjoint. */
  readonly shard?: { readonly index: number; readonly of: number };
  /** Executions that shrinking one counterexample may take; 800 where absent. */
  readonly shrinkExecutions?: number;
  /** Runs several clients at once as well, for the rules that one client can't break alone; not where absent. */
  readonly concurrent?: boolean;
  /** How many programs of several clients; 1,500 where absent. */
  readonly concurrentRuns?: number;
  /** The longest that running those may take, in milliseconds, after the others; 20,000 where absent. */
  readonly concurrentBudgetMs?: number;
  /** Puts faults around the subject's own store after the run, to see which of them this run would have noticed. */
  readonly prove?: boolean;
  /** The longest that proving may take, in milliseconds, all faults together; 60,000 where absent. */
  readonly proveBudgetMs?: number;
  /**
   * Runs every program of so many operations as well: a few letters, small stores, nothing left to chance; with
   * `concurrent`, and where schedules can be controlled, every schedule of every pair of operations too. Not where absent.
   */
  readonly exhaustive?: number;
  /** Told now and then how far the run is. */
  readonly onProgress?: (progress: Progress) => void;
  /** What finds the subject again, such as the path of its module; its name where absent. */
  readonly reference?: string;
  /** Keeps a counterexample, or a history (`jsonl`), as text and gives the command that shows it again. */
  readonly saveReplay?: (name: string, text: string, kind?: 'json' | 'jsonl') => string;
  /** Takes the whole history of each program of several clients, as a text that can be judged again. */
  readonly saveHistory?: (text: string) => void;
  /** Ends the run early and cleanly. */
  readonly signal?: AbortSignal;
}

export interface Progress {
  readonly subject: string;
  /** Under `prove` programs are faults. */
  readonly phase: 'run' | 'shrink' | 'prove';
  readonly programs: number;
  readonly of: number;
  readonly operations: number;
  readonly failed: readonly string[];
}

/** What a run takes where nothing is said. */
export const defaults = {
  runs: 6_000,
  timeBudgetMs: 40_000,
  concurrentRuns: 1_500,
  concurrentBudgetMs: 20_000,
  proveBudgetMs: 60_000,
  operationTimeoutMs: 5_000,
  shrinkExecutions: 800,
  shrinkBudgetMs: 20_000,
} as const;

/** The share of the time budget that a run may take on top while a rule lacks witnesses. */
const overtime = 1;

/** A program and its place in the run. */
interface Placed {
  readonly program: Program;
  readonly run: number;
}

/** What was met of one rule so far. */
interface Tallied {
  witnesses: number;
  durationMs: number;
  /** Why a search gave up, where one did. */
  undecided?: string;
  /** The smallest program that showed a violation; one of a single client before any of several. */
  found: Found | undefined;
}

/**
 * Certifies a subject. The same seed gives the same programs, and on a deterministic subject the same verdicts, as long
 * as the time budget does not run out. Throws a `SubjectFault` where the subject can't be opened, does not answer in
 * time or breaks its interface.
 */
export async function certify(given: Subject, options: CertifyOptions = {}): Promise<Certificate> {
  const startedAt = new Date();
  const from = performance.now();
  const gates = options.concurrent === true ? gateDatabases() : undefined;
  await startSubject(given);
  const subject = gates?.over(given) ?? given;
  try {
    const probe = await probeStore(subject, options.operationTimeoutMs ?? defaults.operationTimeoutMs);
    const profile = options.profile ?? '0.6';
    const atOnce = new Set(options.concurrent === true ? concurrentRules : []);
    const all = rulings(profile, subject.capabilities, probe.methods, probe.counters, judgeableRules, atOnce);
    const asked = all.filter(({ rule }) => options.rules === undefined || options.rules.includes(rule.id));
    const judged = asked.filter(({ standing }) => standing === 'judged').map(({ rule }) => rule.id);
    const campaign = await runCampaign(subject, judged, probe.methods, options);
    const coverage = campaign.coverage.coverage(probe.methods);
    const decided: RuleResult[] = [];
    for (const ruling of asked) decided.push(await decide(subject, ruling, campaign, options));
    const rules = withCoverage(decided, coverage);
    const proof = options.prove === true ? await proveRun(subject, probe.methods, rules, campaign, options) : undefined;
    return {
      format: 'pagecheck-certificate',
      version: 1,
      pagecheck: version,
      subject: subject.name,
      profile,
      seed: options.seed ?? 1,
      ...(options.shard === undefined ? {} : { shard: options.shard }),
      startedAt: startedAt.toISOString(),
      durationMs: performance.now() - from,
      environment: { node: process.version, platform: `${process.platform} ${process.arch}` },
      programs: campaign.programs,
      operations: campaign.operations,
      pages: campaign.pages,
      rules: proof === undefined ? rules : withProof(rules, proof),
      ...(proof === undefined ? {} : { proof }),
      coverage,
      notes: [...campaign.notes, ...(gates?.notes ?? []), ...(subject.notes?.() ?? [])],
    };
  } finally {
    await stopSubject(given);
    await gates?.close();
  }
}

interface Campaign {
  readonly tallies: ReadonlyMap<string, Tallied>;
  readonly coverage: CoverageCount;
  readonly context: CheckContext;
  /** How far the programs of one client were run: the position after the last. */
  readonly positions: number;
  readonly programs: number;
  readonly operations: number;
  readonly pages: number;
  readonly notes: readonly string[];
}

/** Opens one store to see which methods and counters it has. */
async function probeStore(
  subject: Subject,
  timeoutMs: number,
): Promise<{ methods: Methods; counters: readonly string[] }> {
  const deadline = new Deadline(timeoutMs);
  try {
    const store = await openStore(subject, deadline);
    const names = [
      'replace',
      'append',
      'cancel',
      'delete',
      'get',
      'setClock',
      'setAccess',
      'setScope',
      'beneath',
      'push',
      'raw',
      'restart',
      'counters',
    ] as const;
    const methods = new Set<keyof SubjectStore>(names.filter((name) => store[name] !== undefined));
    const counters = Object.keys(store.counters?.() ?? {});
    await deadline.within(`${subject.name}: close`, Promise.resolve(store.close?.()));
    return { methods, counters };
  } finally {
    deadline.stop();
  }
}

/** Runs and judges programs until they, or the time, are used up. */
async function runCampaign(
  subject: Subject,
  judgedRules: readonly string[],
  methods: Methods,
  options: CertifyOptions,
): Promise<Campaign> {
  const context = contextOf(subject, options);
  const shard = options.shard ?? { index: 0, of: 1 };
  const tallies = new Map<string, Tallied>();
  const coverage = new CoverageCount(subject.capabilities);
  const notes: string[] = [];
  /** The scenarios in which a rule could have failed. */
  const metIn = new Map<string, Set<string>>();
  let positions = 0;
  let programs = 0;
  let scheduled = 0;
  let operations = 0;
  let pages = 0;
  let reported = 0;
  /** Says whether a rule failed. */
  const judge = async (program: Program, run: number, chosen?: Strategy): Promise<boolean> => {
    const strategy = chosen ?? (isConcurrent(program) ? strategyOf(run, program, subject) : undefined);
    const judgement = await judgeProgram(subject, program, context, {
      ...runOptions(options),
      ...(strategy === undefined ? {} : { strategy }),
    });
    if (!isConcurrent(program)) positions = Math.max(positions, run + 1);
    programs++;
    operations += judgement.history.entries.length;
    pages += judgement.history.entries.filter(({ operation }) => operation.op === 'list').length;
    if (judgement.world !== undefined) coverage.add(judgement.world);
    const shown = judgement.schedule === undefined ? program : { ...program, schedule: judgement.schedule };
    if (judgement.schedule !== undefined) scheduled++;
    if (isConcurrent(program))
      options.saveHistory?.(
        formatHistory(subject, judgement.history, { profile: options.profile ?? '0.6', program: shown }),
      );
    for (const { rule, witnesses, findings, undecided, durationMs } of judgement.judged) {
      const tallied: Tallied = tallies.get(rule) ?? { witnesses: 0, durationMs: 0, found: undefined };
      tallies.set(rule, tallied);
      tallied.witnesses += witnesses;
      if (witnesses > 0) metIn.set(rule, (metIn.get(rule) ?? new Set()).add(program.scenario));
      tallied.durationMs += durationMs;
      if (undecided !== undefined) tallied.undecided = undecided;
      const finding = findings[0];
      if (finding !== undefined && (tallied.found === undefined || isPlainer({ program, run }, tallied.found)))
        tallied.found = { program: shown, finding, history: judgement.history, run };
    }
    return judgement.judged.some(({ findings }) => findings.length > 0);
  };
  const wanted = (rule: string) => options.rules === undefined || options.rules.includes(rule);
  /** Which scenarios would still help a rule over its floor; `any` where it is not known which would. */
  const lacking = (): ReadonlySet<string> | 'any' | 'none' => {
    const thin = judgedRules.filter((rule) => (tallies.get(rule)?.witnesses ?? 0) < floorOf(rule));
    const unmet = coverage.coverage(methods).some(({ count, floor }) => count < floor);
    if (thin.length === 0 && !unmet) return 'none';
    if (unmet || thin.some((rule) => !metIn.has(rule))) return 'any';
    return new Set(thin.flatMap((rule) => [...(metIn.get(rule) ?? [])]));
  };
  if (shard.index === 0 && subject.capabilities.scope.includes('I') && ['COST-1', 'COST-2'].some(wanted)) {
    for (const [position, program] of costPrograms.entries())
      if (await hasCounters(subject)) await judge(program, -1 - position);
  }
  if (shard.index === 0) {
    for (const [position, program] of databasePrograms(subject.capabilities, wanted).entries())
      if (options.signal?.aborted !== true) await judge(program, -1 - position);
  }
  const runAll = async (
    source: ProgramSource,
    { runs, budgetMs, flag, lanes }: { readonly runs: number; readonly budgetMs: number; flag: string; lanes: number },
  ): Promise<void> => {
    const until = performance.now() + budgetMs;
    const of = Math.ceil(runs / shard.of);
    const before = programs;
    let useful: ReturnType<typeof lacking> = 'any';
    let upcoming = shard.index;
    const end = (why: string): undefined => {
      if (upcoming < runs) notes.push(why);
      upcoming = runs;
    };
    const next = (): Placed | undefined => {
      for (; upcoming < runs; upcoming += shard.of) {
        if (options.signal?.aborted === true) return end(`The run was ended after ${programs} programs.`);
        if (performance.now() > until) {
          // On a slow machine a rule may be short of witnesses yet: as long again, for what still helps.
          useful = performance.now() > until + budgetMs * overtime ? 'none' : lacking();
          const done = `${programs - before} of ${of} programs`;
          if (useful === 'none') return end(`The time budget ended the run after ${done}; give ${flag} for more.`);
        }
        const placed = { program: source(upcoming), run: upcoming };
        if (typeof useful === 'object' && !useful.has(placed.program.scenario)) continue;
        upcoming += shard.of;
        return placed;
      }
      return undefined;
    };
    await runInLanes<Placed>({
      lanes,
      next,
      // What is done to a database reaches beyond one store: a vacuum, say, waits for every open snapshot.
      isAlone: ({ program }) => program.scenario.startsWith('database'),
      run: async ({ program, run }) => {
        await judge(program, run);
        if (performance.now() - reported <= 200) return;
        reported = performance.now();
        const failed = judgedRules.filter((rule) => tallies.get(rule)?.found !== undefined);
        const progress = { phase: 'run', programs: programs - before, of, operations, failed } as const;
        options.onProgress?.({ subject: subject.name, ...progress });
      },
    });
  };
  const seed = options.seed ?? 1;
  await runAll(programSource(subject.capabilities, seed), {
    runs: options.runs ?? defaults.runs,
    budgetMs: options.timeBudgetMs ?? defaults.timeBudgetMs,
    flag: '--time-budget',
    lanes: subject.lanes ?? 1,
  });
  // The model's answers concern every rule: a run for some of them is left to the scenarios that aim at those.
  if (options.rules === undefined && goesInLockstep(subject.capabilities, context)) {
    const part = await runInLockstep(subject, context, judge, {
      seed,
      runs: Math.floor((options.runs ?? defaults.runs) / 4 / shard.of),
      budgetMs: (options.timeBudgetMs ?? defaults.timeBudgetMs) / 10,
      timeoutMs: 4 * runOptions(options).operationTimeoutMs,
      shard,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    const note = lockstepNote(part);
    if (note !== undefined) notes.push(note);
  }
  if (options.exhaustive !== undefined) {
    const onProgram = (done: number, of: number) => {
      const failed = judgedRules.filter((rule) => tallies.get(rule)?.found !== undefined);
      options.onProgress?.({ subject: subject.name, phase: 'run', programs: done, of, operations, failed });
    };
    notes.push(await runEvery(options.exhaustive, judge, options.signal, onProgram));
    if (options.concurrent === true && (subject.openScheduled ?? subject.openGated) !== undefined) {
      const budgetMs = options.concurrentBudgetMs ?? defaults.concurrentBudgetMs;
      notes.push(await runEverySchedule(judge, { signal: options.signal, budgetMs }));
    }
  }
  // An agent tells what a write left when it is asked for it after: of writes at once nobody could say whose that is.
  if (options.concurrent === true && subject.capabilities.agent !== true && concurrentRules.some(wanted))
    await runAll(concurrentSource(subject.capabilities, seed), {
      runs: options.concurrentRuns ?? defaults.concurrentRuns,
      budgetMs: options.concurrentBudgetMs ?? defaults.concurrentBudgetMs,
      flag: '--concurrent-budget',
      // Clients that run at once are slowed by nobody else: how they meet should hang on them alone.
      lanes: 1,
    });
  if (options.concurrent === true && subject.openGated !== undefined) notes.push(scheduleNote(scheduled));
  return { tallies, coverage, context, positions, programs, operations, pages, notes };
}

/** Says what a gate was worth. */
function scheduleNote(scheduled: number): string {
  return scheduled > 0
    ? `A schedule decided which request reached PostgreSQL next, in ${scheduled} programs of several clients.`
    : 'No request came through the gate, so no schedule decided anything: does the store connect with the string that it was given?';
}

async function hasCounters(subject: Subject): Promise<boolean> {
  const store = await subject.open();
  const has = store.counters !== undefined;
  await store.close?.();
  return has;
}

export function contextOf(subject: Subject, options: Pick<CertifyOptions, 'profile'>): CheckContext {
  return { capabilities: subject.capabilities, order: profiles[options.profile ?? '0.6'].order };
}

function runOptions(options: CertifyOptions): { operationTimeoutMs: number } {
  return { operationTimeoutMs: options.operationTimeoutMs ?? defaults.operationTimeoutMs };
}

/** Fewer steps are plainer; one client is plainer than several, whatever the steps; then the program that comes first. */
function isPlainer(one: Placed, other: Placed): boolean {
  if (isConcurrent(one.program) !== isConcurrent(other.program)) return isConcurrent(other.program);
  const more = stepCount(one.program) - stepCount(other.program);
  return more === 0 ? one.run < other.run : more < 0;
}

/** Turns what was met of a rule into its result; a violation is shrunk first. */
async function decide(
  subject: Subject,
  ruling: Ruling,
  campaign: Campaign,
  options: CertifyOptions,
): Promise<RuleResult> {
  const { rule, level } = ruling;
  const tallied: Tallied = campaign.tallies.get(rule.id) ?? { witnesses: 0, durationMs: 0, found: undefined };
  const floor = floorOf(rule.id);
  const base = { rule: rule.id, level, witnesses: tallied.witnesses, floor, durationMs: tallied.durationMs };
  if (ruling.standing === 'not-applicable')
    return { ...base, witnesses: 0, status: 'not-applicable', reason: ruling.reason ?? '' };
  if (tallied.found !== undefined) {
    options.onProgress?.({
      subject: subject.name,
      phase: 'shrink',
      programs: campaign.programs,
      of: campaign.programs,
      operations: campaign.operations,
      failed: [rule.id],
    });
    const counterexample = await explain(subject, rule.id, tallied.found, campaign.context, options);
    return { ...base, status: 'fail', counterexample };
  }
  if (ruling.standing === 'not-run') return { ...base, status: 'not-run', reason: ruling.reason ?? '' };
  if (tallied.undecided !== undefined) return { ...base, status: 'unknown', reason: tallied.undecided };
  if (tallied.witnesses < floor) {
    return {
      ...base,
      status: 'vacuous',
      reason: `it could have failed ${tallied.witnesses} times in this run; ${floor} are needed`,
    };
  }
  return { ...base, status: 'pass' };
}

/** Tries which faults the programs of this run would have noticed. */
function proveRun(
  subject: Subject,
  methods: Methods,
  rules: readonly RuleResult[],
  { context, positions, operations }: Campaign,
  options: CertifyOptions,
): Promise<Proof[]> {
  const onFault = (done: number, of: number) =>
    options.onProgress?.({ subject: subject.name, phase: 'prove', programs: done, of, operations, failed: [] });
  return prove(subject, applicableFaults(subject, methods, rules), context, {
    seed: options.seed ?? 1,
    runs: positions,
    shard: options.shard ?? { index: 0, of: 1 },
    ...runOptions(options),
    proveBudgetMs: options.proveBudgetMs ?? defaults.proveBudgetMs,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    onFault,
  });
}

/** Shrinks a violation and keeps it as a replay. */
async function explain(
  subject: Subject,
  rule: string,
  found: Found,
  context: CheckContext,
  options: CertifyOptions,
): Promise<Counterexample> {
  const { history, ...shown } = await showViolation(subject, rule, found, {
    context,
    ...runOptions(options),
    shrinkExecutions: options.shrinkExecutions ?? defaults.shrinkExecutions,
    shrinkBudgetMs: defaults.shrinkBudgetMs,
  });
  const { program } = shown;
  const seed = options.seed ?? 1;
  const profile = options.profile ?? '0.6';
  const layers = await judgeLayers(subject, program, { profile, ...runOptions(options) });
  const reference = options.reference ?? subject.name;
  const name = `${subject.name}-${rule}-${seed}`.replace(/[^A-Za-z0-9.]+/g, '-').replace(/^-/, '');
  const replay = options.saveReplay?.(
    name,
    formatReplay({ subject: reference, profile, rule, seed, run: found.run, program }),
  );
  // What was seen at once may not be seen again: the history is kept as well.
  const kept = isConcurrent(program)
    ? options.saveReplay?.(name, formatHistory(subject, history, { profile, rule, program }), 'jsonl')
    : undefined;
  return {
    ...shown,
    ...(layers === undefined ? {} : { layers }),
    seed,
    run: found.run,
    replay: replay ?? `pagecheck certify ${reference} --rule ${rule} --seed ${seed}`,
    ...(kept === undefined ? {} : { history: kept }),
  };
}
