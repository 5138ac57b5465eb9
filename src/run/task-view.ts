/** What the clients of a run believe of a task. */
import type { Contents, Operation } from '../history/history.ts';
import { isTerminal } from '../task/task.ts';
import { stateOf } from './content.ts';

/** What the clients believe of a task: what was last written, and the revisions that were seen. */
export interface TaskView {
  contents: Contents;
  revision: string | undefined;
  older: string | undefined;
}

/** The contents that a mutation which took effect leaves, as far as a client knows those before. */
export function viewAfter(operation: Operation, before: Contents | undefined): Contents | undefined {
  if (operation.op === 'create' || operation.op === 'replace') return operation.contents;
  if (before === undefined) return undefined;
  if (operation.op === 'append') {
    return before.history.includes(operation.message)
      ? before
      : { ...before, history: [...before.history, operation.message] };
  }
  return operation.op === 'cancel'
    ? { ...before, state: 'CANCELED', ...(operation.timestamp === undefined ? {} : { timestamp: operation.timestamp }) }
    : before;
}

/** Tells whether a task can neither be continued nor cancelled any more. */
export function hasEnded({ state }: Contents): boolean {
  return isTerminal(stateOf(state));
}
