/** The sequential specification of whole pages: states of all tasks at once, for small histories. */
import { compareKeys, type Key } from '../../models/key.ts';
import { listAfter, matches } from '../../models/listing.ts';
import type { ModelOptions } from '../../models/task-store.ts';
import type { Contents, Entry, ListOperation, PageResult } from '../history/history.ts';
import { defaultPageSize } from './position.ts';
import { absent, showsTask, type TaskState, TaskStates } from './task-states.ts';

/** Which of a page is held against a state: its tasks, or its total as well. */
export type PageView = 'tasks' | 'tasks and total';

/** Numbers the states of a whole store, and gives the steps between them. */
export class StoreStates {
  readonly #tasks: TaskStates;
  readonly #entries: readonly Entry[];
  readonly #view: PageView;
  readonly #places = new Map<string, number>();
  readonly #states: (readonly number[])[];
  readonly #numbers = new Map<string, number>();
  readonly #steps = new Map<Entry, Map<number, number>>();

  constructor(options: ModelOptions, entries: readonly Entry[], ids: readonly string[], view: PageView) {
    this.#tasks = new TaskStates(options);
    this.#entries = entries;
    this.#view = view;
    for (const [place, id] of ids.entries()) this.#places.set(id, place);
    this.#states = [ids.map(() => absent)];
    this.#numbers.set((this.#states[0] as readonly number[]).join(), 0);
  }

  step(entry: Entry, state: number): number {
    const known = this.#steps.get(entry) ?? new Map<number, number>();
    this.#steps.set(entry, known);
    const before = known.get(state);
    if (before !== undefined) return before;
    const after = this.#compute(entry, state);
    known.set(state, after);
    return after;
  }

  #compute(entry: Entry, state: number): number {
    const { operation, result } = entry;
    const tasks = this.#states[state] as readonly number[];
    if (operation.op === 'list') return result.kind !== 'page' || this.#allows(operation, result, tasks) ? state : -1;
    const id = 'contents' in operation ? operation.contents.id : (operation as { readonly id: string }).id;
    const place = this.#places.get(id) as number;
    const after = this.#tasks.step(entry, tasks[place] as number);
    if (after < 0) return -1;
    const next = tasks.with(place, after);
    const key = next.join();
    const number = this.#numbers.get(key) ?? this.#states.length;
    if (number === this.#states.length) {
      this.#states.push(next);
      this.#numbers.set(key, number);
    }
    return number;
  }

  /** Whether the page can be that of these tasks; what can't be told counts as yes. */
  #allows(operation: ListOperation, page: PageResult, tasks: readonly number[]): boolean {
    const { filter } = operation;
    const standing = tasks.flatMap((state) => this.#tasks.at(state) ?? []);
    if (filter?.after !== undefined && standing.some((task) => task.ownTimestamp)) return true;
    const matching = standing.filter((task) => matches(task.contents, filter));
    if (this.#view === 'tasks and total' && page.totalSize !== undefined && page.totalSize !== matching.length)
      return false;
    const byId = new Map(matching.map((task) => [task.contents.id, task]));
    const shown = page.items.every((item) => {
      const task = byId.get(item.id);
      return task !== undefined && showsTask(item, task, true);
    });
    if (!shown || new Set(page.items.map((item) => item.id)).size !== page.items.length) return false;
    return this.#isCut(operation, page, matching);
  }

  /** Whether the page is the right part of the list, where keys tell. A shorter page with a token is one, too. */
  #isCut(operation: ListOperation, page: PageResult, matching: readonly TaskState[]): boolean {
    const boundary = this.#boundary(operation);
    const first = (operation.token ?? '') === '';
    const keyed = matching.map(({ contents, micros }) => ({ id: contents.id, micros }));
    if (keyed.some((task) => task.micros === undefined) || (!first && boundary === undefined)) {
      // Without keys: a first page without a token is all there is.
      return !first || page.nextToken !== '' || page.items.length === matching.length;
    }
    const expected = listAfter(keyed as Key[], boundary);
    const ids = page.items.map((item: Contents) => item.id);
    if (ids.length > Math.min(expected.length, operation.pageSize ?? defaultPageSize)) return false;
    const whole = page.nextToken !== '' || ids.length === expected.length;
    return whole && ids.every((id, position) => id === expected[position]?.id);
  }

  /** The key that the token stands for; undefined where no cursor showed it. */
  #boundary(operation: ListOperation): Key | undefined {
    const source = operation.tokenFrom === undefined ? undefined : this.#entries[operation.tokenFrom]?.result;
    if (source?.kind !== 'page') return undefined;
    const cursor = source.cursors?.[source.items.length - 1];
    const last = source.items.at(-1);
    return cursor !== undefined && last !== undefined && compareKeys(cursor, { ...cursor, id: last.id }) === 0
      ? cursor
      : undefined;
  }
}
