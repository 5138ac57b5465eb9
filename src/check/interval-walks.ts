/** WALK-1 to WALK-5 over a history of overlapping operations, from call and return instants alone. */
import { compareKeys, type Key } from '../../models/key.ts';
import type { Contents, Entry, ListOperation, PageResult } from '../history/history.ts';
import { formatId } from '../history/notation.ts';
import type { CheckContext } from './check.ts';
import { defaultPageSize } from './position.ts';
import type { Tally } from './tally.ts';
import {
  accessFate,
  fateOf,
  plainlyStands,
  plainlyThere,
  type TaskChange,
  type TaskTrack,
  type Timeline,
} from './timeline.ts';
import { finding, type Proof } from './witness.ts';

interface OpenWalk {
  readonly name: string;
  readonly operation: ListOperation;
  readonly start: number;
  /** The entries of its pages. */
  readonly pages: number[];
  /** Its number among all walks, and its place among those under way: what it showed is marked at the tasks. */
  readonly number: number;
  readonly slot: number;
  /** How many tasks it showed, and how often each was, where more than once. */
  shown: number;
  readonly repeats: Map<string, number>;
  lastKey: Key | undefined;
  /** When the last page returned, and the key below which the next one continues. */
  end: number;
  boundary: Key | undefined;
  /** Pages in a row that nothing disturbed, neither during them nor between them, and the instant since when. */
  calmPages: number;
  calmSince: number;
}

/**
 * Judges every walk as its pages return. With e entries, s tasks shown on pages, w walks, t tasks that may stand at once
 * and c changes of one task within one walk: time O(e + s·c + w·(t + c)), no search and so never undecided; memory
 * O(t·c) and, at each task, a number for each walk under way, whatever the length of the history. A walk that its client
 * began anew under the same name is over.
 */
export class IntervalWalks {
  readonly #entries: readonly Entry[];
  readonly #context: CheckContext;
  readonly #timeline: Timeline;
  readonly #tally: Tally;
  readonly #walks = new Map<string, OpenWalk>();
  /** The walk under way of each client and name without its number. */
  readonly #latest = new Map<string, string>();
  #begun = 0;
  /** How many slots there are, and those that no walk has. */
  #slots = 0;
  readonly #freeSlots: number[] = [];

  constructor(entries: readonly Entry[], context: CheckContext, timeline: Timeline, tally: Tally) {
    this.#entries = entries;
    this.#context = context;
    this.#timeline = timeline;
    this.#tally = tally;
  }

  /** Takes a call, before or after the timeline took it; `changed` is what the timeline made of it. */
  called(entry: Entry, changed: { readonly track: TaskTrack; readonly change: TaskChange } | undefined): void {
    if (changed !== undefined) {
      for (const walk of this.#walks.values()) this.#judgePassed(walk, changed.track, changed.change);
      return;
    }
    const { operation } = entry;
    if (operation.op !== 'list' || operation.walk === undefined || operation.page !== 0) return;
    const place = `${entry.client} ${operation.walk.replace(/[0-9]+$/, '')}`;
    const before = this.#walks.get(this.#latest.get(place) ?? '');
    if (before !== undefined) this.#leave(before);
    this.#latest.set(place, operation.walk);
    const walk: OpenWalk = {
      name: operation.walk,
      operation,
      start: entry.call,
      pages: [],
      number: this.#begun++,
      slot: this.#freeSlots.pop() ?? this.#slots++,
      shown: 0,
      repeats: new Map(),
      lastKey: undefined,
      end: entry.call,
      boundary: undefined,
      calmPages: 0,
      calmSince: entry.call,
    };
    this.#walks.set(walk.name, walk);
    this.#timeline.hold(walk, walk.start);
  }

  /** Takes the return of a list; `tracks` are those of its items. */
  returned(entry: Entry, tracks: readonly TaskTrack[]): void {
    const { operation, result } = entry;
    if (operation.op !== 'list' || operation.walk === undefined) return;
    const walk = this.#walks.get(operation.walk);
    if (walk === undefined) return;
    if (result.kind !== 'page') {
      this.#leave(walk);
      return;
    }
    walk.pages.push(entry.index);
    walk.end = entry.return;
    this.#judgeItems(walk, entry, operation, result, tracks);
    this.#judgeShape(walk, entry, operation, result);
    const last = result.items.length - 1;
    const cursor = result.cursors?.[last];
    walk.boundary = cursor !== undefined && cursor.id === result.items[last]?.id ? cursor : undefined;
    if (result.nextToken === '') this.#finish(walk);
  }

  /** The history is over: what walks under way have passed is judged. */
  end(): void {
    for (const walk of [...this.#walks.values()]) this.#leave(walk);
  }

  /** Called for every task of every page, so it counts beside the tally, and makes objects only for what is wrong. */
  #judgeItems(
    walk: OpenWalk,
    entry: Entry,
    operation: ListOperation,
    page: PageResult,
    tracks: readonly TaskTrack[],
  ): void {
    const { items, cursors } = page;
    const keyed = this.#context.order === 'storage-time' && cursors !== undefined;
    let descents = 0;
    this.#tally.witness('WALK-1', walk.shown > 0 ? items.length : Math.max(0, items.length - 1));
    this.#tally.witness('WALK-4', items.length);
    for (let position = 0; position < items.length; position++) {
      const { id } = items[position] as Contents;
      const track = tracks[position] as TaskTrack;
      if (track.shownIn[walk.slot] === walk.number) this.#judgeRepeat(walk, entry, track);
      track.shownIn[walk.slot] = walk.number;
      walk.shown++;
      if (!plainlyThere(track, operation, entry.return)) this.#judgePresence(walk, entry, operation, track);
      const cursor = keyed ? cursors[position] : undefined;
      if (cursor === undefined || cursor.id !== id) continue;
      if (walk.lastKey !== undefined) {
        descents++;
        if (compareKeys(walk.lastKey, cursor) >= 0)
          this.#fail({
            rule: 'WALK-2',
            let: walk.pages,
            then: [entry.index],
            saw: `walk ${walk.name} shows ${formatId(id)} @${cursor.micros} after ${formatId(walk.lastKey.id)} @${walk.lastKey.micros}`,
            allowed: 'keys at selection strictly descend across the whole walk',
            marks: [{ id, how: 'misplaced', entry: entry.index }],
          });
      }
      walk.lastKey = cursor;
    }
    if (descents > 0) this.#tally.witness('WALK-2', descents);
  }

  #judgeRepeat(walk: OpenWalk, entry: Entry, track: TaskTrack): void {
    const times = (walk.repeats.get(track.id) ?? 1) + 1;
    walk.repeats.set(track.id, times);
    if (times <= 1 + this.#lifeEnds(track, walk)) return;
    // Under a2a-1.0 a task written during the walk may be met again where its status time moved back.
    const written = track.changes.some((change) => change.return >= walk.start);
    if (this.#context.order === 'status-timestamp' && written) return;
    this.#fail({
      rule: 'WALK-1',
      let: [...this.#changesOf(track), ...walk.pages],
      then: [...this.#showing(walk, track), entry.index],
      saw: `task ${formatId(track.id)} appears ${times} times in walk ${walk.name}`,
      allowed: 'a task appears at most once in one walk, whatever is mutated meanwhile',
      marks: [{ id: track.id, how: 'repeated', entry: entry.index }],
    });
  }

  /** The page before the last one of the walk that showed a task; the last one itself where it shows it twice. */
  #showing(walk: OpenWalk, { id }: TaskTrack): number[] {
    const shows = (at: number) => {
      const result = this.#entries[at]?.result;
      return result?.kind === 'page' && result.items.some((item) => item.id === id);
    };
    return walk.pages.slice(0, -1).filter(shows).slice(-1);
  }

  /** WALK-4 over the whole walk; where a task was there during the walk, though not during the call, SNAP-2. */
  #judgePresence(walk: OpenWalk, entry: Entry, operation: ListOperation, track: TaskTrack): void {
    if (operation.caller !== undefined && track.access.has(operation.caller)) {
      this.#tally.witness('AUTH-3');
      if (accessFate(track, operation.caller, entry.call, entry.return) === 'never')
        this.#fail({
          rule: 'AUTH-3',
          let: this.#changesOf(track),
          then: [entry.index],
          saw: `walk ${walk.name} shows ${formatId(track.id)}, which ${operation.caller} could not access at any moment of the call`,
          allowed: 'the chosen tasks are read again and checked again before they are shown',
          marks: [{ id: track.id, how: 'intruding', entry: entry.index }],
        });
    }
    if (fateOf(track, operation, entry.call, entry.return) !== 'never') return;
    const whole = fateOf(track, operation, walk.start, entry.return) === 'never';
    this.#fail({
      rule: whole ? 'WALK-4' : 'SNAP-2',
      let: this.#changesOf(track),
      then: [entry.index],
      saw: `walk ${walk.name} shows ${formatId(track.id)}, which was at no moment of the ${whole ? 'walk' : 'call'} visible and matching`,
      allowed: whole
        ? 'a task that is never visible and matching during the walk does not appear'
        : 'an operation takes effect at one moment between its call and its return',
      marks: [{ id: track.id, how: 'intruding', entry: entry.index }],
    });
  }

  #judgeShape(walk: OpenWalk, entry: Entry, operation: ListOperation, page: PageResult): void {
    const size = operation.pageSize ?? defaultPageSize;
    if (page.items.length > size)
      this.#fail({
        rule: 'WIRE-5',
        let: [],
        then: [entry.index],
        saw: `a page of size ${operation.pageSize ?? 'absent'} holds ${page.items.length} tasks`,
        allowed: `it holds at most ${size}`,
      });
    if (page.items.length === 0) {
      this.#tally.witness('WALK-5');
      if (page.nextToken !== '')
        this.#fail({
          rule: 'WALK-5',
          let: walk.pages,
          then: [entry.index],
          saw: `page ${operation.page} of walk ${walk.name} is empty and carries a token`,
          allowed: 'an empty page carries an empty token',
        });
    }
    const { calm, lastDisturbance } = this.#timeline;
    // A write between two pages begins the count anew, as one during a page does: it may move what was shown to where the
    // walk has not been yet, under a2a-1.0 to an older status time.
    if (lastDisturbance > walk.calmSince) {
      walk.calmPages = 0;
      walk.calmSince = entry.call;
    }
    if (calm) walk.calmPages++;
    if (page.nextToken === '') this.#tally.witness('WALK-5');
    // Every page but the last brings at least one of the tasks that are left, so this bound holds for short pages too.
    if (walk.calmPages <= this.#timeline.size + 1) return;
    this.#fail({
      rule: 'WALK-5',
      let: [],
      then: walk.pages.slice(-4),
      saw: `walk ${walk.name} takes ${walk.calmPages} pages or more, while nothing changes in a store of at most ${this.#timeline.size} tasks`,
      allowed: 'it ends within the pages that the remaining tasks need, plus one',
    });
    this.#leave(walk);
  }

  /** WALK-3 where a task that the walk has passed is changed only now: until now it was stable. */
  #judgePassed(walk: OpenWalk, track: TaskTrack, change: TaskChange): void {
    if (walk.boundary === undefined) return;
    const previous = track.changes.at(-2);
    if (previous === undefined || previous.return >= walk.start || !this.#isPassed(walk, track.id, previous)) return;
    const stable = { ...track, changes: track.changes.filter((one) => one !== change) };
    if (this.#judgeLoss(walk, stable, false)) this.#tally.witness('WALK-3');
  }

  /** WALK-3: stable from before the walk until now, so it was shown. Says whether it had to be. */
  #judgeLoss(walk: OpenWalk, track: TaskTrack, complete: boolean): boolean {
    const last = track.changes.at(-1);
    // What changed since the walk began is not stable: most tasks are decided here.
    if (last === undefined || last.return >= walk.start) return false;
    const stands = plainlyStands(track, walk.operation, walk.start);
    if (!stands && fateOf(track, walk.operation, walk.start, walk.end) !== 'must') return false;
    if (!complete && !this.#hasPassed(walk, track)) return false;
    if (track.shownIn[walk.slot] === walk.number) return true;
    this.#fail({
      rule: 'WALK-3',
      let: [...this.#changesOf(track), ...this.#disturbances(walk), ...walk.pages],
      then: walk.pages.slice(-1),
      saw: `task ${formatId(track.id)} never appears in walk ${walk.name}`,
      allowed:
        'a task that stays visible, matching and unwritten from before the walk until it is passed appears exactly once',
      however: `${formatId(track.id)} stood unchanged from before page 0 until ${complete ? 'the last page, which has an empty token' : 'a page that lists what comes after it'}, and was not shown`,
      marks: walk.pages.slice(-1).map((page) => ({ id: track.id, how: 'lost', entry: page })),
    });
    return true;
  }

  #hasPassed(walk: OpenWalk, { id, changes }: TaskTrack): boolean {
    const last = changes.at(-1);
    const before = changes.at(-2);
    if (last === undefined || (before !== undefined && before.settled >= last.call)) return false;
    return this.#isPassed(walk, id, last);
  }

  /** The key that a change gave its task is known, and the walk lists what comes after it. */
  #isPassed(walk: OpenWalk, id: string, { entry: { result } }: TaskChange): boolean {
    if (walk.boundary === undefined || this.#context.order !== 'storage-time') return false;
    if (result.kind !== 'written' || result.micros === undefined) return false;
    return compareKeys({ micros: result.micros, id }, walk.boundary) <= 0;
  }

  /** The walk showed everything: all that is stable was in it. */
  #finish(walk: OpenWalk): void {
    let witnesses = 0;
    for (const track of this.#timeline.tracks()) if (this.#judgeLoss(walk, track, true)) witnesses++;
    this.#tally.witness('WALK-3', witnesses);
    this.#forget(walk);
  }

  /** The walk ends where it is: what lies above its last boundary is judged. */
  #leave(walk: OpenWalk): void {
    if (walk.boundary !== undefined) for (const track of this.#timeline.tracks()) this.#judgeLoss(walk, track, false);
    this.#forget(walk);
  }

  #forget(walk: OpenWalk): void {
    if (this.#walks.delete(walk.name)) this.#freeSlots.push(walk.slot);
    this.#timeline.release(walk);
  }

  /** How many lives of an id may have ended since the walk began: each may have been shown, and one more. */
  #lifeEnds(track: TaskTrack, walk: OpenWalk): number {
    return track.changes.filter((change) => change.facts.gone && change.return >= walk.start).length;
  }

  #changesOf(track: TaskTrack): number[] {
    const access = this.#entries.filter(({ operation }) => operation.op === 'access' && operation.id === track.id);
    return [...track.changes.map((change) => change.entry.index), ...access.map((entry) => entry.index)];
  }

  #disturbances(walk: OpenWalk): number[] {
    return this.#entries
      .filter(({ call, return: returned, operation }) => {
        return returned > walk.start && call < walk.end && operation.op !== 'list' && operation.op !== 'get';
      })
      .map((entry) => entry.index)
      .slice(-6);
  }

  #fail(proof: Proof): void {
    this.#tally.fail(finding({ entries: this.#entries }, proof));
  }
}
