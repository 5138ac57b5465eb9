/**
 * A sequential history, understood: which versions of which tasks there were, what was seen of each, and what stood
 * when each list was asked for. Follows what the subject acknowledged; whether it should have is for the checks.
 */
import { matches } from '../../models/listing.ts';
import { decodePageToken } from '../../models/page-token.ts';
import {
  type Expectation,
  expectMutation,
  type ModelOptions,
  type Mutation,
  targetOf,
} from '../../models/task-store.ts';
import type { Contents, Entry, History, ListOperation, PageResult } from '../history/history.ts';

/** One time at which a version was seen: in the answer to a write, by a read, or on a page. */
export interface Sighting {
  readonly entry: number;
  readonly micros: bigint | undefined;
  readonly revision: string | undefined;
  readonly contents: Contents | undefined;
}

/** A task between two of its mutations. */
export interface Version {
  readonly id: string;
  /** Which incarnation of the id: equal numbers, equal task. */
  readonly life: number;
  contents: Contents;
  /** Its status time is the one that an external store gave at a cancel, and was not seen yet. */
  hasOpenTime: boolean;
  /** The version of the same life that it replaced. */
  readonly previous: Version | undefined;
  /** The entry that wrote it, and its position among the versions of its life, from 0. */
  readonly entry: number;
  readonly number: number;
  readonly sightings: Sighting[];
  /** The entries of mutations that had to leave it as it was: rejected, or deduplicated. */
  readonly attempts: number[];
  /** The last-update time as first seen, at any later entry; undefined where it never was. */
  micros: bigint | undefined;
  /** False where an attempt may have moved the time: it was seen to differ after one, or not seen since. */
  settled: boolean;
  /** The revision as first seen. */
  revision: string | undefined;
}

/** A mutation, what the contract allows it, and the versions around it. */
export interface MutationMoment {
  readonly entry: Entry;
  readonly operation: Mutation;
  readonly expectation: Expectation;
  readonly before: Version | undefined;
  readonly after: Version | undefined;
}

/** A list call. `standing` is every task that existed then; `epoch` counts mutations and other disturbances before it. */
export interface ListMoment {
  readonly entry: Entry;
  readonly operation: ListOperation;
  /** Undefined where the call failed. */
  readonly page: PageResult | undefined;
  readonly standing: readonly Version[];
  readonly epoch: number;
  /** The page whose token was sent, where one was. */
  readonly source: ListMoment | undefined;
  /** For each item of the page the version that stood under its id, undefined where nothing did. */
  readonly shown: readonly (Version | undefined)[];
}

export interface ReadMoment {
  readonly entry: Entry;
  readonly id: string;
  readonly standing: Version | undefined;
}

export interface Walk {
  readonly name: string;
  /** Successful pages in order. */
  readonly pages: readonly ListMoment[];
  /** The call that ended it with an error, where one did. */
  readonly failure: ListMoment | undefined;
}

export interface World {
  readonly entries: readonly Entry[];
  readonly tampered: boolean;
  /** Written by others, to A2A: what A2A leaves open is not held against it. */
  readonly external: boolean;
  readonly versions: readonly Version[];
  readonly mutations: readonly MutationMoment[];
  readonly lists: readonly ListMoment[];
  readonly reads: readonly ReadMoment[];
  readonly walks: readonly Walk[];
  /** Whether a caller may access a task at an entry. */
  accessAt(caller: string | undefined, id: string, entry: number): boolean;
  /** Whether a caller may access a version at an entry, and its scope covers the version's context. */
  visibleAt(caller: string | undefined, version: Version, entry: number): boolean;
  /** The contexts that a caller's lists are narrowed to at an entry. */
  scopeAt(caller: string | undefined, entry: number): readonly string[] | 'all';
  /** The version that stood under an id right before an entry returned. */
  standingAt(id: string, entry: number): Version | undefined;
}

/**
 * Reads a history of operations that do not overlap. Linear in the entries times the tasks that stand. It ends before
 * the first mutation whose outcome is unknown: nothing after it can be judged one operation at a time.
 */
export function observe(whole: History, options: ModelOptions): World {
  const end = whole.entries.findIndex((entry) => entry.result.kind === 'unknown');
  const history = { entries: end < 0 ? whole.entries : whole.entries.slice(0, end) };
  const standing = new Map<string, Version>();
  const versions: Version[] = [];
  const mutations: MutationMoment[] = [];
  const lists: ListMoment[] = [];
  const listByEntry = new Map<number, ListMoment>();
  const reads: ReadMoment[] = [];
  const access = new Map<string, Map<string, { entry: number; allowed: boolean }[]>>();
  const scopes: { entry: number; caller: string; contexts: readonly string[] | 'all' }[] = [];
  const accessAt: World['accessAt'] = (caller, id, entry) => {
    if (caller === undefined) return true;
    const changes = access.get(caller)?.get(id);
    return changes?.findLast((change) => change.entry < entry)?.allowed ?? true;
  };
  const scopeAt: World['scopeAt'] = (caller, entry) =>
    scopes.findLast((change) => change.entry < entry && change.caller === caller)?.contexts ?? 'all';
  const visibleAt: World['visibleAt'] = (caller, version, entry) => {
    if (!accessAt(caller, version.id, entry)) return false;
    const contexts = scopeAt(caller, entry);
    return contexts === 'all' || contexts.includes(version.contents.context);
  };
  let epoch = 0;
  let lives = 0;
  let snapshot: readonly Version[] | undefined = [];

  for (const entry of history.entries) {
    const { operation, result } = entry;
    switch (operation.op) {
      case 'list': {
        snapshot ??= [...standing.values()];
        const page = result.kind === 'page' ? result : undefined;
        const shown = (page?.items ?? []).map((item) => standing.get(item.id));
        const source = operation.tokenFrom === undefined ? undefined : listByEntry.get(operation.tokenFrom);
        const moment: ListMoment = { entry, operation, page, standing: snapshot, epoch, source, shown };
        lists.push(moment);
        listByEntry.set(entry.index, moment);
        if (page !== undefined) sightPage(entry, page, shown, options);
        break;
      }
      case 'get': {
        const held = standing.get(operation.id);
        const version = held !== undefined && visibleAt(operation.caller, held, entry.index) ? held : undefined;
        reads.push({ entry, id: operation.id, standing: version });
        if (result.kind === 'read' && result.contents !== undefined && version !== undefined)
          sight(version, {
            entry: entry.index,
            micros: result.micros,
            revision: result.revision,
            contents: result.contents,
          });
        break;
      }
      case 'access': {
        const { caller, id, allowed } = operation;
        const ofCaller = access.get(caller) ?? new Map<string, { entry: number; allowed: boolean }[]>();
        access.set(caller, ofCaller);
        ofCaller.set(id, [...(ofCaller.get(id) ?? []), { entry: entry.index, allowed }]);
        epoch++;
        break;
      }
      case 'restart':
        epoch++;
        break;
      case 'scope':
        scopes.push({ entry: entry.index, caller: operation.caller, contexts: operation.contexts });
        epoch++;
        break;
      case 'clock':
      case 'tick':
      case 'beneath':
      case 'database':
      case 'push':
      case 'push-list':
      case 'raw':
        break;
      default: {
        epoch++;
        snapshot = undefined;
        const id = targetOf(operation);
        const before = standing.get(id);
        // What a caller may not access does not exist for it; only a create still meets the id.
        const met =
          before !== undefined && (operation.op === 'create' || visibleAt(operation.caller, before, entry.index))
            ? before
            : undefined;
        const expectation = expectMutation(operation, met, options);
        let after = before;
        if (result.kind === 'done') {
          standing.delete(id);
          after = undefined;
        } else if (result.kind === 'written') {
          const wrote = writes(operation, expectation, before, options);
          if (wrote !== undefined) {
            const life = before === undefined ? lives++ : before.life;
            const number = before === undefined ? 0 : before.number + 1;
            after = {
              id,
              life,
              contents: result.contents ?? wrote,
              hasOpenTime:
                result.contents === undefined && options.external === true && leavesTimeOpen(operation, before),
              entry: entry.index,
              number,
              previous: before,
              sightings: [],
              attempts: [],
              micros: undefined,
              settled: true,
              revision: undefined,
            };
            standing.set(id, after);
            versions.push(after);
          }
          if (after !== undefined)
            sight(after, { entry: entry.index, micros: result.micros, revision: result.revision, contents: undefined });
        }
        if (before !== undefined && after === before) before.attempts.push(entry.index);
        mutations.push({ entry, operation, expectation, before, after });
      }
    }
  }
  for (const version of versions) if (version.attempts.length > 0) version.settled = isSettled(version);
  return {
    entries: history.entries,
    tampered: whole.tampered === true,
    external: options.external === true,
    versions,
    mutations,
    lists,
    reads,
    walks: walksOf(lists),
    accessAt,
    visibleAt,
    scopeAt,
    standingAt(id, entry) {
      const last = mutations.findLast((moment) => moment.entry.index < entry && targetOf(moment.operation) === id);
      return last?.after;
    },
  };
}

/** The contents that an acknowledged write left, undefined where it was to write nothing. */
function writes(
  operation: Mutation,
  expectation: Expectation,
  before: Version | undefined,
  options: ModelOptions,
): Contents | undefined {
  if (expectation.kind === 'write') return expectation.contents;
  if (expectation.kind === 'nothing') return undefined;
  // Acknowledged where it had to be refused: what a lenient store would have written.
  if (operation.op === 'create' || operation.op === 'replace') return operation.contents;
  if (before === undefined) return undefined;
  const contents: Contents = operation.op === 'cancel' ? { ...before.contents, state: 'WORKING' } : before.contents;
  const lenient = expectMutation(operation, { contents, revision: undefined, micros: undefined }, options);
  return lenient.kind === 'write' ? lenient.contents : undefined;
}

/** Whether every time seen since the first attempt is the one seen first, and one was seen since the last. */
function isSettled({ attempts, sightings, micros }: Version): boolean {
  const timed = sightings.filter((sighting) => sighting.micros !== undefined);
  const isConfirmed = timed.some(({ entry }) => entry > attempts.at(-1)!);
  return isConfirmed && timed.every((sighting) => sighting.micros === micros);
}

/** A2A names no time for a cancel to write: an external store may take its own. */
function leavesTimeOpen(operation: Mutation, before: Version | undefined): boolean {
  return operation.op === 'cancel' || (operation.op === 'append' && before?.hasOpenTime === true);
}

function sight(version: Version, sighting: Sighting): void {
  version.sightings.push(sighting);
  if (version.hasOpenTime && sighting.contents?.state === 'CANCELED') {
    const { timestamp: _, ...contents } = version.contents;
    const { timestamp } = sighting.contents;
    version.contents = { ...contents, ...(timestamp === undefined ? {} : { timestamp }) };
    version.hasOpenTime = false;
  }
  version.micros ??= sighting.micros;
  version.revision ??= sighting.revision;
}

/**
 * A page shows contents, and times where its cursors stand at the positions of its tasks. Where it has no cursors, a v1
 * token tells the time of the last task.
 */
function sightPage(
  entry: Entry,
  page: PageResult,
  shown: readonly (Version | undefined)[],
  { tokens }: ModelOptions,
): void {
  const token = page.cursors === undefined && tokens === 'v1' ? decodePageToken(page.nextToken) : undefined;
  for (const [position, version] of shown.entries()) {
    const cursor = page.cursors?.[position];
    const contents = page.items[position];
    const isLast = position === shown.length - 1 && token?.id === contents?.id;
    const micros =
      cursor !== undefined && cursor.id === contents?.id
        ? cursor.micros
        : isLast
          ? token?.lastUpdatedMicros
          : undefined;
    if (version !== undefined && micros !== undefined && isStale(version, micros)) continue;
    if (version !== undefined) sight(version, { entry: entry.index, micros, revision: undefined, contents });
  }
}

/** A row with the time of an earlier version shows that version (SNAP-2), and nothing of this one. */
function isStale(version: Version, micros: bigint): boolean {
  if (version.micros === undefined || version.micros === micros) return false;
  for (let earlier = version.previous; earlier !== undefined; earlier = earlier.previous)
    if (earlier.micros === micros) return true;
  return false;
}

function walksOf(lists: readonly ListMoment[]): Walk[] {
  const walks = new Map<string, { name: string; pages: ListMoment[]; failure: ListMoment | undefined }>();
  for (const moment of lists) {
    const name = moment.operation.walk;
    if (name === undefined) continue;
    const walk = walks.get(name) ?? { name, pages: [], failure: undefined };
    walks.set(name, walk);
    if (moment.page === undefined) walk.failure = moment;
    else walk.pages.push(moment);
  }
  return [...walks.values()];
}

/** The tasks that a list call had to choose from: standing, accessible to its caller, selected by its filter. */
export function candidates(world: World, moment: ListMoment): Version[] {
  const { caller, filter } = moment.operation;
  return moment.standing.filter(
    (version) => matches(version.contents, filter) && world.visibleAt(caller, version, moment.entry.index),
  );
}
