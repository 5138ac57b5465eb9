/** Rows PG-25 to PG-33: stores that write what they should refuse, or leave alone. */
import type pg from 'pg';
import { quoteIdentifier } from '../store/postgres-parts.ts';
import { LATEST_TIMESTAMPTZ } from '../store/postgres-time.ts';
import type { Task } from '../task/task.ts';
import { methodsOf, type PostgresFault } from './postgres-fault.ts';

const cut = (id: string): string => id.split('\0')[0] ?? '';
const cutTask = (task: Task): Task => ({ ...task, id: cut(task.id), contextId: cut(task.contextId) });

async function touch(pool: pg.Pool, schema: string, id: string): Promise<void> {
  await pool.query(
    `UPDATE ${quoteIdentifier(schema)}.a2a_tasks SET updated_at = GREATEST(clock_timestamp(), updated_at + interval '1 microsecond') WHERE id = $1 AND updated_at < timestamptz '${LATEST_TIMESTAMPTZ}'`,
    [id],
  );
}

export const postgresWriteFaults: readonly PostgresFault[] = [
  {
    id: 'PG-25',
    fault: 'an id ends at its first NUL',
    breaks: ['STORE-3'],
    wrap: (store) => ({
      ...methodsOf(store),
      create: (task) => store.create(cutTask(task)),
      replace: (task, options) => store.replace(cutTask(task), options),
      get: (id, projection) => store.get(cut(id), projection),
    }),
  },
  {
    id: 'PG-32',
    fault: 'a repeated append writes the row as it was',
    breaks: ['TIME-3', 'WALK-3'],
    wrap: (store, pool, schema) => ({
      ...methodsOf(store),
      append: async (taskId, message) => {
        const result = await store.append(taskId, message);
        if (!result.deduplicated) return result;
        await touch(pool, schema, taskId);
        return { stored: (await store.get(taskId)) ?? result.stored, deduplicated: true };
      },
    }),
  },
  {
    id: 'PG-32-twice',
    fault: 'a repeated message is appended again',
    // A walk under way loses the task, which nobody wrote.
    breaks: ['TIME-3', 'SNAP-2', 'WALK-3'],
    parts: { isNewMessage: () => 'true' },
  },
  {
    id: 'PG-33',
    fault: 'a cancel writes before it looks at the state',
    // A task that nobody may change moves ahead of every walk under way.
    breaks: ['TIME-3', 'WALK-3'],
    wrap: (store, pool, schema) => ({
      ...methodsOf(store),
      cancel: async (taskId, options) => {
        try {
          return await store.cancel(taskId, options);
        } catch (error) {
          if ((error as { code?: string }).code === 'not-cancelable') await touch(pool, schema, taskId);
          throw error;
        }
      },
    }),
  },
  {
    id: 'PG-33-any',
    fault: 'a cancel does not look at the state',
    breaks: ['SNAP-2'],
    parts: { cancelable: 'true' },
  },
];
