/** Faults in what operations cost, for stores that count it. */
import type { CallContext, SubjectStore } from '../../subject/subject.ts';
import type { FaultWrapper } from './wrapper.ts';

/** Reads the whole list, a hundred tasks at a time. */
async function readAll(store: SubjectStore, call: CallContext): Promise<void> {
  let pageToken = '';
  do {
    pageToken = (await store.list({ pageSize: 100, pageToken, includeTotalSize: false }, call)).nextPageToken;
  } while (pageToken !== '');
}

export const costWrappers: readonly FaultWrapper[] = [
  {
    id: 'count-not-skipped',
    fault: 'a total that is not asked for is counted',
    rule: 'COUNT-2',
    methods: ['counters'],
    wrap: (store) => ({ list: (request, call) => store.list({ ...request, includeTotalSize: true }, call) }),
  },
  {
    id: 'write-reads-all',
    fault: 'an append reads the whole list first',
    rule: 'COST-1',
    methods: ['counters', 'append'],
    wrap: (store) => ({
      append: async (id, message, call) => {
        await readAll(store, call);
        return store.append!(id, message, call);
      },
    }),
  },
  {
    id: 'page-read-twice',
    fault: 'a page reads its tasks twice',
    rule: 'COST-2',
    methods: ['counters'],
    wrap: (store) => ({
      list: async (request, call) => {
        await store.list(request, call);
        return store.list(request, call);
      },
    }),
  },
];
