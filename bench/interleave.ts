/** Measures several cases in turns, so that whatever else the machine does meets them all. */
import { Bench } from 'tinybench';
import type { Measure } from './table.ts';

/** Something to time. */
export interface BenchCase {
  readonly what: string;
  /** How many operations one `run` does: many, where one is shorter than the timer can tell. */
  readonly batch: number;
  /** Prepares a run, untimed. */
  before?(): void;
  run(): unknown;
}

/** How long to measure. */
export interface Rounds {
  readonly rounds: number;
  /** Time of each case in each round, in milliseconds; at least three runs are timed, however long they take. */
  readonly timeMs: number;
}

/** The measured cases of one interleaved run. */
export interface Interleaved {
  /** Time of one operation: the median over the rounds of each round's median. */
  measure(what: string): Measure;
  /** The median over the rounds of one case's time divided by another's in the same round. */
  ratio(what: string, reference: string): number;
}

/**
 * Times each case once a round, every other round in the opposite order. Asynchronous cases are awaited, one operation
 * at a time. A first round warms up and is thrown away.
 */
export async function interleave(cases: readonly BenchCase[], { rounds, timeMs }: Rounds): Promise<Interleaved> {
  const times = new Map<string, number[]>(cases.map(({ what }) => [what, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const benchCase of round % 2 === 0 ? cases : cases.toReversed()) {
      const nanos = await medianNanos(benchCase, round === 0 ? timeMs / 2 : timeMs);
      if (round > 0) times.get(benchCase.what)!.push(nanos);
    }
  }
  return {
    measure: (what) => measureOf(what, times.get(what)!),
    ratio: (what, reference) => median(times.get(what)!.map((time, round) => time / times.get(reference)![round]!)),
  };
}

async function medianNanos({ what, batch, before, run }: BenchCase, timeMs: number): Promise<number> {
  const bench = new Bench({ time: timeMs, iterations: 3, warmup: false, throws: true, retainSamples: true });
  bench.add(what, run, before === undefined ? {} : { beforeEach: before });
  const [task] = await bench.run();
  const result = task!.result;
  if (result.state !== 'completed') throw new Error(`The benchmark case "${what}" did not complete`);
  return (median(result.latency.samples ?? []) * 1e6) / batch;
}

function measureOf(what: string, nanos: readonly number[]): Measure {
  const micros = median(nanos) >= 10_000;
  const scaled = nanos.map((time) => (micros ? time / 1000 : time));
  const spread = { low: Math.min(...scaled), high: Math.max(...scaled) };
  return { what, unit: micros ? 'µs' : 'ns', median: median(scaled), ...spread, rounds: nanos.length };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
