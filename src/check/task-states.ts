/** The sequential specification of single tasks as numbered states, for the search of an order. */
import { sameInstant } from '../../models/instant.ts';
import { expectMutation, type ModelOptions, type ModelTask, type Mutation } from '../../models/task-store.ts';
import type { Contents, Entry } from '../history/history.ts';

/** A task in some state: it stands, and so much is known of it. */
export interface TaskState extends ModelTask {
  /** The store may have chosen the status time itself: at a cancel that named none, and an external one at any. */
  readonly ownTimestamp: boolean;
}

/** State 0 of every task: it does not stand. */
export const absent = 0;

/** Error codes that a task's state explains; any other definite error has no effect and proves nothing. */
const stateful: ReadonlySet<string> = new Set(['not-found', 'already-exists', 'revision-conflict', 'not-cancelable']);

/** Gives each state that operations lead to a number, and the steps between them. */
export class TaskStates {
  readonly #options: ModelOptions;
  readonly #states: (TaskState | undefined)[] = [undefined];
  readonly #numbers = new Map<string, number>();
  readonly #steps = new Map<Entry, Map<number, number>>();

  constructor(options: ModelOptions) {
    this.#options = options;
  }

  at(state: number): TaskState | undefined {
    return this.#states[state];
  }

  /** The state after an entry's operation with its very result, or, where that is unknown, with success; -1: forbidden. */
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
    const task = this.#states[state];
    if (operation.op === 'get') return this.#read(entry, state, task);
    const mutation = operation as Mutation;
    if (result.kind === 'error') return this.#refusal(mutation, result.code, task) ? state : -1;
    const expected = expectMutation(withKnownRevision(mutation, task), withoutTime(task), this.#options);
    if (expected.kind === 'refuse') return -1;
    if (expected.kind === 'remove') return absent;
    const deduplicated = result.kind === 'written' ? result.deduplicated : undefined;
    if (expected.kind === 'nothing') return deduplicated === false ? -1 : state;
    if (deduplicated === true) return -1;
    const written = result.kind === 'written' ? result : undefined;
    return this.#number({
      contents: expected.contents,
      revision: written?.revision,
      micros: written?.micros,
      ownTimestamp:
        mutation.op === 'cancel'
          ? mutation.timestamp === undefined || this.#options.external === true
          : mutation.op === 'append' && task?.ownTimestamp === true,
    });
  }

  /** Whether the state explains a refusal. Which of two reasons a store names is its own choice, but not that a task stands. */
  #refusal(mutation: Mutation, code: string, task: TaskState | undefined): boolean {
    if (!stateful.has(code)) return true;
    if (code === 'not-found') return task === undefined;
    if (code === 'already-exists') return task !== undefined;
    if (
      'ifRevision' in mutation &&
      mutation.ifRevision !== undefined &&
      task !== undefined &&
      task.revision === undefined
    )
      return true;
    const expected = expectMutation(mutation, withoutTime(task), this.#options);
    return expected.kind === 'refuse' || (expected.kind === 'write' && expected.orRefuse !== undefined);
  }

  #read({ result }: Entry, state: number, task: TaskState | undefined): number {
    if (result.kind === 'error') return result.code !== 'not-found' || task === undefined ? state : -1;
    if (result.kind !== 'read') return state;
    if (result.contents === undefined || task === undefined)
      return result.contents === undefined && task === undefined ? state : -1;
    if (!showsTask(result.contents, task)) return -1;
    if (result.revision === undefined || task.revision === result.revision) return state;
    return task.revision === undefined ? this.#number({ ...task, revision: result.revision }) : -1;
  }

  #number(task: TaskState): number {
    const { contents, revision, micros, ownTimestamp } = task;
    const { id, context, state, timestamp, history, artifacts, note } = contents;
    const key = JSON.stringify([
      id,
      context,
      state,
      timestamp,
      history,
      artifacts,
      note,
      revision,
      String(micros),
      ownTimestamp,
    ]);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#states.push(task);
    this.#numbers.set(key, this.#states.length - 1);
    return this.#states.length - 1;
  }
}

/** TIME-5 is judged elsewhere: here every task can be written. */
function withoutTime(task: TaskState | undefined): ModelTask | undefined {
  return task === undefined ? undefined : { ...task, micros: undefined };
}

/** A conditional replace that succeeded proves the revision where it was unknown. */
function withKnownRevision(mutation: Mutation, task: TaskState | undefined): Mutation {
  if (mutation.op !== 'replace' || mutation.ifRevision === undefined || task === undefined) return mutation;
  if (task.revision !== undefined) return mutation;
  const { ifRevision: _, ...unconditional } = mutation;
  return unconditional;
}

/** Whether contents that were read are those of a state; in lists history and artifacts may be cut. */
export function showsTask(read: Contents, { contents, ownTimestamp }: TaskState, cut = false): boolean {
  return (
    read.id === contents.id &&
    read.context === contents.context &&
    read.state === contents.state &&
    (ownTimestamp || sameInstant(read.timestamp, contents.timestamp)) &&
    read.note === contents.note &&
    (cut ? endsLike(contents.history, read.history) : sameList(read.history, contents.history)) &&
    (sameList(read.artifacts, contents.artifacts) || (cut && read.artifacts.length === 0))
  );
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, position) => value === b[position]);
}

function endsLike(whole: readonly string[], end: readonly string[]): boolean {
  return (
    end.length <= whole.length && end.every((value, position) => value === whole[whole.length - end.length + position])
  );
}
