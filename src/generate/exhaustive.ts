/** Small scope, whole: every program of so many operations over two tasks, two walkers, page sizes 1 and 2. */
import type { Program, Step } from '../history/program.ts';
import { clockAt } from './scenario.ts';

/** One operation of the alphabet, and what of a program it depends on. */
interface Letter {
  readonly step: Step;
  /** The walk that it begins, or that must have begun. */
  readonly begins?: string;
  readonly needs?: string;
  /** The clock moves on before it: otherwise it stands still. */
  readonly ticks?: boolean;
}

const walks = ['w', 'v'] as const;
const sizes = [1, 2] as const;

const letters: readonly Letter[] = [
  ...['A', 'B'].flatMap((task): Letter[] => [
    { step: { op: 'create', task } },
    { step: { op: 'replace', task } },
    { step: { op: 'append', task, message: 'm1' } },
    { step: { op: 'delete', task } },
  ]),
  ...walks.flatMap((walk) =>
    sizes.flatMap((pageSize): Letter[] => [
      { step: { op: 'first', walk, pageSize }, begins: walk },
      { step: { op: 'next', walk, pageSize }, needs: walk },
    ]),
  ),
  { step: { op: 'clock', micros: '' }, ticks: true },
];

/** What was tried, for a certificate's reader. */
export const exhaustiveScope: string =
  'create, replace, append and delete of 2 tasks, first and next pages of size 1 and 2 by 2 walkers, a clock that stands still or moves on';

/**
 * Gives every program of exactly `operations` operations, of which every shorter one is a beginning, each followed by a
 * whole walk. Left out are programs that do the same as another one: the walkers' names swapped, a page after none, a
 * clock that moves twice in a row or last. The tasks can't be swapped: their ids decide ties.
 */
export function* exhaustivePrograms(operations: number): Generator<Program> {
  yield* extend([], operations);
}

function* extend(chosen: readonly Letter[], left: number): Generator<Program> {
  if (left === 0) {
    if (chosen.at(-1)?.ticks !== true) yield programOf(chosen);
    return;
  }
  for (const letter of letters) if (isNew(chosen, letter)) yield* extend([...chosen, letter], left - 1);
}

function isNew(chosen: readonly Letter[], letter: Letter): boolean {
  const begun = (walk: string) => chosen.some(({ begins }) => begins === walk);
  if (letter.needs !== undefined && !begun(letter.needs)) return false;
  if (letter.begins === 'v' && !begun('w')) return false;
  return letter.ticks !== true || (chosen.length > 0 && chosen.at(-1)?.ticks !== true);
}

function programOf(chosen: readonly Letter[]): Program {
  let now = 0n;
  const steps = chosen.map((letter): Step => {
    if (letter.ticks !== true) return letter.step;
    now += 1n;
    return clockAt(now);
  });
  return {
    version: 1,
    scenario: 'exhaustive',
    tasks: { A: 'a', B: 'b' },
    clients: [[clockAt(0n), ...steps, { op: 'walk', walk: 'z', pageSize: 1 }]],
  };
}
