/** Every program of a small scope. */
import { exhaustivePrograms, exhaustiveScope } from '../generate/exhaustive.ts';
import type { Program } from '../history/program.ts';

/** Runs every program of so many operations, whatever it takes; says how many there were. */
export async function runEvery(
  operations: number,
  judge: (program: Program, run: number) => Promise<unknown>,
  signal: AbortSignal | undefined,
  onProgram: (programs: number, of: number) => void,
): Promise<string> {
  let programs = 0;
  let of = 0;
  for (const _ of exhaustivePrograms(operations)) of++;
  for (const program of exhaustivePrograms(operations)) {
    if (signal?.aborted === true)
      return `The exhaustive part was ended after ${programs} of ${of} programs of up to ${operations} operations.`;
    programs++;
    await judge(program, -1_000 - programs);
    if (programs % 100 === 0) onProgram(programs, of);
  }
  return `Every program of up to ${operations} operations, without those that do the same as another one: ${programs} (${exhaustiveScope}).`;
}
