/** AUTH-6, AUTH-7: what a scan asks its store for, and how much of it is held. */
import type { Entry } from '../history/history.ts';
import { formatId } from '../history/notation.ts';
import { isGet, type Trace, traceOf } from './beneath-trace.ts';
import type { Check } from './check.ts';
import { defaultPageSize } from './position.ts';
import { Tally } from './tally.ts';
import { finding, written } from './witness.ts';
import type { ListMoment, World } from './world.ts';

/** The most tasks of one batch (seed). */
const batchLimit = 100;

export const scanBounds: Check = {
  rules: ['AUTH-6', 'AUTH-7'],
  judge(world) {
    if (world.tampered) return [];
    const tally = new Tally();
    for (const list of world.lists) {
      const trace = traceOf(list.entry);
      if (trace === undefined || trace.broken !== undefined) continue;
      judgeBatches(world, list, trace, tally);
      judgeProjection(world, list, trace, tally);
    }
    return tally.reports();
  },
};

/** AUTH-6: batches of at most 100 tasks, without counts; one batch and one page held. */
function judgeBatches(world: World, list: ListMoment, { batches }: Trace, tally: Tally): void {
  const size = list.operation.pageSize ?? defaultPageSize;
  const peak = list.entry.counters?.peakHeld;
  for (const batch of batches) {
    tally.witness('AUTH-6');
    const saw = batch.total
      ? 'the scan had the store count its tasks'
      : (batch.pageSize ?? defaultPageSize) > batchLimit
        ? `the scan asked for ${batch.pageSize} tasks at once`
        : undefined;
    if (saw !== undefined)
      fail(world, list, 'AUTH-6', saw, 'a scan asks for batches of at most 100 tasks, and for no counts', tally);
  }
  if (peak !== undefined && peak > batchLimit + size)
    fail(
      world,
      list,
      'AUTH-6',
      `the dispatcher held ${peak} tasks or keys at once in a list of page size ${size}`,
      `one batch and one page of ids are held, at most ${batchLimit + size}`,
      tally,
    );
}

/** AUTH-7: full responses for the chosen ids alone; the policy is shown what it asked for, whole. */
function judgeProjection(world: World, list: ListMoment, trace: Trace, tally: Tally): void {
  const { batches, calls } = trace;
  const wanted = projectionAt(world, list.entry);
  for (const batch of batches) {
    if (batch.ids.length === 0) continue;
    tally.witness('AUTH-7');
    if (batch.projection === wanted && !(wanted === 'light' && batch.artifacts)) continue;
    const saw = `the scan loaded ${batch.ids.length} tasks in ${batch.projection} projection where the policy asks for ${wanted}`;
    fail(world, list, 'AUTH-7', saw, 'the scan loads what the policy says it needs', tally);
  }
  const chosen = list.page?.items.map(({ id }) => id);
  const extra =
    chosen && calls.filter(isGet).find(({ id, projection }) => projection === 'full' && !chosen.includes(id));
  if (extra !== undefined)
    fail(
      world,
      list,
      'AUTH-7',
      `${formatId(extra.id)} was loaded in full and is not on the page`,
      'full responses are loaded for the chosen ids only',
      tally,
    );
  if (wanted !== 'full') return;
  for (const call of calls) {
    if (call.call !== 'access') continue;
    const stored = list.standing.find(({ id }) => id === call.contents.id)?.contents;
    if (stored === undefined || (stored.history.length === 0 && stored.artifacts.length === 0)) continue;
    tally.witness('AUTH-7');
    const cut =
      stored.history.length > call.contents.history.length || stored.artifacts.length > call.contents.artifacts.length;
    if (!cut) continue;
    const saw = `the policy, which asks for full tasks, was shown ${formatId(call.contents.id)} with ${call.contents.history.length} of ${stored.history.length} messages and ${call.contents.artifacts.length} of ${stored.artifacts.length} artifacts`;
    fail(world, list, 'AUTH-7', saw, 'the policy is shown what it says it needs, whatever the caller asks for', tally);
    return;
  }
}

/** What the policy asks for at an entry. */
function projectionAt(world: World, { index }: Entry): 'full' | 'light' {
  for (let at = index - 1; at >= 0; at--) {
    const operation = world.entries[at]?.operation;
    if (operation?.op === 'beneath' && operation.plan.at === 'watch' && operation.plan.projection !== undefined)
      return operation.plan.projection;
  }
  return 'light';
}

function fail(world: World, list: ListMoment, rule: string, saw: string, allowed: string, tally: Tally): void {
  tally.fail(finding(world, { rule, let: written(list.standing), then: [list.entry.index], saw, allowed }));
}
