/** What the dispatcher's parts share, and the parts themselves. */

import type { StoredTask, Task } from '../task/task.ts';
import type { TaskStore } from '../task/task-store.ts';
import { encodePageToken } from '../token/page-token.ts';
import type { Access } from './access.ts';
import { alignedCursors } from './boundaries.ts';
import { rereadChosen } from './final-read.ts';
import { checkListRequest } from './list-request.ts';
import type { DispatcherCounters } from './meter.ts';
import { narrowFilter } from './narrow.ts';
import type { TaskFilter, TaskScope } from './policy.ts';
import { projectTask } from './projection.ts';
import { observeTasks } from './scan.ts';
import { createSelection, type Selected } from './selection.ts';
import { findTask } from './single-task.ts';

/** The parts that the dispatcher is made of. A faulty dispatcher is the right one with one of them replaced. */
export interface DispatcherParts {
  readonly checkListRequest: typeof checkListRequest;
  /** Asks the policy for a caller's scope; for one task, with no filter. */
  askScope(access: Access, caller: string, filter: TaskFilter): Promise<TaskScope>;
  readonly narrowFilter: typeof narrowFilter;
  readonly observeTasks: typeof observeTasks;
  readonly alignedCursors: typeof alignedCursors;
  /** Every question of access passes here: at the scan, at the final read and at the door to one task. */
  allows(access: Access, caller: string, scope: TaskScope, tasks: readonly Task[]): Promise<readonly boolean[]>;
  readonly createSelection: typeof createSelection;
  readonly rereadChosen: typeof rereadChosen;
  readonly projectTask: typeof projectTask;
  /** The token of the next page; empty where no authorized task follows (TOKEN-6). */
  nextPageToken(selection: Selected): string;
  readonly findTask: typeof findTask;
  /** Stores a new task; an id that stands is refused. */
  createTask(store: TaskStore, caller: string, task: Task): Promise<StoredTask>;
}

/** What one dispatcher's parts work with. */
export interface DispatcherContext {
  readonly store: TaskStore;
  readonly access: Access;
  readonly parts: DispatcherParts;
  readonly counters: DispatcherCounters;
}

/** The right parts. */
export const dispatcherParts: DispatcherParts = {
  checkListRequest,
  askScope: (access, caller, filter) => access.scope(caller, filter),
  narrowFilter,
  observeTasks,
  alignedCursors,
  allows: (access, caller, scope, tasks) => access.allows(caller, scope, tasks),
  createSelection,
  rereadChosen,
  projectTask,
  nextPageToken({ more, chosen }) {
    const last = chosen.at(-1);
    return more && last !== undefined ? encodePageToken(last) : '';
  },
  findTask,
  createTask: (store, _caller, task) => store.create(task),
};
