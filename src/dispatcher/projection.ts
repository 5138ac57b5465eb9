/** What of a task is shown: to the policy, and in an answer. */
import type { Task } from '../task/task.ts';

/** How a caller wants tasks: artifacts only where asked for, history cut to its most recent messages (WIRE-4). */
export interface ProjectionRequest {
  readonly includeArtifacts?: boolean | undefined;
  /** The most recent messages to keep; all where absent. */
  readonly historyLength?: number | undefined;
}

/** Shows a task as its caller asked for it; the argument is left as it is. */
export function projectTask(task: Task, request: ProjectionRequest): Task {
  const { includeArtifacts = false, historyLength } = request;
  const history = historyLength === undefined ? task.history : lastOf(task.history, historyLength);
  return { ...task, history, artifacts: includeArtifacts ? task.artifacts : [] };
}

/** Leaves out history and artifacts: what a policy with a light projection is shown, whatever was read (AUTH-7). */
export function lightTask(task: Task): Task {
  const isLight = task.history.length === 0 && task.artifacts.length === 0;
  return isLight ? task : { ...task, history: [], artifacts: [] };
}

/** `slice(-0)` would be everything. */
function lastOf<T>(items: readonly T[], count: number): T[] {
  return count === 0 ? [] : items.slice(-count);
}
