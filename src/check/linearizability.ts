/** SNAP-2 for each task, SNAP-1 and SNAP-2 for whole pages of small histories: is there one moment for each operation? */
import type { Entry } from '../history/history.ts';
import { formatId, formatOperation, formatResult } from '../history/notation.ts';
import { type CheckContext, modelOptions } from './check.ts';
import { cutToProof, tellProof } from './linear-witness.ts';
import { type Linearization, linearize } from './linearize.ts';
import { type PageView, StoreStates } from './store-states.ts';
import type { Tally } from './tally.ts';
import { absent, TaskStates } from './task-states.ts';

/** Placements that one search may take. */
const budget = 500_000;

/** Whole pages are judged of histories of at most so many changes: beyond, the search would only give up. */
const mostChanges = 40;

const mutations: ReadonlySet<string> = new Set(['create', 'replace', 'append', 'cancel', 'delete']);

/** Judges a whole history. Each search is exponential in what overlaps and ends with its budget: then nothing is decided. */
export function judgeLinearizability(entries: readonly Entry[], context: CheckContext, tally: Tally): void {
  if (context.capabilities.callers) return;
  const byTask = new Map<string, Entry[]>();
  for (const entry of entries) {
    const id = taskOf(entry);
    if (id === undefined) continue;
    const known = byTask.get(id);
    if (known === undefined) byTask.set(id, [entry]);
    else known.push(entry);
  }
  let sound = true;
  for (const [id, own] of byTask) sound = judgeTask(id, own, context, tally) && sound;
  // Pages of a store whose single tasks are wrong already prove nothing more.
  if (sound) judgePages(entries, [...byTask.keys()], context, tally);
}

function taskOf({ operation }: Entry): string | undefined {
  if (operation.op === 'get') return operation.id;
  if (!mutations.has(operation.op)) return undefined;
  return 'contents' in operation ? operation.contents.id : (operation as { readonly id: string }).id;
}

function judgeTask(id: string, own: readonly Entry[], context: CheckContext, tally: Tally): boolean {
  const search = (entries: readonly Entry[], limit: number): Linearization => {
    const states = new TaskStates(modelOptions(context.capabilities));
    return orderOf(entries, absent, (entry, state) => states.step(entry, state), limit);
  };
  const found = search(own, budget);
  if (found.kind === 'undecided') tally.undecided('SNAP-2', found.reason);
  if (found.kind === 'linearizable') tally.witness('SNAP-2', own.length);
  if (found.kind !== 'not-linearizable') return true;
  const proof = cutToProof(own, search);
  const last = lastOf(proof);
  tally.fail(
    tellProof('SNAP-2', proof, {
      saw: `task ${formatId(id)}: ${last === undefined ? 'no order' : `${formatOperation(last.operation)} → ${formatResult(last.result)}`}`,
      allowed:
        'each operation takes effect at one moment between its call and its return, as it would alone on what stands then',
    }),
  );
  return false;
}

function judgePages(entries: readonly Entry[], ids: readonly string[], context: CheckContext, tally: Tally): void {
  const pages = entries.filter(({ operation, result }) => {
    return operation.op === 'list' && operation.means === undefined && result.kind === 'page';
  });
  const changes = entries.filter((entry) => taskOf(entry) !== undefined);
  const writes = changes.filter(({ operation, result }) => operation.op !== 'get' && result.kind !== 'error');
  if (pages.length === 0 || writes.length > mostChanges || context.order !== 'storage-time') return;
  const judged = [...changes, ...pages].sort((a, b) => a.index - b.index);
  const search = (some: readonly Entry[], view: PageView, limit: number): Linearization => {
    const states = new StoreStates(modelOptions(context.capabilities), entries, ids, view);
    return orderOf(some, 0, (entry, state) => states.step(entry, state), limit);
  };
  const contended = (page: Entry) => writes.some((write) => write.return > page.call && write.call < page.return);
  const views: readonly { readonly view: PageView; readonly rule: string; readonly allowed: string }[] = [
    {
      view: 'tasks',
      rule: 'SNAP-2',
      allowed: 'a page shows the tasks of one moment between its call and its return',
    },
    {
      view: 'tasks and total',
      rule: 'SNAP-1',
      allowed: 'the count and the tasks of a page are of one state of the store',
    },
  ];
  for (const { view, rule, allowed } of views) {
    if (rule === 'SNAP-1' && !context.capabilities.totals) return;
    const found = search(judged, view, budget);
    if (found.kind === 'undecided') tally.undecided(rule, found.reason);
    if (found.kind === 'linearizable') tally.witness(rule, pages.filter(contended).length);
    if (found.kind !== 'not-linearizable') continue;
    const proof = cutToProof(judged, (some, limit) => search(some, view, limit));
    const page = proof.findLast(({ operation }) => operation.op === 'list');
    const saw = page === undefined ? 'no order' : `${formatOperation(page.operation)} → ${formatResult(page.result)}`;
    tally.fail(tellProof(rule, proof, { saw, allowed }));
    return;
  }
}

/** Searches an order of entries under a specification. */
function orderOf(
  entries: readonly Entry[],
  initial: number,
  step: (entry: Entry, state: number) => number,
  limit: number,
): Linearization {
  // A read whose outcome is unknown says nothing.
  const told = entries.filter(({ operation, result }) => result.kind !== 'unknown' || mutations.has(operation.op));
  const ordered = told.sort((a, b) => a.call - b.call);
  return linearize(
    {
      calls: ordered.map((entry) => entry.call),
      returns: ordered.map((entry) => (entry.result.kind === 'unknown' ? Number.POSITIVE_INFINITY : entry.return)),
      initial,
      step: (at, state) => step(ordered[at] as Entry, state),
      isRead: (at) => isRead(ordered[at] as Entry),
    },
    limit,
  );
}

function isRead({ operation, result }: Entry): boolean {
  if (!mutations.has(operation.op) || result.kind === 'error') return true;
  return result.kind === 'written' && result.deduplicated === true;
}

function lastOf(entries: readonly Entry[]): Entry | undefined {
  return entries
    .filter(({ result }) => result.kind !== 'unknown')
    .sort((a, b) => a.return - b.return)
    .at(-1);
}
