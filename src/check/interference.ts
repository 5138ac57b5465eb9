/** AUTH-8: two worlds that differ in hidden tasks only look the same to the observer. */
import type { Entry, Result } from '../history/history.ts';
import { formatEntry, formatId, formatToken } from '../history/notation.ts';
import type { Program } from '../history/program.ts';
import type { CheckContext } from './check.ts';
import { transportOf } from './error-text.ts';
import { Tally } from './tally.ts';
import type { RuleReport } from './verdict.ts';
import { finding } from './witness.ts';
import type { World } from './world.ts';

/**
 * Compares what the observer saw in the world with the hidden tasks (`full`) and in the one without them. Tokens are
 * compared byte by byte where the clock was given to both worlds; else by whether they end the list, and by the pages
 * that they lead to. Judges nothing where the observer could see a hidden task at some time.
 */
export function judgeInterference(
  full: World,
  bare: World,
  { worlds, tasks, clients }: Program,
  context: CheckContext,
): readonly RuleReport[] {
  const tally = new Tally();
  if (worlds === undefined) return [];
  const hidden = worlds.hidden.map((label) => tasks[label] ?? label);
  const isMany = clients.flat().some((step) => step.op === 'fill' && worlds.hidden.includes(step.task));
  if (isMany || hidden.some((id) => !isAlwaysHidden(full, worlds.observer, id))) return [];
  const left = seenBy(full, worlds.observer);
  const right = seenBy(bare, worlds.observer);
  const isExact = context.capabilities.clock && context.capabilities.tokens === 'v1';
  const hiddenWrites = full.mutations.filter(({ before, after }) => hidden.includes((after ?? before)?.id ?? ''));
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const [here, there] = [left[at], right[at]];
    // Whether two transports agree is WIRE-1's, and what follows from one page of each as well.
    if (here !== undefined && there !== undefined && transportOf(here) !== transportOf(there)) break;
    if (hiddenWrites.some(({ entry }) => entry.index < (here?.index ?? 0))) tally.witness('AUTH-8');
    const change = difference(here, there, isExact);
    if (change === undefined) continue;
    const entry = here ?? left.at(-1);
    tally.fail(
      finding(full, {
        rule: 'AUTH-8',
        let: hiddenWrites.map((moment) => moment.entry.index),
        then: entry === undefined ? [] : [entry.index],
        saw: `without the hidden tasks ${hidden.map(formatId).join(', ')} ${change}`,
        allowed: 'what a caller may not access changes nothing that it sees',
        however: `in the world without them: ${there === undefined ? 'there was no such call' : formatEntry(there)}`,
      }),
    );
    break;
  }
  return tally.reports();
}

/** Denied before it was created, never allowed, and never created by the observer itself. */
function isAlwaysHidden(world: World, observer: string, id: string): boolean {
  const changes = world.entries.filter(
    ({ operation }) => operation.op === 'access' && operation.caller === observer && operation.id === id,
  );
  const first = world.versions.find((version) => version.id === id)?.entry ?? Number.POSITIVE_INFINITY;
  const denied = changes[0]?.index ?? Number.POSITIVE_INFINITY;
  const isDenied = changes.every(({ operation }) => operation.op === 'access' && !operation.allowed);
  const isOwn = world.entries.some(
    ({ operation }) => operation.op === 'create' && operation.caller === observer && operation.contents.id === id,
  );
  return isDenied && !isOwn && (denied < first || first === Number.POSITIVE_INFINITY);
}

/** What the observer asked for itself; a create may meet a hidden id, which is outside of the rule. */
function seenBy(world: World, observer: string): Entry[] {
  return world.entries.filter(
    ({ operation }) =>
      'caller' in operation &&
      operation.op !== 'access' &&
      operation.op !== 'scope' &&
      operation.op !== 'create' &&
      operation.caller === observer,
  );
}

function difference(here: Entry | undefined, there: Entry | undefined, isExact: boolean): string | undefined {
  if (here === undefined || there === undefined) return 'the walk takes another number of calls';
  const [a, b] = [here.result, there.result];
  if (a.kind !== b.kind) return `the call gives ${b.kind === 'error' ? `the error ${b.code}` : `a ${b.kind}`}`;
  if (a.kind === 'page' && b.kind === 'page') {
    if (JSON.stringify(a.items) !== JSON.stringify(b.items))
      return `the page shows [${b.items.map(({ id }) => formatId(id)).join(', ')}]`;
    if (a.totalSize !== b.totalSize) return `the total is ${b.totalSize}`;
    if (a.pageSize !== b.pageSize) return `the page size is ${b.pageSize}`;
    if ((a.nextToken === '') !== (b.nextToken === '') || (isExact && a.nextToken !== b.nextToken))
      return `the next token is ${formatToken(b.nextToken)}`;
    return undefined;
  }
  return textOf(a, isExact) === textOf(b, isExact) ? undefined : `the call gives ${textOf(b, isExact)}`;
}

function textOf(result: Result, isExact: boolean): string {
  switch (result.kind) {
    case 'written':
    case 'read': {
      const { micros, ...rest } = result;
      return JSON.stringify({ ...rest, ...(isExact && micros !== undefined ? { micros: String(micros) } : {}) });
    }
    case 'push-page':
      return JSON.stringify({ ...result, nextToken: result.nextToken === '' });
    default:
      return JSON.stringify(result, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  }
}
