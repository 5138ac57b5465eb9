/** Turns a task store under the contract into the methods of a subject's store. */
import type { TaskStore } from '../task/task-store.ts';
import type { SubjectStore, WriteReply } from './subject.ts';

/** What of `SubjectStore` every task store under the contract has. */
export type StoreMethods = Required<
  Pick<SubjectStore, 'create' | 'replace' | 'append' | 'cancel' | 'delete' | 'get' | 'list' | 'close'>
>;

/** Gives the methods; revisions become text, and a text that no revision has becomes one that no task has. */
export function storeMethods(store: TaskStore): StoreMethods {
  return {
    create: async (task) => reply(await store.create(task)),
    replace: async (task, { ifRevision }) =>
      reply(await store.replace(task, ifRevision === undefined ? {} : { ifRevision: numberOf(ifRevision) })),
    append: async (taskId, message) => {
      const { stored, deduplicated } = await store.append(taskId, message);
      const { lastUpdatedMicros, revision } = reply(stored);
      return { lastUpdatedMicros, revision, deduplicated };
    },
    cancel: async (taskId, options) => reply(await store.cancel(taskId, options)),
    delete: (taskId) => store.delete(taskId),
    get: async (taskId) => {
      const stored = await store.get(taskId);
      return stored && { task: stored.task, ...reply(stored) };
    },
    list: (request) => store.list(request),
    close: () => store.close(),
  };
}

function numberOf(revision: string): number {
  return /^[1-9][0-9]*$/.test(revision) ? Number(revision) : -1;
}

function reply(stored: {
  readonly revision: number;
  readonly lastUpdatedMicros: bigint;
}): Required<Pick<WriteReply, 'lastUpdatedMicros' | 'revision'>> {
  return { lastUpdatedMicros: stored.lastUpdatedMicros, revision: String(stored.revision) };
}
