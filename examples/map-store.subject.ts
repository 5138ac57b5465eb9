/** Tells pagecheck how to drive `MapStore`: `npx pagecheck certify examples/map-store.subject.ts`. */
import { defineSubject, type ReadReply, type Subject, type WriteReply } from '../src/index.ts';
import { MapStore, type Row } from './map-store.ts';

const subject: Subject = defineSubject({
  name: 'map-store',
  capabilities: {
    revisions: true,
    ties: false,
    boundaries: true,
    create: 'reject',
    deduplicates: true,
    validatesPageSize: true,
    ids: { nul: true, maxBytes: 4096 },
  },
  async open() {
    const store = new MapStore();
    return {
      create: async (task) => written(store.create(task)),
      replace: async (task, { ifRevision }) =>
        written(store.replace(task, ifRevision === undefined ? undefined : Number(ifRevision))),
      append: async (id, message) => {
        const row = store.append(id, message);
        return row === undefined ? { deduplicated: true } : written(row);
      },
      cancel: async (id, { timestamp }) => written(store.cancel(id, timestamp ?? new Date().toISOString())),
      delete: async (id) => store.delete(id),
      get: async (id) => read(store.get(id)),
      list: async (request) => {
        const { rows, ...page } = store.list(request);
        return {
          ...page,
          tasks: rows.map(({ task }) => task),
          taskCursors: rows.map(({ task, updatedMicros }) => ({
            id: task.id,
            lastUpdatedMicros: BigInt(updatedMicros),
          })),
        };
      },
    };
  },
});
export default subject;

function written({ version, updatedMicros }: Row): WriteReply {
  return { revision: String(version), lastUpdatedMicros: BigInt(updatedMicros) };
}

function read(row: Row | undefined): ReadReply | undefined {
  return row && { task: row.task, ...written(row) };
}
