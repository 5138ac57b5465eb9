/** Reads what a subject answered into results; an answer that breaks the subject interface is a `SubjectFault`. */
import type { Contents, Result } from '../history/history.ts';
import type { ListReply, ReadReply, Subject, WriteReply } from '../subject/subject.ts';
import type { TaskCursor } from '../task/task.ts';
import { contentsOf } from './content.ts';
import { SubjectFault } from './subject-fault.ts';

/** Reads the answer to a write; nothing at all is an answer. */
export function writtenResult(operation: string, reply: WriteReply | undefined): Result {
  if (reply === undefined || reply === null) return { kind: 'written' };
  if (typeof reply !== 'object') throw broken(`${operation} answered a ${typeof reply}; give a WriteReply or nothing`);
  const { deduplicated, task } = reply;
  return {
    kind: 'written',
    ...timesOf(reply),
    ...(deduplicated === undefined ? {} : { deduplicated }),
    ...(task === undefined ? {} : { contents: readTask(operation, task) }),
  };
}

/** Reads the answer to a get; undefined says that there is no such task. */
export function readResult(reply: ReadReply | undefined): Result {
  if (reply === undefined || reply === null) return { kind: 'read' };
  if (typeof reply !== 'object') throw broken(`get answered a ${typeof reply}; give { task } or undefined`);
  return { kind: 'read', contents: readTask('get', reply.task), ...timesOf(reply) };
}

/** Reads the answer to a list. A `nextPageToken` that is no text is the store's fault, and judged (TOKEN-1). */
export function pageResult(reply: ListReply): Result {
  if (typeof reply !== 'object' || reply === null)
    throw broken(
      `list answered ${reply === null ? 'null' : `a value of type ${typeof reply}`}; give { tasks, nextPageToken }`,
    );
  if (!Array.isArray(reply.tasks))
    throw broken('list answered without an array in `tasks`; give { tasks, nextPageToken }');
  if (typeof reply.nextPageToken !== 'string')
    return { kind: 'malformed', what: `nextPageToken is of type ${typeof reply.nextPageToken}, not a string` };
  const { taskCursors, pageSize, via } = reply;
  const totalSize = reply.totalSize ?? undefined;
  if (totalSize !== undefined && typeof totalSize !== 'number')
    throw broken(`list answered a totalSize of type ${typeof totalSize}; give a number, or none`);
  return {
    kind: 'page',
    items: reply.tasks.map((task) => readTask('list', task)),
    ...(taskCursors === undefined ? {} : { cursors: readCursors(taskCursors) }),
    nextToken: reply.nextPageToken,
    ...(pageSize === undefined ? {} : { pageSize }),
    ...(totalSize === undefined ? {} : { totalSize }),
    ...(via === undefined ? {} : { via }),
  };
}

function readCursors(taskCursors: readonly TaskCursor[]): { id: string; micros: bigint }[] {
  if (!Array.isArray(taskCursors)) throw broken('list answered taskCursors that are no array');
  return taskCursors.map((cursor: Partial<TaskCursor> | null | undefined, position) => {
    const { id, lastUpdatedMicros } = cursor ?? {};
    if (typeof id === 'string' && typeof lastUpdatedMicros === 'bigint') return { id, micros: lastUpdatedMicros };
    throw broken(`taskCursors[${position}] is no cursor; give { id: a string, lastUpdatedMicros: a bigint }`);
  });
}

const knownCodes: ReadonlySet<string> = new Set([
  'invalid-argument',
  'not-found',
  'already-exists',
  'revision-conflict',
  'not-cancelable',
  'internal',
  'unknown-outcome',
]);

/** Reads what a subject threw; a code that neither the error nor the subject gives is `unclassified`. */
export function errorResult(subject: Subject, error: unknown): Result {
  const {
    code: own,
    answer,
    status,
    transport,
  } = (typeof error === 'object' && error !== null ? error : {}) as {
    readonly code?: unknown;
    readonly answer?: unknown;
    readonly status?: unknown;
    readonly transport?: unknown;
  };
  const code =
    subject.classifyError?.(error) ?? (typeof own === 'string' && knownCodes.has(own) ? own : 'unclassified');
  const message = error instanceof Error ? error.message : String(error);
  if (code === 'unknown-outcome') return { kind: 'unknown', message };
  return {
    kind: 'error',
    code,
    message,
    ...(answer === undefined ? {} : { detail: JSON.stringify([status, answer]) }),
    ...(typeof transport === 'string' ? { via: transport } : {}),
  };
}

function readTask(operation: string, task: unknown): Contents {
  try {
    return contentsOf(task);
  } catch (error) {
    throw broken(`${operation} answered a task that is none: ${(error as Error).message}`);
  }
}

function timesOf(reply: { readonly lastUpdatedMicros?: bigint; readonly revision?: string }): {
  micros?: bigint;
  revision?: string;
} {
  const { lastUpdatedMicros, revision } = reply;
  if (lastUpdatedMicros !== undefined && typeof lastUpdatedMicros !== 'bigint')
    throw broken(`lastUpdatedMicros is of type ${typeof lastUpdatedMicros}; give a bigint of microseconds`);
  if (revision !== undefined && typeof revision !== 'string')
    throw broken(`revision is of type ${typeof revision}; give a text, which comes back as ifRevision`);
  return {
    ...(lastUpdatedMicros === undefined ? {} : { micros: lastUpdatedMicros }),
    ...(revision === undefined ? {} : { revision }),
  };
}

function broken(message: string): SubjectFault {
  return new SubjectFault('interface', message);
}
