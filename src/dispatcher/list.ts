/** One list call of one caller: check the request, narrow it, scan, choose, read again, project. */
import type { StoreListPage } from '../task/task.ts';
import type { DispatcherContext } from './context.ts';
import type { CallerListRequest } from './list-request.ts';
import type { TaskScope } from './policy.ts';
import type { Selected } from './selection.ts';
import { selectWithinScope } from './within-scope.ts';

/**
 * Lists the tasks that `caller` may access. One scan gives both the exact total and the page: it starts at the top for
 * the total, and the page is chosen below the boundary. Without the total it starts at the boundary and ends as soon as
 * a successor of the full page is seen. Where the scope alone decides, the store counts and chooses instead. `taskCursors` are the keys at selection, of which the token is the last
 * (TOKEN-6); the contents are those of the final read.
 */
export async function listTasks(
  context: DispatcherContext,
  caller: string,
  request: CallerListRequest,
  signal?: AbortSignal,
): Promise<StoreListPage> {
  const { parts, access, counters } = context;
  const { filter, boundary, pageToken, pageSize, includeTotalSize, projection } = parts.checkListRequest(request);
  const scope = await parts.askScope(access, caller, filter);
  const narrowed = parts.narrowFilter(filter, scope);
  if (access.scopeDecides && narrowed !== undefined) {
    const within = { scope, filter: narrowed, boundary, pageToken, pageSize, includeTotalSize };
    const selection = await selectWithinScope(context, within);
    counters.peakHeld = Math.max(counters.peakHeld, selection.chosen.length);
    // The scope is all that could revoke: it is asked again before the final read checks by it (AUTH-3).
    return answer(selection, await parts.askScope(access, caller, filter));
  }
  const selection = parts.createSelection(boundary, pageSize);
  if (narrowed !== undefined) {
    const from = includeTotalSize ? '' : pageToken;
    for await (const batch of parts.observeTasks(context, { caller, scope, filter: narrowed, from, signal })) {
      for (const observation of batch) selection.observe(observation);
      counters.peakHeld = Math.max(counters.peakHeld, batch.length + selection.held);
      if (!includeTotalSize && selection.more) break;
    }
  }
  return answer(selection, scope);

  async function answer(selected: Selected, current: TaskScope): Promise<StoreListPage> {
    const tasks = await parts.rereadChosen(context, caller, current, selected.chosen);
    return {
      tasks: tasks.map((task) => parts.projectTask(task, projection)),
      taskCursors: [...selected.chosen],
      nextPageToken: parts.nextPageToken(selected),
      pageSize,
      ...(includeTotalSize && { totalSize: selected.total }),
    };
  }
}
