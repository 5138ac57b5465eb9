/** The engine: how many operations a second are generated, run and checked, in memory and on PostgreSQL. */

import { modelOptions } from '../src/check/check.ts';
import { observe } from '../src/check/world.ts';
import { programSource } from '../src/generate/index.ts';
import type { Program } from '../src/history/program.ts';
import { runSequentially } from '../src/run/sequential.ts';
import { createMemorySubject } from '../src/subject/memory.ts';
import { createPostgresSubject } from '../src/subject/postgres.ts';
import type { Subject } from '../src/subject/subject.ts';
import { contextOf } from '../src/suite/certify.ts';
import { judgeProgram } from '../src/suite/judge.ts';
import { runInLanes } from '../src/suite/lanes.ts';
import { runInLockstep } from '../src/suite/lockstep.ts';
import type { BenchOptions, BenchPart, BenchRow, BenchTable, Measure } from './table.ts';

const subject = createMemorySubject();
const limit = { operationTimeoutMs: 5_000 };
const targets = { memory: 250_000, postgres: 5_000 } as const;

/** The first programs of a seed. What is done to the database itself is left out: such a step takes a second by design. */
function programsOf(driven: Subject, seed: number, size: number): Program[] {
  const source = programSource(driven.capabilities, seed);
  const programs = Array.from({ length: size }, (_, index) => source(index));
  return programs.filter(({ scenario }) => !scenario.startsWith('database'));
}

/** Generates, runs and judges as `certify` does, in as many lanes as the subject has; gives the number of operations. */
async function checked(driven: Subject, seed: number, size: number): Promise<number> {
  const programs = programsOf(driven, seed, size);
  const judging = contextOf(driven, {});
  let operations = 0;
  await runInLanes<Program>({
    lanes: driven.lanes ?? 1,
    next: () => programs.shift(),
    isAlone: () => false,
    run: async (program) => {
      operations += (await judgeProgram(driven, program, judging, limit)).history.entries.length;
    },
  });
  return operations;
}

/** Goes in lockstep with the model as `certify` does; gives the number of operations. */
async function inLockstep(driven: Subject, seed: number, runs: number): Promise<number> {
  const options = { seed, runs, budgetMs: 60_000, timeoutMs: 20_000, shard: { index: 0, of: 1 } };
  const { operations, differing } = await runInLockstep(driven, contextOf(driven, {}), async () => false, options);
  if (differing > 0) throw new Error(`${differing} programs of seed ${seed} met an answer that is not the model's`);
  return operations;
}

function withTarget(measure: Measure, target: number): BenchRow {
  return { measure, target: { text: `≥ ${target.toLocaleString('en')} a second`, met: measure.median >= target } };
}

/** Gives rates over rounds of as many programs each; the first round warms up and is thrown away. */
async function rates(what: string, rounds: number, work: (round: number) => Promise<number>): Promise<Measure> {
  const found: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const from = performance.now();
    const operations = await work(round);
    if (round > 0) found.push((operations / (performance.now() - from)) * 1_000);
  }
  found.sort((a, b) => a - b);
  const at = (share: number) => found[Math.min(found.length - 1, Math.floor(found.length * share))] as number;
  return { what, unit: 'ops/s', median: at(0.5), low: at(0), high: at(1), rounds };
}

async function run({ quick, progress }: BenchOptions): Promise<BenchTable> {
  const rounds = quick ? 2 : 7;
  const size = quick ? 200 : 1_500;
  const rows: BenchRow[] = [];
  progress('engine: in lockstep with the model');
  const lockstep = await rates('in memory: generated, run and compared with the model', rounds, (round) =>
    inLockstep(subject, round + 1, size),
  );
  rows.push(withTarget(lockstep, targets.memory));
  progress('engine: generated, run and checked');
  const whole = await rates('in memory: generated, run and asked every rule', rounds, (round) =>
    checked(subject, round + 1, size),
  );
  rows.push(withTarget(whole, targets.memory));
  progress('engine: run alone');
  const ready = Array.from({ length: rounds + 1 }, (_, round) => programsOf(subject, round + 1, size));
  const alone = await rates('in memory: run alone, programs ready', rounds, async (round) => {
    let operations = 0;
    for (const program of ready[round] ?? [])
      operations += (await runSequentially(subject, program, limit)).entries.length;
    return operations;
  });
  rows.push({ measure: alone });
  progress('engine: understood alone');
  const histories = await Promise.all((ready[0] ?? []).map((program) => runSequentially(subject, program, limit)));
  const understood = await rates('in memory: histories understood, before any check', rounds, async () =>
    histories.reduce((sum, history) => sum + observe(history, modelOptions(subject.capabilities)).entries.length, 0),
  );
  rows.push({ measure: understood });
  progress('engine: on PostgreSQL');
  const postgres = createPostgresSubject();
  await postgres.start?.();
  try {
    const lockstepOnServer = await rates('on PostgreSQL: generated, run and compared with the model', rounds, (round) =>
      inLockstep(postgres, round + 1, size / 10),
    );
    rows.push(withTarget(lockstepOnServer, targets.postgres));
    const onServer = await rates('on PostgreSQL: generated, run and asked every rule', rounds, (round) =>
      checked(postgres, round + 1, size / 5),
    );
    rows.push(withTarget(onServer, targets.postgres));
  } finally {
    await postgres.stop?.();
  }
  return {
    name: 'engine',
    title: 'The engine: operations a second',
    rows,
    notes: [
      'An operation is one entry of a history. In lockstep each answer is compared with the one that the model gives, and',
      'the rules are asked where one differs; else every check is run on every history.',
      `On PostgreSQL ${postgres.lanes ?? 1} programs are under way at once, each over a schema of its own.`,
    ],
  };
}

/** The part `engine`. */
export const engineBench: BenchPart = { name: 'engine', run };
