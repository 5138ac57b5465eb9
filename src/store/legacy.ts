/** The older release's listing (0.5.2): creation order, numeric tokens that are offsets. Kept for its own profile. */
import { InvalidArgumentError } from '../task/errors.ts';
import type { StoredTask, StoreListPage, StoreListRequest } from '../task/task.ts';
import type { TaskStore } from '../task/task-store.ts';
import { readExtent, readPageSize, readPredicate } from './filter.ts';
import { createMemoryTaskStore } from './memory.ts';
import { copyTask } from './task-copy.ts';

/**
 * Makes an empty store that lists as the older release does. Offsets repeat and omit tasks while tasks change: that is
 * what the newer contract is for. A list costs a read of every task.
 */
export function createLegacyTaskStore(): TaskStore {
  const inner = createMemoryTaskStore();
  const created: string[] = [];
  return {
    replace: (task, options) => inner.replace(task, options),
    append: (taskId, message) => inner.append(taskId, message),
    cancel: (taskId, options) => inner.cancel(taskId, options),
    get: (taskId, projection) => inner.get(taskId, projection),
    close: () => inner.close(),
    async create(task) {
      const stored = await inner.create(task);
      created.push(stored.task.id);
      return stored;
    },
    async delete(taskId) {
      await inner.delete(taskId);
      created.splice(created.indexOf(taskId), 1);
    },
    async list(request) {
      const standing = await Promise.all(created.map((id) => inner.get(id)));
      return pageOf(
        standing.filter((stored) => stored !== undefined),
        request,
      );
    },
  };
}

function pageOf(standing: readonly StoredTask[], request: StoreListRequest): StoreListPage {
  const offset = readOffset(request.pageToken);
  const pageSize = readPageSize(request.pageSize);
  const selects = readPredicate(request);
  const extent = readExtent(request);
  const matching = standing.filter(
    ({ task }) => (request.contextId || task.contextId) === task.contextId && (selects?.(task) ?? true),
  );
  const page = matching.slice(offset, offset + pageSize);
  const next = offset + page.length;
  return {
    tasks: page.map(({ task }) => copyTask(task, extent)),
    taskCursors: page.map(({ task, lastUpdatedMicros }) => ({ id: task.id, lastUpdatedMicros })),
    nextPageToken: next < matching.length ? String(next) : '',
    pageSize,
    totalSize: matching.length,
  };
}

function readOffset(token: string | undefined): number {
  if (token === undefined || token === '') return 0;
  if (!/^(0|[1-9][0-9]{0,8})$/.test(token)) throw new InvalidArgumentError('Invalid page token');
  return Number(token);
}
