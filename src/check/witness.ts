/** Builds findings: the entries that prove them become the lines of Let and Then. */
import { formatEntry } from '../history/notation.ts';
import type { Finding } from './verdict.ts';
import type { Version, World } from './world.ts';

export interface Proof {
  readonly rule: string;
  /** Entries that made the situation, in any order; each becomes a line of Let. */
  readonly let: readonly number[];
  /** Entries that show the violation. */
  readonly then: readonly number[];
  readonly saw: string;
  readonly allowed: string;
  /** Why the two can't both be right; `saw` where absent. */
  readonly however?: string;
}

/** The most lines of Let; a proof that needs more names the nearest. */
const letLines = 12;

/** Turns a proof into a finding. */
export function finding(world: Pick<World, 'entries'>, proof: Proof): Finding {
  const line = (index: number): string => {
    const entry = world.entries[index];
    return entry === undefined ? `#${index}` : formatEntry(entry);
  };
  const before = [...new Set(proof.let)].filter((index) => !proof.then.includes(index)).sort((a, b) => a - b);
  return {
    rule: proof.rule,
    entries: [...new Set([...before, ...proof.then])].sort((a, b) => a - b),
    saw: proof.saw,
    allowed: proof.allowed,
    let: before.slice(-letLines).map(line),
    then: proof.then.map(line),
    however: proof.however ?? `${proof.saw}; ${proof.allowed}`,
  };
}

/** The entries that wrote these versions. */
export function written(versions: readonly (Version | undefined)[]): number[] {
  return versions.flatMap((version) => (version === undefined ? [] : [version.entry]));
}
