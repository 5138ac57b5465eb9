/** Builds findings: the entries that prove them become the lines of Let and Then. */
import { formatEntry } from '../history/notation.ts';
import type { Finding, TaskMark } from './verdict.ts';
import type { ListMoment, Version, World } from './world.ts';

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
  /** What became of which tasks on which pages. */
  readonly marks?: readonly TaskMark[];
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
    ...(proof.marks === undefined || proof.marks.length === 0 ? {} : { marks: proof.marks }),
  };
}

/** The entries that wrote these versions. */
export function written(versions: readonly (Version | undefined)[]): number[] {
  return versions.flatMap((version) => (version === undefined ? [] : [version.entry]));
}

/** What a page lost of the tasks that were expected on it, and what it shows beyond them. */
export function strayTasks(list: ListMoment, expected: readonly { readonly id: string }[]): TaskMark[] {
  const wanted = new Set(expected.map(({ id }) => id));
  const shown = new Set((list.page?.items ?? []).map(({ id }) => id));
  // A page that goes on elsewhere has not lost what it has no room for.
  const complete = list.page?.nextToken === '' || list.page === undefined;
  const due = complete ? [...wanted] : [...wanted].slice(0, list.page?.items.length ?? 0);
  const entry = list.entry.index;
  return [
    ...due.filter((id) => !shown.has(id)).map((id): TaskMark => ({ id, how: 'lost', entry })),
    ...[...shown].filter((id) => !wanted.has(id)).map((id): TaskMark => ({ id, how: 'intruding', entry })),
  ];
}
