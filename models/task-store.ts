/** The sequential specification of a task store: what each mutation must answer, and what it leaves. */
import type { Contents, Operation } from '../src/history/history.ts';

/** The operations that may change a task. */
export type Mutation = Extract<Operation, { op: 'create' | 'replace' | 'append' | 'cancel' | 'delete' }>;

/** A task as the model holds it before a mutation. */
export interface ModelTask {
  readonly contents: Contents;
  /** Undefined where the subject never showed one. */
  readonly revision: string | undefined;
  /** Undefined where the subject never showed it. */
  readonly micros: bigint | undefined;
}

/** What the subject declares that changes the specification. */
export interface ModelOptions {
  readonly create: 'reject' | 'upsert';
  readonly deduplicates: boolean;
  readonly nul: boolean;
  readonly maxBytes: number;
  /** Written by others, to A2A: what A2A leaves open is not held against it. */
  readonly external?: boolean;
  /** `v1` where a page token tells the key of its boundary. */
  readonly tokens?: 'v1' | 'opaque';
}

/** What a mutation must do: write new contents, succeed without writing, remove, or be refused with an error code. */
export type Expectation =
  | {
      readonly kind: 'write';
      readonly contents: Contents;
      /** A definite error that is as good: the subject may or may not write over, or into nothing. */
      readonly orRefuse?: string;
    }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'remove' }
  | { readonly kind: 'refuse'; readonly code: string };

const terminal = new Set(['COMPLETED', 'FAILED', 'CANCELED', 'REJECTED']);
const endOfTime = 2n ** 63n - 1n;
const encoder = new TextEncoder();

/** The id of the task that a mutation is about. */
export function targetOf(mutation: Mutation): string {
  return 'contents' in mutation ? mutation.contents.id : mutation.id;
}

/** Tells whether a store under these options can keep an id (STORE-3). */
export function keepsId(id: string, options: ModelOptions): boolean {
  return (
    id !== '' &&
    id.isWellFormed() &&
    (options.nul || !id.includes('\0')) &&
    // A UTF-16 unit is at most 3 bytes of UTF-8.
    (id.length * 3 <= options.maxBytes || encoder.encode(id).length <= options.maxBytes)
  );
}

/** Says what the contract allows `mutation` to do where `task` stands under its id, or nothing does. */
export function expectMutation(mutation: Mutation, task: ModelTask | undefined, options: ModelOptions): Expectation {
  if (mutation.op === 'create' || mutation.op === 'replace') {
    if (!keepsId(mutation.contents.id, options)) return { kind: 'refuse', code: 'invalid-argument' };
    const { context } = mutation.contents;
    if (context !== '' && !keepsId(context, options)) return { kind: 'refuse', code: 'invalid-argument' };
  }
  if (mutation.op === 'create') {
    if (task !== undefined && options.create === 'reject') return { kind: 'refuse', code: 'already-exists' };
    const over = task === undefined ? {} : { orRefuse: 'already-exists' };
    return atEnd(task) ?? { kind: 'write', contents: mutation.contents, ...over };
  }
  if (task === undefined) {
    // No revision is that of a task which does not stand.
    const upsert = mutation.op === 'replace' && mutation.ifRevision === undefined && options.create === 'upsert';
    return upsert
      ? { kind: 'write', contents: mutation.contents, orRefuse: 'not-found' }
      : { kind: 'refuse', code: 'not-found' };
  }
  switch (mutation.op) {
    case 'replace':
      if (mutation.ifRevision !== undefined && mutation.ifRevision !== task.revision)
        return { kind: 'refuse', code: 'revision-conflict' };
      return atEnd(task) ?? { kind: 'write', contents: mutation.contents };
    case 'append': {
      const known = task.contents.history.includes(mutation.message);
      if (known && options.deduplicates) return { kind: 'nothing' };
      const history = [...task.contents.history, mutation.message];
      return atEnd(task) ?? { kind: 'write', contents: { ...task.contents, history } };
    }
    case 'cancel': {
      if (terminal.has(task.contents.state)) return { kind: 'refuse', code: 'not-cancelable' };
      const { timestamp: _, ...rest } = task.contents;
      const stamp = mutation.timestamp === undefined ? {} : { timestamp: mutation.timestamp };
      return atEnd(task) ?? { kind: 'write', contents: { ...rest, state: 'CANCELED', ...stamp } };
    }
    case 'delete':
      return { kind: 'remove' };
  }
}

/** TIME-5: a task at the end of time can't be mutated. */
function atEnd(task: ModelTask | undefined): Expectation | undefined {
  return task?.micros === endOfTime ? { kind: 'refuse', code: 'internal' } : undefined;
}
