/** A history without an order, cut to the operations that matter, and told. */
import type { Entry } from '../history/history.ts';
import { formatEntry, formatOperation } from '../history/notation.ts';
import type { Linearization } from './linearize.ts';
import type { Finding } from './verdict.ts';

/** Searches an order within a budget of placements. */
export type Search = (entries: readonly Entry[], budget: number) => Linearization;

/** Placements that cutting one history may take in all, and that one of its searches may. */
const cutBudget = 100_000;
const searchBudget = 10_000;

/**
 * Cuts to the shortest beginning that has no order, then drops what proves nothing: reads and refusals whole, and of
 * writes that they succeeded and when they returned (their outcome becomes unknown). Every cut only takes constraints
 * away, so that what is left proves the finding alone.
 */
export function cutToProof(entries: readonly Entry[], search: Search): Entry[] {
  let left = cutBudget;
  let best = [...entries];
  const take = (candidate: readonly Entry[]): boolean => {
    if (left <= 0) return false;
    const found = search(candidate, Math.min(left, searchBudget));
    left -= found.visited + 1;
    if (found.kind !== 'not-linearizable') return false;
    best = [...candidate];
    return true;
  };
  const returns = entries.filter(isDefinite).map((entry) => entry.return);
  let [low, high] = [0, returns.sort((a, b) => a - b).length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (take(until(entries, returns[middle] as number))) high = middle;
    else low = middle + 1;
  }
  for (let at = best.length - 1; at >= 0; at--) {
    const entry = best[at] as Entry;
    if (changesNothing(entry)) take(best.toSpliced(at, 1));
    else if (isDefinite(entry)) take(best.with(at, withUnknownOutcome(entry)));
  }
  return best;
}

function isDefinite({ result }: Entry): boolean {
  return result.kind !== 'unknown';
}

function changesNothing({ operation, result }: Entry): boolean {
  if (operation.op === 'get' || operation.op === 'list' || result.kind === 'error') return true;
  return result.kind === 'written' && result.deduplicated === true;
}

function withUnknownOutcome(entry: Entry): Entry {
  return { ...entry, result: { kind: 'unknown', message: 'left open' } };
}

/** What had happened at an instant: what was under way may have taken effect, or may not. */
function until(entries: readonly Entry[], instant: number): Entry[] {
  return entries.flatMap((entry) => {
    if (entry.call > instant) return [];
    if (entry.return <= instant || !isDefinite(entry)) return [entry];
    return changesNothing(entry) ? [] : [withUnknownOutcome(entry)];
  });
}

/** What is told of a proof: the operations before its last one, that one, and why there is no order. */
export function tellProof(
  rule: string,
  proof: readonly Entry[],
  story: { readonly saw: string; readonly allowed: string },
): Finding {
  const definite = proof.filter(isDefinite).sort((a, b) => a.return - b.return);
  const last = definite.at(-1);
  const before = proof.filter((entry) => entry !== last).sort((a, b) => a.call - b.call);
  return {
    rule,
    entries: proof.map((entry) => entry.index).sort((a, b) => a - b),
    saw: story.saw,
    allowed: story.allowed,
    let: before.slice(-12).map(line),
    then: last === undefined ? [] : [line(last)],
    however: 'no order of these, each at one moment between its call and its return, allows all of their answers',
  };
}

/** The instants decide which orders there are, and the notes which of two equal versions was read. */
function line(entry: Entry): string {
  const { operation, result } = entry;
  const read = result.kind === 'read' ? result.contents : undefined;
  const contents = 'contents' in operation ? operation.contents : read;
  const note = contents === undefined ? '' : `, note ${contents.note}`;
  if (isDefinite(entry)) return `${formatEntry(entry)}${note}  (from ${entry.call} to ${entry.return})`;
  return `#${entry.index} ${formatOperation(operation)}${note}  (at any time from ${entry.call} on, or never)`;
}
