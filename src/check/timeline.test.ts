import { describe, expect, it } from 'vitest';
import { type Change, fate } from '../../models/walk.ts';
import type { Entry } from '../history/history.ts';
import { seededNumbers } from '../run/seeded-numbers.ts';
import { replayEvents } from './events.ts';
import { contents } from './overlap.sample.ts';
import { fateOf, Timeline } from './timeline.ts';

const filter = { context: 'ctx' };

/** Creates, replaces, deletes and denials of a few ids by several clients, some with an unknown outcome, and lists between. */
function history(operations: number, seed: number): Entry[] {
  const below = seededNumbers(seed);
  const ids = ['a', 'b', 'c'];
  const entries: Entry[] = [];
  const busy: ({ call: number; operation: Entry['operation']; result: Entry['result'] } | undefined)[] = [];
  for (let now = 0; entries.length < operations || busy.some((one) => one !== undefined); now++) {
    const client = below(5);
    const own = busy[client];
    if (own !== undefined) {
      const index = entries.length;
      entries.push({ index, client, step: index, return: now, ...own });
      busy[client] = undefined;
    } else if (entries.length < operations) {
      const id = ids[below(3)] as string;
      const kind = below(12);
      const written: Entry['result'] =
        below(400) === 0
          ? { kind: 'unknown', message: '' }
          : kind === 4
            ? { kind: 'error', code: 'not-found', message: '' }
            : { kind: 'done' };
      busy[client] =
        kind < 4
          ? {
              call: now,
              operation: { op: 'list', filter, caller: 'alice' },
              result: { kind: 'page', items: [], nextToken: '' },
            }
          : kind < 8
            ? { call: now, operation: { op: 'delete', id }, result: written }
            : kind < 9
              ? {
                  call: now,
                  operation: { op: 'access', id, caller: 'alice', allowed: below(2) === 0 },
                  result: { kind: 'done' },
                }
              : {
                  call: now,
                  operation: { op: 'replace', contents: contents(id, '', { context: below(3) === 0 ? 'd' : 'ctx' }) },
                  result: written.kind === 'done' ? { kind: 'written' } : written,
                };
    }
  }
  return entries;
}

/** The fate that the model gives from the whole history. */
function modelFate(entries: readonly Entry[], id: string, start: number, end: number): string {
  const visible: Change[] = [{ call: -2, return: -1, matches: true }];
  const changes: Change[] = [];
  for (const { call, operation, result, return: returned } of [...entries].sort((a, b) => a.call - b.call)) {
    if (result.kind === 'error') continue;
    const until = result.kind === 'unknown' ? Number.POSITIVE_INFINITY : returned;
    if (operation.op === 'access' && operation.id === id)
      visible.push({ call, return: until, matches: operation.allowed });
    if (operation.op === 'delete' && operation.id === id) changes.push({ call, return: until, matches: false });
    if (operation.op === 'replace' && operation.contents.id === id)
      changes.push({ call, return: until, matches: operation.contents.context === filter.context });
  }
  const both = [fate(changes, start, end), fate(visible, start, end)];
  return both.includes('never') ? 'never' : both.every((one) => one === 'must') ? 'must' : 'may';
}

describe('a timeline', () => {
  it.each([
    [400, 1],
    [400, 2],
    [400, 3],
    [3_000, 4],
  ])('of %i operations gives the fates that the model gives of the whole history (seed %i)', (operations, seed) => {
    const entries = history(operations, seed);
    const timeline = new Timeline();
    const fates: Record<string, number> = { must: 0, may: 0, never: 0 };
    let most = 0;
    replayEvents(entries, {
      called(entry) {
        if (entry.operation.op === 'list') timeline.hold(entry, entry.call);
        timeline.called(entry);
      },
      returned(entry) {
        timeline.returned(entry);
        if (entry.operation.op !== 'list') return;
        for (const id of ['a', 'b', 'c']) {
          const own = fateOf(timeline.track(id), entry.operation, entry.call, entry.return);
          expect(`${entry.index} ${id} ${own}`).toBe(
            `${entry.index} ${id} ${modelFate(entries, id, entry.call, entry.return)}`,
          );
          fates[own] = (fates[own] ?? 0) + 1;
          most = Math.max(most, timeline.track(id).changes.length);
        }
        timeline.release(entry);
      },
    });
    expect(Math.min(...Object.values(fates))).toBeGreaterThan(5);
    // It remembers what may still matter, not the history.
    expect(most).toBeLessThan(60);
  });
});
