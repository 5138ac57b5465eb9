/** What a fault wrapper is: one fault put around a store that somebody else wrote, by which a run proves itself. */
import type { CallContext, Capabilities, ListReply, Subject, SubjectStore } from '../../subject/subject.ts';
import type { StoreListRequest, Task, TaskCursor } from '../../task/task.ts';

/** One fault that can be put around any store that has what it needs. */
export interface FaultWrapper {
  /** Stable, such as `row-dropped`. */
  readonly id: string;
  /** The one fault, half a sentence. */
  readonly fault: string;
  /** The contract rule whose own words it contradicts; others may be contradicted as well. */
  readonly rule: string;
  /** Methods that the store must have. */
  readonly methods?: readonly (keyof SubjectStore)[];
  /** Another rule that has to hold for the fault to show at all: a write moves no task of a store that ignores writes. */
  readonly standsOn?: string;
  /** What the subject must declare; nothing where absent. */
  needs?(capabilities: Capabilities): boolean;
  /** Gives the methods that differ from those of this store; asked anew for each store that is opened. */
  wrap(store: SubjectStore, capabilities: Capabilities): Partial<SubjectStore>;
}

const memberNames = [
  'create',
  'replace',
  'append',
  'cancel',
  'delete',
  'get',
  'list',
  'setClock',
  'setAccess',
  'setScope',
  'restart',
  'counters',
  'close',
  'beneath',
  'database',
  'push',
  'raw',
] as const;

/** Gives the subject with the fault around every store that it opens. It shares what `start` of the subject prepared. */
export function wrapSubject(subject: Subject, { id, wrap }: FaultWrapper): Subject {
  const { capabilities } = subject;
  return {
    name: `${subject.name} with ${id}`,
    capabilities,
    classifyError: (error) => subject.classifyError?.(error),
    open: async () => {
      const store = await subject.open();
      return { ...membersOf(store), ...wrap(store, capabilities) } as SubjectStore;
    },
  };
}

/** The members of a store, which may be an instance of a class, as those of a plain object. */
function membersOf(store: SubjectStore): Partial<SubjectStore> {
  const members: Readonly<Record<string, unknown>> = store as never;
  const there = memberNames.filter((name) => members[name] !== undefined);
  return Object.fromEntries(
    there.map((name) => {
      const member = members[name];
      return [name, typeof member === 'function' ? member.bind(store) : member];
    }),
  );
}

/** A task of a page with its cursor, where the store gives cursors. */
export interface Row {
  readonly task: Task;
  readonly cursor: TaskCursor | undefined;
}

/** The rows of a page. */
export function rowsOf({ tasks, taskCursors }: ListReply): Row[] {
  return tasks.map((task, position) => ({ task, cursor: taskCursors?.[position] }));
}

/** The page with other rows. */
export function withRows(reply: ListReply, rows: readonly Row[]): ListReply {
  const tasks = rows.map(({ task }) => task);
  if (reply.taskCursors === undefined) return { ...reply, tasks };
  return { ...reply, tasks, taskCursors: rows.flatMap(({ cursor }) => cursor ?? []) };
}

/** A list, as a wrapper sees it. */
export interface Asked {
  readonly request: StoreListRequest;
  readonly call: CallContext;
  /** The token that was sent; empty on a first page. */
  readonly token: string;
}

/** Changes the answers of `list`. */
export function answering(change: (reply: ListReply, asked: Asked) => ListReply | Promise<ListReply>) {
  return (store: SubjectStore): Partial<SubjectStore> => ({
    list: async (request, call) =>
      change(await store.list(request, call), { request, call, token: request.pageToken ?? '' }),
  });
}

/** Changes what `list` is asked for. */
export function asking(change: (request: StoreListRequest) => StoreListRequest) {
  return (store: SubjectStore): Partial<SubjectStore> => ({
    list: (request, call) => store.list(change(request), call),
  });
}

/** Whether a request names anything that selects tasks. */
export function hasFilter({ contextId, status, statusTimestampAfter }: StoreListRequest): boolean {
  return Boolean(contextId) || Boolean(status) || Boolean(statusTimestampAfter);
}

/** An error of the contract as a store would throw it. */
export function refusal(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** The error with another message; whatever else tells its kind stays, the class included. */
export function withMessage(error: unknown, message: string): unknown {
  return typeof error === 'object' && error !== null ? Object.create(error, { message: { value: message } }) : error;
}

/** Tells of every write but a create that succeeded, once it has. */
export function following(store: SubjectStore, written: (id: string) => void): Partial<SubjectStore> {
  const after = <T>(id: string, reply: T): T => {
    written(id);
    return reply;
  };
  const { replace, append, cancel, delete: remove } = membersOf(store);
  return {
    ...(replace && { replace: async (task, options, call) => after(task.id, await replace(task, options, call)) }),
    ...(append && { append: async (id, message, call) => after(id, await append(id, message, call)) }),
    ...(cancel && { cancel: async (id, options, call) => after(id, await cancel(id, options, call)) }),
    ...(remove && { delete: async (id, call) => after(id, await remove(id, call)) }),
  } as Partial<SubjectStore>;
}
