/**
 * Five whole stores as people write them, each wrong in one way, seen from outside: no boundaries, no clock to set, a
 * token format of their own. They share no store with the bundled ones, so that they fail as strangers do.
 */
import { compareInstants, parseInstant } from '../store/instant.ts';
import type { ListReply, Subject, SubjectStore } from '../subject/subject.ts';
import { defineSubject } from '../subject/subject.ts';
import type { StoreListRequest, Task } from '../task/task.ts';
import type { Mutant } from './mutant.ts';

/** A row of the store's one table. */
export interface Row {
  readonly task: Task;
  /** How often anything was written under its id. */
  readonly writes: number;
  /** Whole seconds, as many a `created_at` column holds. */
  readonly createdAt: number;
  /** Grows with every write, over all rows. */
  readonly updatedAt: number;
  /** Whole milliseconds. */
  readonly updatedMs: number;
}

/** A page before it is a reply: its rows, and the token that follows. */
export interface Cut {
  readonly rows: readonly Row[];
  readonly token: string;
}

/** How one of the stores cuts a page out of its rows, which come unsorted. */
export type Cutter = (rows: readonly Row[], request: StoreListRequest & { readonly pageSize: number }) => Cut;

/** Makes a store whose every method but `list` is right. */
function wrongStore(name: string, cut: Cutter): Subject {
  return defineSubject({ name, open: async () => openTable(cut), classifyError: codeOf });
}

class BadRequest extends Error {}
class NoSuchTask extends Error {}

function codeOf(error: unknown): string | undefined {
  return error instanceof BadRequest ? 'invalid-argument' : error instanceof NoSuchTask ? 'not-found' : undefined;
}

function openTable(cut: Cutter): SubjectStore {
  const table = new Map<string, Row>();
  const written = new Map<string, number>();
  let writes = 0;
  const save = async (task: Task): Promise<undefined> => {
    if (!/^[^\0\p{Surrogate}]+$/u.test(task.id) || Buffer.byteLength(task.id) > 255) throw new BadRequest('bad id');
    const before = table.get(task.id);
    const updatedMs = Date.now();
    written.set(task.id, (written.get(task.id) ?? 0) + 1);
    table.set(task.id, {
      task: structuredClone(task),
      writes: written.get(task.id) ?? 0,
      createdAt: before?.createdAt ?? Math.floor(updatedMs / 1000),
      updatedAt: ++writes,
      updatedMs,
    });
  };
  const load = (id: string): Row => {
    const row = table.get(id);
    if (row === undefined) throw new NoSuchTask();
    return row;
  };
  return {
    create: save,
    replace: save,
    delete: async (id) => {
      table.delete(load(id).task.id);
    },
    get: async (id) => {
      const row = table.get(id);
      return row && { task: structuredClone(row.task) };
    },
    list: async (request): Promise<ListReply> => {
      const { rows, token } = cut([...table.values()], { ...request, pageSize: request.pageSize ?? 50 });
      const totalSize = [...table.values()].filter(selected(request)).length;
      return { tasks: rows.map(({ task }) => projected(task, request)), nextPageToken: token, totalSize };
    },
  };
}

function projected(task: Task, { includeArtifacts, historyLength = task.history.length }: StoreListRequest): Task {
  const { artifacts, history, ...rest } = structuredClone(task);
  const start = Math.max(0, history.length - historyLength);
  return { ...rest, artifacts: includeArtifacts ? artifacts : [], history: history.slice(start) };
}

/** The filters, which all of them get right. */
export function selected({ contextId, status, statusTimestampAfter }: StoreListRequest): (row: Row) => boolean {
  const after = statusTimestampAfter ? parseInstant(statusTimestampAfter) : undefined;
  if (statusTimestampAfter && after === undefined) throw new BadRequest('bad timestamp');
  const since = ({ task }: Row): boolean => {
    const at = parseInstant(task.status?.timestamp ?? '');
    return after === undefined || (at !== undefined && compareInstants(at, after) >= 0);
  };
  return (row) =>
    (!contextId || row.task.contextId === contextId) && (!status || row.task.status?.state === status) && since(row);
}

/** The right order. */
export const newestFirst = (a: Row, b: Row): number => b.updatedAt - a.updatedAt;

/** A token of a format that nothing else is: a word and the text in base64url. */
export function wrap(text: string): string {
  return `next-${Buffer.from(text).toString('base64url')}`;
}

/** Reads such a token; undefined where there is none. */
export function unwrap(token: string | undefined): string | undefined {
  if (!token) return undefined;
  const text = Buffer.from(token.slice('next-'.length), 'base64url').toString();
  if (wrap(text) !== token) throw new BadRequest('bad page token');
  return text;
}

/** Takes a page from the rows that are left, with a token of its last one where there are more. */
export function first(rows: readonly Row[], pageSize: number, tokenOf: (last: Row) => string): Cut {
  const page = rows.slice(0, pageSize);
  const last = page.at(-1);
  return { rows: page, token: last !== undefined && rows.length > pageSize ? wrap(tokenOf(last)) : '' };
}

const offsetPages: Cutter = (rows, request) => {
  const sorted = rows.filter(selected(request)).sort(newestFirst);
  const start = Number(request.pageToken || 0);
  const end = start + request.pageSize;
  return { rows: sorted.slice(start, end), token: end < sorted.length ? String(end) : '' };
};

const idOrdered: Cutter = (rows, request) => {
  const after = unwrap(request.pageToken);
  const left = rows
    .filter(selected(request))
    .filter(({ task }) => after === undefined || task.id > after)
    .sort((a, b) => (a.task.id < b.task.id ? -1 : 1));
  return first(left, request.pageSize, ({ task }) => task.id);
};

const createdCursor: Cutter = (rows, request) => {
  const before = Number(unwrap(request.pageToken) ?? Number.POSITIVE_INFINITY);
  const left = rows
    .filter(selected(request))
    .filter(({ createdAt }) => createdAt < before)
    .sort((a, b) => b.createdAt - a.createdAt);
  return first(left, request.pageSize, ({ createdAt }) => String(createdAt));
};

const boundaryLookup: Cutter = (rows, request) => {
  const sorted = rows.filter(selected(request)).sort(newestFirst);
  const boundary = unwrap(request.pageToken);
  if (boundary === undefined) return first(sorted, request.pageSize, ({ task }) => task.id);
  const at = sorted.findIndex(({ task }) => task.id === boundary);
  return first(at < 0 ? [] : sorted.slice(at + 1), request.pageSize, ({ task }) => task.id);
};

const filterAfterLimit: Cutter = (rows, request) => {
  const before = Number(unwrap(request.pageToken) ?? Number.POSITIVE_INFINITY);
  const left = rows.filter(({ updatedAt }) => updatedAt < before).sort(newestFirst);
  const page = first(left, request.pageSize, ({ updatedAt }) => String(updatedAt));
  return { ...page, rows: page.rows.filter(selected(request)) };
};

/** Makes a mutant of a cutter. */
export function wrong(id: string, fault: string, breaks: readonly string[], cut: Cutter): Mutant {
  return { id, area: 'memory', fault, breaks, subject: () => wrongStore(id, cut) };
}

/** The five stores. */
export const wrongStores: readonly Mutant[] = [
  wrong(
    'WRONG-offset-pages',
    'the token is the number of tasks that were shown',
    ['TOKEN-3', 'TOKEN-4', 'TOKEN-5', 'TOKEN-6', 'TOKEN-8', 'WALK-1', 'WALK-3', 'WALK-4'],
    offsetPages,
  ),
  // From outside, an order that ignores the last update can pass for one by status time.
  wrong('WRONG-id-ordered', 'tasks are listed by id', ['TIME-1', 'TIME-2', 'ORDER-1', 'ORDER-2'], idOrdered),
  wrong(
    'WRONG-created-cursor',
    'tasks are listed by their second of creation, and the token holds no more than that',
    ['TIME-1', 'TIME-2', 'ORDER-1', 'ORDER-2', 'TOKEN-5', 'TOKEN-8', 'WALK-3', 'WALK-6'],
    createdCursor,
  ),
  wrong(
    'WRONG-boundary-lookup',
    'the token is an id, and the page starts after wherever that task now is',
    ['TOKEN-2', 'TOKEN-5', 'TOKEN-8', 'WALK-1', 'WALK-3', 'WALK-4', 'WALK-5'],
    boundaryLookup,
  ),
  wrong(
    'WRONG-filter-after-limit',
    'the filter is applied to a page that was cut without it',
    ['TOKEN-6', 'WALK-5', 'WALK-6'],
    filterAfterLimit,
  ),
];
