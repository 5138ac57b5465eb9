/** The door to one task: what may not be accessed does not exist (AUTH-9). */
import { TaskNotFoundError } from '../task/errors.ts';
import type { StoredTask } from '../task/task.ts';
import type { DispatcherContext } from './context.ts';

/**
 * Reads one task for its caller, in full. Rejects with `not-found` both where there is none and where the caller may
 * not access it. The scope is asked first, so that a failing policy fails for missing tasks as well, and a task
 * outside of what its caller can list can't be fetched either.
 */
export async function findTask(
  { store, access, parts }: DispatcherContext,
  caller: string,
  id: string,
): Promise<StoredTask> {
  const scope = await parts.askScope(access, caller, {});
  const stored = await store.get(id, 'full');
  if (stored === undefined) throw new TaskNotFoundError();
  const [allowed] = await parts.allows(access, caller, scope, [stored.task]);
  if (allowed !== true) throw new TaskNotFoundError();
  return stored;
}
