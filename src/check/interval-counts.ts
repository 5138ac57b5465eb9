/** COUNT-1 over overlapping operations: between the tasks that matched throughout the call and those that did at some instant. */
import type { Entry } from '../history/history.ts';
import type { CheckContext } from './check.ts';
import type { Tally } from './tally.ts';
import { fateOf, type Timeline } from './timeline.ts';
import { finding } from './witness.ts';

/** Judges the total of one returned page. Linear in the tasks that may stand. */
export function judgeTotal(
  entries: readonly Entry[],
  entry: Entry,
  context: CheckContext,
  timeline: Timeline,
  tally: Tally,
): void {
  const { operation, result } = entry;
  if (operation.op !== 'list' || operation.total === false || result.kind !== 'page') return;
  if (!context.capabilities.totals || context.order === 'creation') return;
  let least = 0;
  let most = 0;
  for (const track of timeline.tracks()) {
    const fate = fateOf(track, operation, entry.call, entry.return);
    if (fate !== 'never') most++;
    if (fate === 'must') least++;
  }
  tally.witness('COUNT-1');
  if (result.totalSize !== undefined && result.totalSize >= least && result.totalSize <= most) return;
  const overlapping = entries.filter((other) => other.return > entry.call && other.call < entry.return);
  tally.fail(
    finding(
      { entries },
      {
        rule: 'COUNT-1',
        let: overlapping.map((other) => other.index),
        then: [entry.index],
        saw: `the total is ${result.totalSize ?? 'absent'}, where ${least} tasks match throughout the call and ${most} at some moment of it`,
        allowed: 'the total counts the visible, matching tasks, without regard to the boundary',
      },
    ),
  );
}
