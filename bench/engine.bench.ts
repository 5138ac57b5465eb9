/** The engine: how many operations a second are generated, run and checked against the in-memory store. */

import { modelOptions } from '../src/check/check.ts';
import { observe } from '../src/check/world.ts';
import { programSource } from '../src/generate/index.ts';
import type { Program } from '../src/history/program.ts';
import { runSequentially } from '../src/run/sequential.ts';
import { createMemorySubject } from '../src/subject/memory.ts';
import { contextOf } from '../src/suite/certify.ts';
import { judgeProgram } from '../src/suite/judge.ts';
import type { BenchOptions, BenchPart, BenchRow, BenchTable, Measure } from './table.ts';

const subject = createMemorySubject();
const context = contextOf(subject, {});
const limit = { operationTimeoutMs: 5_000 };
const target = 250_000;

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
  const programs = (round: number): Program[] => {
    const source = programSource(subject.capabilities, round + 1);
    return Array.from({ length: size }, (_, index) => source(index));
  };
  const rows: BenchRow[] = [];
  progress('engine: generated, run and checked');
  const whole = await rates('generated, run and checked', rounds, async (round) => {
    let operations = 0;
    for (const program of programs(round)) {
      operations += (await judgeProgram(subject, program, context, limit)).history.entries.length;
    }
    return operations;
  });
  rows.push({
    measure: whole,
    target: { text: `≥ ${target.toLocaleString('en')} a second`, met: whole.median >= target },
  });
  progress('engine: run alone');
  const ready = Array.from({ length: rounds + 1 }, (_, round) => programs(round));
  const alone = await rates('run alone, programs ready', rounds, async (round) => {
    let operations = 0;
    for (const program of ready[round] ?? [])
      operations += (await runSequentially(subject, program, limit)).entries.length;
    return operations;
  });
  rows.push({ measure: alone });
  progress('engine: understood alone');
  const histories = await Promise.all((ready[0] ?? []).map((program) => runSequentially(subject, program, limit)));
  const understood = await rates('histories understood, before any check', rounds, async () =>
    histories.reduce((sum, history) => sum + observe(history, modelOptions(subject.capabilities)).entries.length, 0),
  );
  rows.push({ measure: understood });
  return {
    name: 'engine',
    title: 'The engine against the in-memory store: operations a second',
    rows,
    notes: ['An operation is one entry of a history; every check is run on every history.'],
  };
}

/** The part `engine`. */
export const engineBench: BenchPart = { name: 'engine', run };
