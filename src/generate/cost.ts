/** Programs that measure: the same operations in a small store and in one sixteen times as large. */
import type { Program, Step } from '../history/program.ts';
import { clockAt, sequential } from './scenario.ts';

const small = 256;
const large = 4096;

/** Every shape in which a store's cost may hide: all at one time, times in order, one task written over and over. */
export const costPrograms: readonly Program[] = [shape('cost-ties', false), shape('cost-monotone', true)];

function shape(scenario: string, ticking: boolean): Program {
  return sequential(
    scenario,
    {},
    [
      clockAt(0n),
      ...grown('T', small, ticking),
      ...measured('T', 1n),
      ...grown('U', large - small, ticking),
      ...measured('U', 2n),
    ],
    { counters: true },
  );
}

/** Fills the store, all at one time or in slices whose times go up. */
function grown(task: string, count: number, ticking: boolean): Step[] {
  if (!ticking) return [{ op: 'fill', task, count }];
  const slices = 16;
  return Array.from({ length: slices }, (_, slice): Step[] => [
    clockAt(BigInt(slice) + (task === 'T' ? 0n : 100n)),
    { op: 'fill', task: `${task}${slice}`, count: Math.floor(count / slices) },
  ]).flat();
}

/** Pages at every depth, then writes of old tasks, a read between them, and one task written again and again. */
function measured(task: string, round: bigint): Step[] {
  const first = `${task}-0000000`;
  const names = [first, `${task}0-0000000`, `${task}0-0000003`];
  const write = (name: string): Step[] => [
    { op: 'replace', task: name },
    { op: 'append', task: name, message: `m${round}` },
    { op: 'first', walk: 'v', pageSize: 2, total: false },
  ];
  return [
    { op: 'walk', walk: `w${round}`, pageSize: 100 },
    { op: 'walk', walk: `x${round}`, pageSize: 50, total: false },
    clockAt(round * 1_000n),
    ...names.flatMap(write),
    ...Array.from({ length: 20 }, (): Step => ({ op: 'replace', task: 'again' })),
    { op: 'create', task: `again${round}` },
    ...Array.from({ length: 20 }, (): Step => ({ op: 'replace', task: `again${round}` })),
    { op: 'delete', task: `again${round}` },
    { op: 'first', walk: 'v', pageSize: 2 },
  ];
}
