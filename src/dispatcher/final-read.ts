/** The final read: the chosen tasks again, in full and with fresh answers of the policy (AUTH-3, AUTH-4). */
import { InternalError, TaskNotFoundError } from '../task/errors.ts';
import type { StoredTask, Task, TaskCursor } from '../task/task.ts';
import type { DispatcherContext } from './context.ts';
import type { TaskScope } from './policy.ts';

/**
 * Reads the chosen tasks again and checks them again; gives their fresh contents in the order of the choice. Rejects
 * with `not-found` for the whole page where one was deleted or revoked since it was chosen: a page without it would
 * tell that it was there. A task older than its own selection is another one, created again under the id.
 */
export async function rereadChosen(
  { store, access, parts }: DispatcherContext,
  caller: string,
  scope: TaskScope,
  chosen: readonly TaskCursor[],
): Promise<Task[]> {
  const reads = await Promise.allSettled(chosen.map(({ id }) => store.get(id, 'full')));
  const tasks = reads.map((read, position) => {
    if (read.status === 'rejected') throw new InternalError(undefined, { cause: read.reason });
    return sameTask(read.value, chosen[position] as TaskCursor);
  });
  const allowed = await parts.allows(access, caller, scope, tasks);
  if (!allowed.every((answer) => answer === true)) throw new TaskNotFoundError();
  return tasks;
}

function sameTask(stored: StoredTask | undefined, selected: TaskCursor): Task {
  if (stored === undefined) throw new TaskNotFoundError();
  if (stored.task.id !== selected.id) throw new InternalError();
  if (stored.lastUpdatedMicros < selected.lastUpdatedMicros) throw new TaskNotFoundError();
  return stored.task;
}
