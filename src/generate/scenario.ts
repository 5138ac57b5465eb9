/** What a scenario is: a way to make programs that aim at one kind of trouble. */
import type fc from 'fast-check';
import type { Program, Step } from '../history/program.ts';
import type { Capabilities } from '../subject/subject.ts';

export interface Scenario {
  readonly name: string;
  /** How often it is drawn, against the others. */
  readonly weight: number;
  /** Whether a subject can be driven this way at all. */
  suits(capabilities: Capabilities): boolean;
  programs(capabilities: Capabilities): fc.Arbitrary<Program>;
}

/** The clock value at which programs begin; far from every status timestamp that they use. */
export const baseMicros: bigint = 1_700_000_000_000_000n;

/** A program of one client. */
export function sequential(
  scenario: string,
  tasks: Readonly<Record<string, string>>,
  steps: readonly Step[],
  more: Partial<Program> = {},
): Program {
  return { version: 1, scenario, tasks, clients: [steps], ...more };
}

/** A step that sets the clock to so many microseconds after `baseMicros`. */
export function clockAt(offset: bigint): Step {
  return { op: 'clock', micros: String(baseMicros + offset) };
}
