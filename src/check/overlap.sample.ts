/** Builds histories of overlapping operations for tests: each operation with its client, its call and its return. */
import type { Contents, Entry, History, ListOperation, Operation, Result } from '../history/history.ts';
import { memoryCapabilities } from '../subject/memory.ts';
import type { Capabilities } from '../subject/subject.ts';
import type { CheckContext } from './check.ts';
import { judgeConcurrent } from './concurrent.ts';
import type { RuleReport } from './verdict.ts';

/** One operation before it has its place: from when to when, what, and what came of it. */
export interface Span {
  readonly at: readonly [call: number, end: number];
  readonly operation: Operation;
  readonly result: Result;
}

/** Contents of a task that is told from others by its note. */
export function contents(id: string, note: string, more: Partial<Contents> = {}): Contents {
  return { id, context: 'ctx', state: 'WORKING', history: [], artifacts: [], note, ...more };
}

/** A write of time `micros`; `note` and `micros` make the version. */
export function wrote(
  op: 'create' | 'replace',
  at: Span['at'],
  id: string,
  micros: number,
  more: Partial<Contents> & { readonly ifRevision?: string; readonly revision?: string } = {},
): Span {
  const { ifRevision, revision, ...rest } = more;
  const operation: Operation = {
    op: op as 'replace',
    contents: contents(id, `${id}@${micros}`, rest),
    ...(ifRevision === undefined ? {} : { ifRevision }),
  };
  const result: Result = { kind: 'written', micros: BigInt(micros), ...(revision === undefined ? {} : { revision }) };
  return { at, operation, result };
}

/** A delete that succeeded. */
export function deleted(at: Span['at'], id: string): Span {
  return { at, operation: { op: 'delete', id }, result: { kind: 'done' } };
}

/** A page of a walk: ids with their times, and what else matters; without a total unless one is given. */
export function page(
  at: Span['at'],
  walk: string,
  number: number,
  items: readonly (readonly [id: string, micros: number])[],
  more: Partial<ListOperation> & { readonly next?: string; readonly totalSize?: number } = {},
): Span {
  const { next = '', totalSize, ...rest } = more;
  return {
    at,
    operation: {
      op: 'list',
      walk,
      page: number,
      ...(number === 0 ? {} : { token: 'more' }),
      ...(totalSize === undefined ? { total: false } : {}),
      ...rest,
    },
    result: {
      kind: 'page',
      items: items.map(([id, micros]) => contents(id, `${id}@${micros}`)),
      cursors: items.map(([id, micros]) => ({ id, micros: BigInt(micros) })),
      nextToken: next,
      ...(totalSize === undefined ? {} : { totalSize }),
    },
  };
}

/** The same operation with an outcome that nobody knows. */
export function unknown(span: Span): Span {
  return { ...span, result: { kind: 'unknown', message: 'the connection was lost' } };
}

/** Puts operations in order of return. Each gets a client of its own; pages of one walk have one. */
export function overlapping(...spans: readonly Span[]): History {
  const clients = new Map<string, number>();
  const entries = [...spans]
    .sort((a, b) => a.at[1] - b.at[1])
    .map(({ at, operation, result }, index): Entry => {
      const whose = operation.op === 'list' ? (operation.walk ?? `list ${index}`) : `one ${index}`;
      const client = clients.get(whose) ?? clients.size;
      clients.set(whose, client);
      return { index, client, step: index, call: at[0], return: at[1], operation, result };
    });
  return { entries };
}

/** Judges as a store in memory would be; capabilities of its own, and the order of lists, may be changed. */
export function judged(
  history: History,
  capabilities: Partial<Capabilities> = {},
  order: CheckContext['order'] = 'storage-time',
): readonly RuleReport[] {
  return judgeConcurrent(history, { capabilities: { ...memoryCapabilities, ...capabilities }, order });
}

/** The rules that were found broken, sorted. */
export function broken(
  history: History,
  capabilities: Partial<Capabilities> = {},
  order: CheckContext['order'] = 'storage-time',
): string[] {
  return judged(history, capabilities, order)
    .filter(({ findings }) => findings.length > 0)
    .map(({ rule }) => rule)
    .sort();
}
