/** The store beneath a dispatcher or an agent, alone. */
import type { TaskStore } from '../task/task-store.ts';
import type { BackingStore, StoreBacking } from './store-backing.ts';
import type { Capabilities, Layer, SubjectStore } from './subject.ts';
import { storeMethods } from './task-store-methods.ts';

/** The store of a backing as the lowest layer; `wrap` puts something around it. */
export function storeLayer(
  backing: StoreBacking,
  capabilities: Capabilities,
  wrap: (store: TaskStore) => TaskStore = (store) => store,
): Layer {
  const { name } = backing;
  return {
    name: 'store',
    level: 'store',
    subject: {
      name: `the store of ${name}`,
      capabilities: { ...capabilities, scope: [name === 'postgres' ? 'P' : 'I'], callers: false },
      open: async () => driveStore(await backing.open(), wrap),
    },
  };
}

function driveStore(opened: BackingStore, wrap: (store: TaskStore) => TaskStore): SubjectStore {
  let methods = storeMethods(wrap(opened.store));
  const { setClock, reopen, counters } = opened;
  return {
    create: (task, call) => methods.create(task, call),
    replace: (task, options, call) => methods.replace(task, options, call),
    append: (taskId, message, call) => methods.append(taskId, message, call),
    cancel: (taskId, options, call) => methods.cancel(taskId, options, call),
    delete: (taskId, call) => methods.delete(taskId, call),
    get: (taskId, call) => methods.get(taskId, call),
    list: (request, call) => methods.list(request, call),
    ...(setClock && { setClock: (micros: bigint) => setClock(micros) }),
    ...(reopen && {
      restart: async () => {
        methods = storeMethods(wrap(await reopen()));
      },
    }),
    ...(counters && { counters: () => counters() }),
    close: () => opened.close(),
  };
}
