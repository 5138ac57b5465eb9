/** Faults in how a store keeps tasks apart: from each other, from their callers, and from who may not see them. */
import type { ReadReply } from '../../subject/subject.ts';
import type { Task } from '../../task/task.ts';
import { answering, type FaultWrapper, following, rowsOf, withMessage, withRows } from './wrapper.ts';

/** Reads go to the first task whose id is the same without regard to case. */
const ignoringCase: FaultWrapper['wrap'] = (store) => {
  const firsts = new Map<string, string>();
  return {
    create: async (task, call) => {
      const reply = await store.create(task, call);
      const folded = task.id.toLowerCase();
      firsts.set(folded, firsts.get(folded) ?? task.id);
      return reply;
    },
    get: (id, call) => store.get!(firsts.get(id.toLowerCase()) ?? id, call),
  };
};

/** Reads of a task that was not written since give one and the same object. */
const sharing: FaultWrapper['wrap'] = (store) => {
  const given = new Map<string, ReadReply>();
  return {
    get: async (id, call) => {
      const reply = given.get(id) ?? (await store.get!(id, call));
      if (reply !== undefined) given.set(id, reply);
      return reply;
    },
    ...following(store, (id) => given.delete(id)),
  };
};

/** Lists show the very object that was passed to create, as long as nothing else was written to it. */
const keepingArguments: FaultWrapper['wrap'] = (store) => {
  const kept = new Map<string, Task>();
  const { list } = answering((reply) =>
    withRows(
      reply,
      rowsOf(reply).map((row) => ({ ...row, task: kept.get(row.task.id) ?? row.task })),
    ),
  )(store);
  return {
    create: async (task, call) => {
      const { id } = task;
      const reply = await store.create(task, call);
      kept.set(id, task);
      return reply;
    },
    list: list!,
    ...following(store, (id) => kept.delete(id)),
  };
};

/** A walk shows no task that was created after its first page. */
const hidingNew: FaultWrapper['wrap'] = (store) => {
  const created = new Map<string, number>();
  const begun = new Map<string, number>();
  let now = 0;
  return {
    create: async (task, call) => {
      const reply = await store.create(task, call);
      created.set(task.id, ++now);
      return reply;
    },
    list: async (request, call) => {
      const from = begun.get(request.pageToken ?? '') ?? now;
      const reply = await store.list(request, call);
      if (reply.nextPageToken !== '') begun.set(reply.nextPageToken, from);
      return withRows(
        reply,
        rowsOf(reply).filter(({ task }) => (created.get(task.id) ?? 0) <= from),
      );
    },
  };
};

export const taskWrappers: readonly FaultWrapper[] = [
  {
    id: 'ids-ignore-case',
    fault: 'a read finds a task whose id differs in case',
    rule: 'STORE-3',
    methods: ['get'],
    wrap: ignoringCase,
  },
  {
    id: 'ids-trimmed',
    fault: 'spaces around a new id are cut',
    rule: 'STORE-3',
    wrap: (store) => ({
      create: (task, call) => store.create(task.id.trim() === '' ? task : { ...task, id: task.id.trim() }, call),
    }),
  },
  {
    id: 'read-shared',
    fault: 'reads of a task give one and the same object',
    rule: 'STORE-2',
    methods: ['get'],
    wrap: sharing,
  },
  {
    id: 'argument-kept',
    fault: 'lists show the object that was passed to create',
    rule: 'STORE-2',
    wrap: keepingArguments,
  },
  {
    id: 'insert-hidden',
    fault: 'a walk shows no task that was created after its first page',
    rule: 'WALK-7',
    needs: ({ clock, ties }) => clock && ties,
    wrap: hidingNew,
  },
  {
    id: 'error-tells-existence',
    fault: 'a cancel of a task that the caller may not access is refused in other words than that of a missing one',
    rule: 'AUTH-9',
    methods: ['cancel'],
    needs: ({ callers }) => callers,
    wrap: (store) => {
      const created = new Set<string>();
      return {
        create: async (task, call) => {
          const reply = await store.create(task, call);
          created.add(task.id);
          return reply;
        },
        cancel: async (id, options, call) => {
          try {
            return await store.cancel!(id, options, call);
          } catch (error) {
            throw created.has(id) ? withMessage(error, 'Forbidden') : error;
          }
        },
      };
    },
  },
];
