/** TIME-2 under contention, from the times that write replies, reads and task cursors show. */
import type { Entry } from '../history/history.ts';
import { formatId } from '../history/notation.ts';
import type { CheckContext } from './check.ts';
import type { Tally } from './tally.ts';
import type { TaskTrack, Timeline } from './timeline.ts';
import { finding } from './witness.ts';

/** A time of a task, and the entry that showed it. */
interface Seen {
  readonly micros: bigint;
  readonly entry: number;
}

/** What is known of one task's times. A delete that is tried ends it: an id that is created again is another task. */
export interface TaskTimes {
  /** The last instant at which a delete began or ended. */
  since: number;
  /** Deletes under way, and those whose outcome is unknown: they may happen at any time. */
  deletes: number;
  latest: Seen | undefined;
  /** Writes under way, and times given to writes since the last moment at which there was none. */
  writing: number;
  readonly given: Map<bigint, number>;
}

/**
 * Judges as times are seen: a write that is called after a time of its task was seen has a later one, and no two writes
 * have the same. Constant time an event; memory of the tasks that the timeline
 * remembers.
 */
export class IntervalTimes {
  readonly #entries: readonly Entry[];
  readonly #deduplicates: boolean;
  readonly #timeline: Timeline;
  readonly #tally: Tally;
  /** The latest time that was seen of a task when a write under way was called. */
  readonly #before = new Map<number, Seen | undefined>();

  constructor(entries: readonly Entry[], context: CheckContext, timeline: Timeline, tally: Tally) {
    this.#entries = entries;
    this.#deduplicates = context.capabilities.deduplicates;
    this.#timeline = timeline;
    this.#tally = tally;
  }

  called(entry: Entry): void {
    const { operation } = entry;
    if (operation.op === 'delete') {
      const times = this.#of(this.#timeline.track(operation.id));
      times.since = entry.call;
      times.deletes++;
    } else if (this.#isWrite(entry)) {
      const times = this.#of(this.#timeline.track(taskOf(entry)));
      times.writing++;
      this.#before.set(entry.index, times.latest);
    }
  }

  /** Takes a return; `tracks` are those of the items of a page. */
  returned(entry: Entry, tracks: readonly TaskTrack[]): void {
    const { operation, result } = entry;
    if (operation.op === 'delete') {
      const times = this.#of(this.#timeline.track(operation.id));
      if (result.kind !== 'unknown') times.deletes--;
      times.since = entry.return;
      times.latest = undefined;
      times.given.clear();
    } else if (this.#isWrite(entry)) {
      this.#judgeWrite(entry);
    } else if (operation.op === 'get' && result.kind === 'read' && result.micros !== undefined) {
      this.#see(this.#of(this.#timeline.track(operation.id)), result.micros, entry);
    } else if (result.kind === 'page') {
      const { items, cursors = [] } = result;
      for (let position = 0; position < items.length; position++) {
        const cursor = cursors[position];
        if (cursor !== undefined && cursor.id === items[position]?.id)
          this.#see(this.#of(tracks[position] as TaskTrack), cursor.micros, entry);
      }
    }
  }

  #judgeWrite(entry: Entry): void {
    const { operation, result } = entry;
    const id = taskOf(entry);
    const times = this.#of(this.#timeline.track(id));
    const before = this.#before.get(entry.index);
    this.#before.delete(entry.index);
    times.writing--;
    if (result.kind === 'written' && result.micros !== undefined && this.#steady(times, entry)) {
      const { micros } = result;
      const twin = times.given.get(micros);
      if (operation.op !== 'create') {
        if (before !== undefined || times.given.size > 0) this.#tally.witness('TIME-2');
        if (before !== undefined && micros <= before.micros) this.#fail(id, before, micros, entry);
        else if (twin !== undefined) this.#fail(id, { micros, entry: twin }, micros, entry);
      }
      times.given.set(micros, entry.index);
      this.#see(times, micros, entry);
    }
    if (times.writing === 0) times.given.clear();
  }

  #see(times: TaskTimes, micros: bigint, entry: Entry): void {
    if (!this.#steady(times, entry)) return;
    if (times.latest === undefined || micros > times.latest.micros) times.latest = { micros, entry: entry.index };
  }

  /** The operation lies wholly within what is certainly one life of the task. */
  #steady(times: TaskTimes, entry: Entry): boolean {
    return times.deletes === 0 && times.since < entry.call;
  }

  /** A reply that does not say whether an append was deduplicated may be that of no write at all. */
  #isWrite({ operation, result }: Entry): boolean {
    if (result.kind !== 'written' || result.deduplicated === true) return false;
    return operation.op !== 'append' || result.deduplicated === false || !this.#deduplicates;
  }

  #of(track: TaskTrack): TaskTimes {
    if (track.times !== undefined) return track.times;
    // What began before it is remembered may have met a life of the id that is forgotten.
    const times = { since: track.since - 0.5, deletes: 0, latest: undefined, writing: 0, given: new Map() };
    track.times = times;
    return times;
  }

  #fail(id: string, before: Seen, micros: bigint, entry: Entry): void {
    const equal = before.micros === micros;
    this.#tally.fail(
      finding(
        { entries: this.#entries },
        {
          rule: 'TIME-2',
          let: [before.entry],
          then: [entry.index],
          saw: `${entry.operation.op} of ${formatId(id)} ${equal ? 'has' : 'went back to'} the last-update time ${micros}, after ${before.micros} was ${equal ? 'given to another write' : 'seen'}`,
          allowed:
            'every successful mutation advances the time of its task by at least 1 µs, also after a wait for a lock',
        },
      ),
    );
  }
}

function taskOf({ operation }: Entry): string {
  return 'contents' in operation ? operation.contents.id : (operation as { readonly id: string }).id;
}
