/** Every check of histories whose operations overlap. */
import type { Contents, Entry, History } from '../history/history.ts';
import type { CheckContext } from './check.ts';
import { replayEvents } from './events.ts';
import { judgeTotal } from './interval-counts.ts';
import { judgeListErrors } from './interval-errors.ts';
import { IntervalTimes } from './interval-times.ts';
import { IntervalWalks } from './interval-walks.ts';
import { judgeLinearizability } from './linearizability.ts';
import { Tally } from './tally.ts';
import { type TaskTrack, Timeline } from './timeline.ts';
import type { RuleReport } from './verdict.ts';

/** Every rule that a concurrent history can be judged by. */
export const concurrentRules: readonly string[] = [
  'TIME-2',
  'WALK-1',
  'WALK-2',
  'WALK-3',
  'WALK-4',
  'WALK-5',
  'SNAP-1',
  'SNAP-2',
  'COUNT-1',
  'AUTH-3',
  'AUTH-4',
  'WIRE-5',
];

/** Judges a history by intervals, then by a search for an order. Never throws on a finding, never does I/O. */
export function judgeConcurrent(history: History, context: CheckContext): readonly RuleReport[] {
  if (history.tampered === true || context.order === 'creation' || history.entries.some(isBeyond)) return [];
  const tally = new Tally();
  judgeIntervals(history, context, tally);
  judgeLinearizability(history.entries, context, tally);
  judgeListErrors(history.entries, context, tally);
  return tally.reports();
}

/** Scopes and what is put beneath a dispatcher change what is visible in ways that intervals of tasks do not tell. */
function isBeyond({ operation }: Entry): boolean {
  return operation.op === 'scope' || operation.op === 'beneath';
}

/** The checks that need no search: linear in the events, with what `IntervalWalks` and `judgeTotal` say. */
export function judgeIntervals({ entries }: History, context: CheckContext, tally: Tally): void {
  const timeline = new Timeline();
  const walks = new IntervalWalks(entries, context, timeline, tally);
  const times = context.order === 'storage-time' ? new IntervalTimes(entries, context, timeline, tally) : undefined;
  // One look-up of each shown task serves all; of a shorter page, what is left behind its last task means nothing.
  const tracks: TaskTrack[] = [];
  replayEvents(entries, {
    called(entry) {
      if (entry.operation.op === 'list') timeline.hold(entry.index, entry.call);
      walks.called(entry, timeline.called(entry));
      times?.called(entry);
    },
    returned(entry) {
      timeline.returned(entry);
      const { result } = entry;
      const items = result.kind === 'page' ? result.items : [];
      for (let position = 0; position < items.length; position++)
        tracks[position] = timeline.track((items[position] as Contents).id);
      times?.returned(entry, tracks);
      if (entry.operation.op !== 'list') return;
      walks.returned(entry, tracks);
      judgeTotal(entries, entry, context, timeline, tally);
      timeline.release(entry.index);
    },
  });
  walks.end();
}
