/** What a fault in the dispatcher is, and how one of its parts is tampered with. */
import type { DispatcherContext, DispatcherParts } from '../dispatcher/context.ts';
import { dispatcherParts } from '../dispatcher/context.ts';
import type { Dispatcher } from '../dispatcher/dispatcher.ts';
import type { Observation } from '../dispatcher/selection.ts';
import { createDispatcherSubject, type DispatcherSubjectOptions } from '../subject/dispatcher.ts';
import type { Task, TaskCursor } from '../task/task.ts';
import type { TaskStore } from '../task/task-store.ts';
import type { Mutant } from './mutant.ts';

/** One row of the catalogue: the right dispatcher with one thing changed. */
export interface DispatcherFault {
  readonly id: string;
  readonly fault: string;
  /** As in `Mutant`. */
  readonly breaks: readonly string[];
  readonly options: Pick<DispatcherSubjectOptions, 'parts' | 'wrapDispatcher'>;
}

/** Makes a mutant of a row. */
export function dispatcherMutant({ options, ...row }: DispatcherFault): Mutant {
  return {
    ...row,
    area: 'authorization',
    subject: () => createDispatcherSubject(undefined, { ...options, name: row.id }),
  };
}

/** Replaces one part. */
export function part<Name extends keyof DispatcherParts>(
  name: Name,
  fault: DispatcherParts[Name],
): DispatcherFault['options'] {
  return { parts: { [name]: fault } };
}

/** Changes the scan: what its store gives, or what it makes of the batches. */
export function scanning(
  change: (
    observe: AsyncGenerator<readonly Observation[]>,
    context: DispatcherContext,
  ) => AsyncGenerator<readonly Observation[]>,
): DispatcherFault['options'] {
  return part('observeTasks', (context, request) => change(dispatcherParts.observeTasks(context, request), context));
}

/** Puts another store before the scan. */
export function scanningOver(change: (store: TaskStore) => Pick<TaskStore, 'list'>): DispatcherFault['options'] {
  return part('observeTasks', (context, request) => {
    const { store } = context;
    const changed: TaskStore = { ...methodsOf(store), ...change(store) };
    return dispatcherParts.observeTasks({ ...context, store: changed }, request);
  });
}

/** Changes a selection after it was made. */
export function selecting(
  change: (
    observed: (seen: Observation) => void,
    pageSize: number,
  ) => Partial<ReturnType<DispatcherParts['createSelection']>>,
): DispatcherFault['options'] {
  return part('createSelection', (boundary, pageSize) => {
    const right = dispatcherParts.createSelection(boundary, pageSize);
    const changed = change((seen) => right.observe(seen), pageSize);
    return {
      observe: changed.observe ?? ((seen) => right.observe(seen)),
      get chosen() {
        return changed.chosen ?? right.chosen;
      },
      get total() {
        return changed.total ?? right.total;
      },
      get more() {
        return changed.more ?? right.more;
      },
      get held() {
        return changed.held ?? right.held;
      },
    };
  });
}

/** Changes the answers of the policy, wherever they are asked for. */
export function answering(fault: DispatcherParts['allows']): DispatcherFault['options'] {
  return part('allows', fault);
}

/** Changes some operations of the whole dispatcher. */
export function around(change: (dispatcher: Dispatcher) => Partial<Dispatcher>): DispatcherFault['options'] {
  return { wrapDispatcher: (dispatcher) => ({ ...dispatcher, ...change(dispatcher) }) };
}

/** The methods of a store, for changing one of them. */
export function methodsOf(store: TaskStore): TaskStore {
  return {
    create: (task) => store.create(task),
    replace: (task, options) => store.replace(task, options),
    append: (taskId, message) => store.append(taskId, message),
    cancel: (taskId, options) => store.cancel(taskId, options),
    delete: (taskId) => store.delete(taskId),
    get: (taskId, projection) => store.get(taskId, projection),
    list: (request) => store.list(request),
    close: () => store.close(),
  };
}

/** Reads the chosen tasks one by one, with no check but what `each` makes of it. */
export async function readEach(
  { store }: DispatcherContext,
  chosen: readonly TaskCursor[],
  each: (task: Task | undefined, cursor: TaskCursor) => Promise<Task | undefined>,
): Promise<Task[]> {
  const tasks: Task[] = [];
  for (const cursor of chosen) {
    const task = await each((await store.get(cursor.id, 'full'))?.task, cursor);
    if (task !== undefined) tasks.push(task);
  }
  return tasks;
}
