/** What is known of a task after a write whose order among others is not: each field as far as it is certain. */
import { parseInstant } from '../../models/instant.ts';
import type { Contents, Operation } from '../history/history.ts';
import type { Filter } from '../history/program.ts';

/** Fields that a write set for certain; `undefined` is unknown, `null` is none. */
export interface TaskFacts {
  readonly gone: boolean;
  readonly context: string | undefined;
  readonly state: Contents['state'] | undefined;
  readonly timestamp: string | null | undefined;
}

/** The values that a field ever took: one, several, or none yet. */
export class Constant<T> {
  #value: T | undefined;
  #several = false;

  see(value: T): void {
    if (this.#value === undefined) this.#value = value;
    else if (this.#value !== value) this.#several = true;
  }

  /** The one value; undefined where there were several, or none. */
  get only(): T | undefined {
    return this.#several ? undefined : this.#value;
  }
}

const changes: ReadonlySet<Operation['op']> = new Set(['create', 'replace', 'append', 'cancel', 'delete']);

/** Tells whether an operation may change a task: whether `factsOf` says anything of it. */
export function isChange({ op }: Operation): boolean {
  return changes.has(op);
}

/** What a mutation that took effect says of its task; undefined where the operation is none. */
export function factsOf(operation: Operation): TaskFacts | undefined {
  switch (operation.op) {
    case 'create':
    case 'replace': {
      const { context, state, timestamp } = operation.contents;
      return { gone: false, context, state, timestamp: timestamp ?? null };
    }
    case 'append':
      return { gone: false, context: undefined, state: undefined, timestamp: undefined };
    case 'cancel':
      return { gone: false, context: undefined, state: 'CANCELED', timestamp: operation.timestamp };
    case 'delete':
      return { gone: true, context: undefined, state: undefined, timestamp: undefined };
    default:
      return undefined;
  }
}

/** Tells whether a filter selects a task of which so much is known; undefined where that can't be told. */
export function factsMatch(facts: TaskFacts, filter: Filter | undefined): boolean | undefined {
  if (facts.gone) return false;
  if (filter === undefined) return true;
  const { context, state, after } = filter;
  const answers = [
    context === undefined || context === ''
      ? true
      : facts.context === undefined
        ? undefined
        : facts.context === context,
    state === undefined || state === 'UNSPECIFIED'
      ? true
      : facts.state === undefined
        ? undefined
        : facts.state === state,
    after === undefined || after === '' ? true : isAfter(facts.timestamp, after),
  ];
  return answers.includes(false) ? false : answers.includes(undefined) ? undefined : true;
}

function isAfter(timestamp: string | null | undefined, after: string): boolean | undefined {
  if (timestamp === undefined) return undefined;
  const own = timestamp === null ? undefined : parseInstant(timestamp);
  const from = parseInstant(after);
  return own !== undefined && from !== undefined && own >= from;
}
