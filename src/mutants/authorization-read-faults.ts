/** Dispatchers that ask, read again or answer for single tasks wrongly. */

import type { Access } from '../dispatcher/access.ts';
import { type DispatcherContext, type DispatcherParts, dispatcherParts } from '../dispatcher/context.ts';
import { NO_CALLER } from '../subject/dispatcher.ts';
import {
  InternalError,
  InvalidArgumentError,
  TaskNotCancelableError,
  TaskNotFoundError,
  TaskStoreError,
} from '../task/errors.ts';
import { isTerminal, type Task } from '../task/task.ts';
import type { TaskStore } from '../task/task-store.ts';
import { answering, around, type DispatcherFault, part, readEach } from './dispatcher-fault.ts';

const seesOthers = [
  'AUTH-2',
  'AUTH-3',
  'AUTH-8',
  'AUTH-9',
  'COUNT-1',
  'WALK-3',
  'WALK-4',
  'TOKEN-5',
  'TOKEN-8',
  'FILTER-1',
  'WALK-7',
  'AUTH-4',
  'AUTH-5',
];

/** Tasks as the scan saw them, by dispatcher. */
const scanned = new WeakMap<object, Map<string, Task>>();

/** In the order of their rows. */
export const authorizationReadFaults: readonly DispatcherFault[] = [
  {
    id: 'AUTH-16',
    fault: "a caller's scope stands in for the context that it asked for",
    breaks: ['AUTH-1', 'COUNT-1', 'FILTER-1', 'TOKEN-8', 'WALK-4', 'WALK-5'],
    options: part('narrowFilter', (filter, scope) => {
      if (scope.contextIds === 'all') return filter;
      const { contextId: _, ...rest } = filter;
      return dispatcherParts.narrowFilter(rest, scope);
    }),
  },
  {
    id: 'AUTH-17',
    fault: 'an empty scope means everything',
    breaks: ['AUTH-1', 'AUTH-9', 'COUNT-1', 'WALK-4', 'WALK-5', 'TOKEN-5'],
    options: part('askScope', async (access, caller, filter) => {
      const scope = await access.scope(caller, filter);
      return scope.contextIds.length === 0 ? { contextIds: 'all' } : scope;
    }),
  },
  {
    id: 'AUTH-19',
    fault: 'chosen tasks are shown as the scan saw them, without another read',
    breaks: ['AUTH-3', 'WALK-4'],
    options: {
      parts: {
        observeTasks: remembersTasks,
        rereadChosen: async (context, _caller, _scope, chosen) =>
          chosen.flatMap(({ id }) => scanned.get(context)?.get(id) ?? []),
      },
    },
  },
  {
    id: 'AUTH-20',
    fault: 'the policy is not asked again about the tasks that were read again',
    breaks: ['AUTH-3', 'AUTH-4'],
    options: part('rereadChosen', (context, _caller, _scope, chosen) =>
      readEach(context, chosen, async (task) => {
        if (task === undefined) throw new TaskNotFoundError();
        return task;
      }),
    ),
  },
  {
    id: 'AUTH-21',
    fault: 'the policy is asked again about the tasks as the scan saw them',
    breaks: ['AUTH-3'],
    options: {
      parts: {
        observeTasks: remembersTasks,
        rereadChosen(context, caller, scope, chosen) {
          const known = scanned.get(context);
          const allows: DispatcherParts['allows'] = (access, who, within, tasks) =>
            access.allows(
              who,
              within,
              tasks.map((task) => known?.get(task.id) ?? task),
            );
          return dispatcherParts.rereadChosen(
            { ...context, parts: { ...context.parts, allows } },
            caller,
            scope,
            chosen,
          );
        },
      },
    },
  },
  {
    id: 'AUTH-23',
    fault: 'a task that is revoked or gone at the final read is left out of the page',
    breaks: ['AUTH-4', 'TOKEN-6'],
    options: part('rereadChosen', (context, caller, scope, chosen) =>
      readEach(context, chosen, async (task) => {
        if (task === undefined) return undefined;
        const [allowed] = await context.access.allows(caller, scope, [task]);
        return allowed === true ? task : undefined;
      }),
    ),
  },
  {
    id: 'AUTH-24',
    fault: 'a revocation at the final read is told as such',
    breaks: ['AUTH-4'],
    options: part('rereadChosen', (context, caller, scope, chosen) =>
      readEach(context, chosen, async (task) => {
        if (task === undefined) throw new TaskNotFoundError();
        const [allowed] = await context.access.allows(caller, scope, [task]);
        if (allowed !== true) throw new InvalidArgumentError('Permission denied');
        return task;
      }),
    ),
  },
  {
    id: 'AUTH-24-words',
    fault: 'a revocation at the final read has words of its own',
    breaks: ['AUTH-4'],
    options: part('rereadChosen', async (context, caller, scope, chosen) => {
      try {
        return await dispatcherParts.rereadChosen(context, caller, scope, chosen);
      } catch (error) {
        if (!(error instanceof TaskNotFoundError)) throw error;
        throw new TaskStoreError('not-found', 'Task is no longer accessible');
      }
    }),
  },
  {
    id: 'AUTH-26',
    fault: 'a task that is gone at the final read is an internal error',
    breaks: ['AUTH-4'],
    options: part('rereadChosen', (context, caller, scope, chosen) =>
      readEach(context, chosen, async (task) => {
        if (task === undefined) throw new InternalError();
        const [allowed] = await context.access.allows(caller, scope, [task]);
        if (allowed !== true) throw new TaskNotFoundError();
        return task;
      }),
    ),
  },
  {
    id: 'AUTH-30',
    fault: 'a task that the caller may not access is refused, not missing',
    breaks: ['AUTH-8', 'AUTH-9'],
    options: part('findTask', async (context, caller, id) => {
      const stored = await context.store.get(id, 'full');
      if (stored === undefined) throw new TaskNotFoundError();
      try {
        return await dispatcherParts.findTask(context, caller, id);
      } catch (error) {
        throw error instanceof TaskNotFoundError ? new InvalidArgumentError('Permission denied') : error;
      }
    }),
  },
  {
    id: 'AUTH-31',
    fault: 'a cancel looks at the state before it asks who may access the task',
    breaks: ['AUTH-8', 'AUTH-9'],
    options: around((dispatcher) => ({
      async cancel(caller, taskId, options) {
        const { task } = await dispatcher.get(NO_CALLER, taskId);
        if (isTerminal(task.status?.state)) throw new TaskNotCancelableError();
        return dispatcher.cancel(caller, taskId, options);
      },
    })),
  },
  {
    id: 'AUTH-33',
    fault: "a save under the id of another's task replaces it",
    breaks: ['AUTH-8', 'AUTH-9', 'WALK-1', 'WALK-3'],
    options: around((dispatcher) => ({
      replace: (_caller, task, options) => dispatcher.replace(NO_CALLER, task, options),
    })),
  },
  {
    id: 'AUTH-34',
    fault: 'a task at work is canceled whoever asks',
    breaks: ['AUTH-8', 'AUTH-9'],
    options: around((dispatcher) => ({
      cancel: (_caller, taskId, options) => dispatcher.cancel(NO_CALLER, taskId, options),
    })),
  },
  {
    id: 'AUTH-35',
    fault: 'a list is scoped and a get is not',
    breaks: ['AUTH-8', 'AUTH-9'],
    options: around((dispatcher) => ({ get: (_caller, taskId) => dispatcher.get(NO_CALLER, taskId) })),
  },
  {
    id: 'AUTH-37',
    fault: 'the context that a request names joins the scope of its caller',
    breaks: ['AUTH-1', 'COUNT-1', 'WALK-4', 'WALK-5', 'TOKEN-8'],
    options: part('askScope', async (access, caller, filter) => {
      const { contextIds } = await access.scope(caller, filter);
      const named = filter.contextId;
      return { contextIds: contextIds === 'all' || named === undefined ? contextIds : [...contextIds, named] };
    }),
  },
  {
    id: 'AUTH-38',
    fault: 'the decisions of two callers whose names and tasks run into each other are one',
    breaks: seesOthers,
    options: remembering((caller, id) => `${caller}${id}`.replace(/[^a-z0-9]/g, '')),
  },
  {
    id: 'AUTH-40',
    fault: 'the policy is shown no history, whatever it asks for',
    breaks: ['AUTH-7'],
    options: answering((access, caller, scope, tasks) =>
      access.allows(
        caller,
        scope,
        tasks.map((task) => ({ ...task, history: [] })),
      ),
    ),
  },
  {
    id: 'AUTH-41',
    fault: 'a decision is remembered for its task, whoever asked',
    breaks: seesOthers,
    options: remembering((_caller, id) => id),
  },
  {
    id: 'AUTH-41-caller',
    fault: 'a decision is remembered for its caller and task',
    breaks: seesOthers,
    options: remembering((caller, id) => JSON.stringify([caller, id])),
  },
  {
    id: 'AUTH-51',
    fault: 'a policy that fails to answer means yes',
    breaks: ['AUTH-5'],
    options: answering((access, caller, scope, tasks) =>
      access.allows(caller, scope, tasks).catch(() => tasks.map(() => true)),
    ),
  },
  {
    id: 'AUTH-52',
    fault: 'a policy that fails to answer means no',
    breaks: ['AUTH-5'],
    options: answering((access, caller, scope, tasks) =>
      access.allows(caller, scope, tasks).catch(() => tasks.map(() => false)),
    ),
  },
  {
    id: 'AUTH-53',
    fault: 'a scope that fails to come means everything',
    breaks: ['AUTH-5'],
    options: part('askScope', (access, caller, filter) =>
      access.scope(caller, filter).catch(() => ({ contextIds: 'all' as const })),
    ),
  },
  {
    id: 'AUTH-54',
    fault: 'an internal error says what went wrong beneath',
    breaks: ['AUTH-5'],
    options: around((dispatcher) => ({
      list: (caller, request, signal) =>
        dispatcher.list(caller, request, signal).catch((error: unknown) => {
          throw error instanceof InternalError ? new InternalError(deepest(error)) : error;
        }),
    })),
  },
];

/** Remembers what the policy said under a key, for as long as the dispatcher lives. */
function remembering(keyOf: (caller: string, id: string) => string): DispatcherFault['options'] {
  const decisions = new WeakMap<Access, Map<string, boolean>>();
  return answering(async (access, caller, scope, tasks) => {
    const known = decisions.get(access) ?? new Map<string, boolean>();
    decisions.set(access, known);
    const news = tasks.filter(({ id }) => !known.has(keyOf(caller, id)));
    const answers = await access.allows(caller, scope, news);
    for (const [at, { id }] of news.entries()) known.set(keyOf(caller, id), answers[at] === true);
    return tasks.map(({ id }) => known.get(keyOf(caller, id)) === true);
  });
}

/** Scans, and remembers the tasks as they were scanned. */
function remembersTasks(
  context: DispatcherContext,
  request: Parameters<DispatcherParts['observeTasks']>[1],
): ReturnType<DispatcherParts['observeTasks']> {
  const tasks = new Map<string, Task>();
  scanned.set(context, tasks);
  const list: TaskStore['list'] = async (asked) => {
    const page = await context.store.list(asked);
    for (const task of page.tasks) tasks.set(task.id, task);
    return page;
  };
  return dispatcherParts.observeTasks({ ...context, store: { ...context.store, list } }, request);
}

function deepest(error: Error): string {
  return error.cause instanceof Error ? deepest(error.cause) : error.message;
}
