/** What happened to each task, as intervals: the ground on which histories of overlapping operations are judged. */
import type { Fate } from '../../models/walk.ts';
import type { Contents, Entry } from '../history/history.ts';
import type { Filter } from '../history/program.ts';
import type { TaskTimes } from './interval-times.ts';
import { Constant, factsMatch, factsOf, isChange, type TaskFacts } from './task-facts.ts';

/** A write or an access change: it took effect at one instant between `call` and `return`, infinite where unknown. */
export interface TaskChange {
  readonly entry: Entry;
  readonly call: number;
  readonly return: number;
  /** When this change and all of the task before it had returned. */
  readonly settled: number;
  readonly facts: TaskFacts;
}

/** Whose list, and of what. */
export interface Viewpoint {
  readonly filter?: Filter;
  readonly caller?: string;
}

/** One id over time. */
export interface TaskTrack {
  readonly id: string;
  /** In order of call; what can no longer matter is dropped. */
  changes: TaskChange[];
  readonly access: Map<string, { call: number; return: number; allowed: boolean }[]>;
  readonly context: Constant<string>;
  readonly state: Constant<Contents['state']>;
  readonly timestamp: Constant<string | null>;
  /** The instant from which it is remembered: of what began before, it may not know all. */
  readonly since: number;
  /** What is known of its times; kept here so that it is forgotten with the task. */
  times: TaskTimes | undefined;
  /** By the slot of a walk under way, the number of the latest walk there that showed it. */
  readonly shownIn: number[];
}

/** Deleted tasks that are kept before those that no longer matter are dropped. */
const sweepAt = 256;

/**
 * Follows a history event by event. It remembers the tasks that may stand, and of each the changes since the oldest
 * interval that is still held: not the history. An event costs O(1) amortized, a fate O(changes remembered of its task).
 */
export class Timeline {
  /** Calls and returns of changes so far, and the latest of them: nothing changed after it. */
  lastDisturbance = -1;
  readonly #tracks = new Map<string, TaskTrack>();
  readonly #held = new Map<object | number, number>();
  #open = 0;
  #now = -1;
  #deleted = new Set<TaskTrack>();

  /** Takes a call. Gives the track and the change where the operation may change a task. */
  called(entry: Entry): { readonly track: TaskTrack; readonly change: TaskChange } | undefined {
    const { operation, result } = entry;
    this.#now = entry.call;
    if (result.kind === 'error') return undefined;
    const until = result.kind === 'unknown' ? Number.POSITIVE_INFINITY : entry.return;
    if (operation.op === 'access') {
      this.#disturb(entry.call);
      const track = this.track(operation.id);
      const { caller, allowed } = operation;
      const list = track.access.get(caller) ?? [];
      track.access.set(caller, [...list, { call: entry.call, return: until, allowed }]);
      return undefined;
    }
    const facts = factsOf(operation);
    if (facts === undefined || (result.kind === 'written' && result.deduplicated === true)) return undefined;
    this.#disturb(entry.call);
    const track = this.track('contents' in operation ? operation.contents.id : (operation as { id: string }).id);
    if (facts.context !== undefined) track.context.see(facts.context);
    if (facts.state !== undefined) track.state.see(facts.state);
    if (facts.timestamp !== undefined) track.timestamp.see(facts.timestamp);
    else if (!facts.gone && operation.op === 'cancel') track.timestamp.see('unknown');
    const settled = Math.max(until, track.changes.at(-1)?.settled ?? -1);
    const change = { entry, call: entry.call, return: until, settled, facts };
    track.changes.push(change);
    if (track.changes.length > 8) this.#forget(track, entry.call);
    return { track, change };
  }

  returned(entry: Entry): void {
    const { operation, result } = entry;
    this.#now = entry.return;
    if (result.kind === 'error' || result.kind === 'unknown') return;
    if (operation.op !== 'access' && !isChange(operation)) return;
    if (result.kind === 'written' && result.deduplicated === true) return;
    this.#open--;
    this.lastDisturbance = entry.return;
    if (operation.op !== 'delete') return;
    this.#deleted.add(this.track(operation.id));
    if (this.#deleted.size > sweepAt) this.#sweep(entry.return);
  }

  /** No change is under way, and none has an outcome that is unknown: that one may still happen at any time. */
  get calm(): boolean {
    return this.#open === 0;
  }

  /** Keeps what matters for intervals that begin at `start`, until `release` by the same holder: a walk, or an entry's index. */
  hold(holder: object | number, start: number): void {
    this.#held.set(holder, start);
  }

  release(holder: object | number): void {
    this.#held.delete(holder);
  }

  /** Every id that may stand, or stood in an interval that is held. */
  tracks(): Iterable<TaskTrack> {
    return this.#tracks.values();
  }

  get size(): number {
    return this.#tracks.size;
  }

  /** The track of an id; a new one where nothing is remembered of it. */
  track(id: string): TaskTrack {
    const known = this.#tracks.get(id);
    if (known !== undefined) return known;
    const track: TaskTrack = {
      id,
      changes: [],
      access: new Map(),
      context: new Constant(),
      state: new Constant(),
      timestamp: new Constant(),
      since: this.#now,
      times: undefined,
      shownIn: [],
    };
    this.#tracks.set(id, track);
    return track;
  }

  #disturb(call: number): void {
    this.lastDisturbance = call;
    this.#open++;
  }

  /** Drops the changes that others certainly followed, and had ended, before now and before every interval that is held. */
  #forget(track: TaskTrack, now: number): void {
    const start = Math.min(now, ...this.#held.values());
    const latest = track.changes.reduce((call, one) => (one.return < start && one.call > call ? one.call : call), -1);
    track.changes = track.changes.filter((one) => one.return >= latest);
  }

  #sweep(now: number): void {
    const start = Math.min(now, ...this.#held.values());
    for (const track of this.#deleted) {
      if (track.changes.at(-1)?.facts.gone !== true) {
        this.#deleted.delete(track);
        continue;
      }
      this.#forget(track, now);
      if (!track.changes.every((one) => one.facts.gone && one.return < start)) continue;
      this.#deleted.delete(track);
      // Access outlives a task: an id created again has the access that was set before.
      if (track.access.size > 0) track.changes = [];
      else this.#tracks.delete(track.id);
    }
  }
}

/**
 * Says at once, of most tasks that stand, that one is not never visible and matching until `end`: its last change left it
 * there, and no filter or access is asked about. False decides nothing.
 */
export function plainlyThere(track: TaskTrack, view: Viewpoint, end: number): boolean {
  const last = track.changes.at(-1);
  if (last === undefined || view.filter !== undefined || view.caller !== undefined) return false;
  return !last.facts.gone && last.call <= end;
}

/**
 * Says at once, of most tasks that stand, that one must be selected from `start` on: its last change left it there, had
 * returned by then, and was called when all before it had. False decides nothing.
 */
export function plainlyStands(track: TaskTrack, view: Viewpoint, start: number): boolean {
  const { changes } = track;
  const last = changes.at(-1);
  if (last === undefined || last.facts.gone || last.return >= start) return false;
  if (view.filter !== undefined || view.caller !== undefined) return false;
  const before = changes.at(-2);
  return before === undefined || before.settled < last.call;
}

/** Whether a change leaves its task selected; undefined where that can't be told. */
export function changeMatches(
  track: TaskTrack,
  { facts }: TaskChange,
  filter: Filter | undefined,
): boolean | undefined {
  if (facts.gone) return false;
  if (filter === undefined) return true;
  // A field that a write leaves alone is known where it was never anything else.
  return factsMatch(
    {
      gone: false,
      context: facts.context ?? track.context.only,
      state: facts.state ?? track.state.only,
      timestamp: facts.timestamp === undefined ? track.timestamp.only : facts.timestamp,
    },
    filter,
  );
}

/**
 * A task's fate between two instants, as `models/walk.ts` decides it, with matches that can't be told counted for
 * neither side. Linear in the changes remembered, from the latest back, and ends as soon as it is decided.
 */
export function fateOf(track: TaskTrack, view: Viewpoint, start: number, end: number): Fate {
  const selected = selectedFate(track, view.filter, start, end);
  if (selected === 'never' || view.caller === undefined) return selected;
  const allowed = accessFate(track, view.caller, start, end);
  if (allowed === 'never') return 'never';
  return selected === 'must' && allowed === 'must' ? 'must' : 'may';
}

function selectedFate(track: TaskTrack, filter: Filter | undefined, start: number, end: number): Fate {
  const { changes } = track;
  let latestCall = Number.NEGATIVE_INFINITY;
  let steady = true;
  let found = false;
  let possible = false;
  for (let at = changes.length - 1; at >= 0; at--) {
    const change = changes[at] as TaskChange;
    if (change.call > end) continue;
    const during = change.return >= start;
    if (!during) {
      if (change.return < latestCall) continue;
      latestCall = Math.max(latestCall, change.call);
    }
    const matches = changeMatches(track, change, filter);
    found = true;
    if (during || matches !== true) steady = false;
    if (matches !== false) possible = true;
    if (possible && !steady) return 'may';
  }
  if (!possible) return 'never';
  return found && steady ? 'must' : 'may';
}

/** Of access alone: everybody has it until it is taken. */
export function accessFate(track: TaskTrack, caller: string, start: number, end: number): Fate {
  const changes = track.access.get(caller) ?? [];
  const before = changes.filter((one) => one.return < start);
  const during = changes.filter((one) => one.return >= start && one.call <= end);
  const latestCall = Math.max(...before.map((one) => one.call));
  const lasts = before.filter((one) => one.return >= latestCall);
  const allowedBefore = before.length === 0 ? [true] : lasts.map((one) => one.allowed);
  if (![...allowedBefore, ...during.map((one) => one.allowed)].includes(true)) return 'never';
  return during.length === 0 && !allowedBefore.includes(false) ? 'must' : 'may';
}
