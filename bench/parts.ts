/** The parts of the benchmark. */
import { engineBench } from './engine.bench.ts';
import { indexBench } from './index.bench.ts';
import { linearizabilityBench } from './linearizability.bench.ts';
import { postgresBench } from './postgres.bench.ts';
import { storeBench } from './store.bench.ts';
import type { BenchPart } from './table.ts';
import { wireBench } from './wire.bench.ts';

/** Every part, in the order in which they run. A new one is a file and a line. */
export const parts: readonly BenchPart[] = [
  indexBench,
  storeBench,
  postgresBench,
  wireBench,
  linearizabilityBench,
  engineBench,
];
