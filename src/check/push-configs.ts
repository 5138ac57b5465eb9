/** PUSH-1: push-notification configurations are paged on their own. */
import type { Entry, PushOperation } from '../history/history.ts';
import { formatId } from '../history/notation.ts';
import type { Check } from './check.ts';
import { Tally } from './tally.ts';
import { finding } from './witness.ts';
import type { World } from './world.ts';

type PushList = Extract<PushOperation, { op: 'push-list' }>;

export const pushConfigs: Check = {
  rules: ['PUSH-1'],
  judge(world) {
    if (world.tampered) return [];
    const tally = new Tally();
    for (const entry of world.entries) {
      const { operation } = entry;
      if (operation.op === 'list' && operation.means?.kind === 'push') judgeExchanged(world, entry, tally);
      if (operation.op !== 'push-list' || !isVisible(world, entry, operation)) continue;
      const source = operation.tokenFrom === undefined ? undefined : world.entries[operation.tokenFrom];
      if (source !== undefined && source.operation.op !== 'push-list') judgeExchanged(world, entry, tally);
      else judgeWalk(world, entry, operation, tally);
    }
    return tally.reports();
  },
};

/** Neither list takes the other's token. */
function judgeExchanged(world: World, entry: Entry, tally: Tally): void {
  tally.witness('PUSH-1');
  const { result, operation } = entry;
  if (result.kind === 'error' && result.code === 'invalid-argument') return;
  const other =
    operation.op === 'list'
      ? 'push configurations, sent to the list of tasks'
      : 'a list of tasks, sent to that of push configurations';
  fail(
    world,
    [entry],
    `a token of ${other}, ${result.kind === 'error' ? `fails with ${result.code}` : 'is taken'}`,
    "neither list takes the other's token: it is an invalid argument",
    tally,
  );
}

/** A walk over the configurations of a task shows each that stood throughout once, whatever happens to tasks. */
function judgeWalk(world: World, entry: Entry, operation: PushList, tally: Tally): void {
  const pages = pagesUntil(world, entry);
  const { result } = entry;
  tally.witness('PUSH-1');
  if (result.kind !== 'push-page') {
    fail(
      world,
      pages,
      `a page of push configurations ${result.kind === 'error' ? `fails with ${result.code}` : 'is none'}`,
      'the list takes its own tokens',
      tally,
    );
    return;
  }
  if (operation.pageSize !== undefined && result.configs.length > operation.pageSize) {
    fail(
      world,
      [entry],
      `a page of size ${operation.pageSize} holds ${result.configs.length} configurations`,
      'it holds no more than asked for',
      tally,
    );
    return;
  }
  const shown = pages.flatMap((page) => (page.result.kind === 'push-page' ? page.result.configs : []));
  const twice = shown.find((config, position) => shown.indexOf(config) !== position);
  if (twice !== undefined) {
    fail(world, pages, `push configuration ${formatId(twice)} appears twice`, 'each appears once', tally);
    return;
  }
  if (result.nextToken !== '') return;
  const missing = standingThroughout(world, pages[0] as Entry, entry, operation.id).find(
    (config) => !shown.includes(config),
  );
  if (missing !== undefined)
    fail(
      world,
      pages,
      `push configuration ${formatId(missing)} appears on no page`,
      'each that stood throughout appears once',
      tally,
    );
}

/** The pages of a walk up to this one, first page first. */
function pagesUntil(world: World, entry: Entry): Entry[] {
  const pages = [entry];
  for (let at = entry; at.operation.op === 'push-list' && at.operation.tokenFrom !== undefined; ) {
    const source = world.entries[at.operation.tokenFrom];
    if (source === undefined) break;
    pages.unshift(source);
    at = source;
  }
  return pages;
}

/** The task stands and its caller may access it, so that nothing but its configurations decides the answer. */
function isVisible(world: World, { index, beneath }: Entry, { id, caller }: PushOperation): boolean {
  const task = world.standingAt(id, index);
  const isSound = beneath?.every(({ broken }) => broken === undefined) !== false;
  return isSound && task !== undefined && world.visibleAt(caller, task, index);
}

/** Configurations that were set before the first page and not deleted before the last. */
function standingThroughout(world: World, first: Entry, last: Entry, id: string): string[] {
  const configs = new Set<string>();
  for (const { index, operation, result } of world.entries) {
    if (index > last.index) break;
    if (result.kind === 'error') continue;
    // A task that is created again, and a process that starts again, begin without configurations.
    if ((operation.op === 'delete' && operation.id === id) || operation.op === 'restart') configs.clear();
    if (operation.op !== 'push' || operation.id !== id) continue;
    if (operation.verb === 'set' && index < first.index) configs.add(operation.config);
    if (operation.verb === 'delete') configs.delete(operation.config);
  }
  return [...configs];
}

function fail(world: World, entries: readonly Entry[], saw: string, allowed: string, tally: Tally): void {
  const last = entries.at(-1)?.index ?? 0;
  const before = world.entries.filter(({ index, operation }) => index < last && operation.op === 'push');
  tally.fail(
    finding(world, {
      rule: 'PUSH-1',
      let: before.map(({ index }) => index),
      then: entries.map(({ index }) => index),
      saw,
      allowed,
    }),
  );
}
