/** Rows PG-09 to PG-18: stores whose order, or whose boundary, is not the contract's. */
import { formatTimestamptz } from '../store/postgres-time.ts';
import { pageTokenV1 } from '../token/page-token.ts';
import type { PostgresFault } from './postgres-fault.ts';

const byLocale = {
  orderBy: 't.updated_at DESC, t.id DESC',
  orderByInContext: 't.context_id, t.updated_at DESC, t.id DESC',
};
const byAscendingId = {
  orderBy: 't.updated_at DESC, t.id COLLATE "C"',
  orderByInContext: 't.context_id, t.updated_at DESC, t.id COLLATE "C"',
};

export const postgresOrderFaults: readonly PostgresFault[] = [
  {
    id: 'PG-09',
    fault: "ids are ordered and compared in the database's own collation",
    // By key, a page lists what comes after tasks that were not shown yet.
    breaks: ['ORDER-1', 'WALK-2', 'WALK-3', 'WALK-7', 'TOKEN-5', 'COST-3'],
    parts: { ...byLocale, after: (time, id) => `(t.updated_at, t.id) < (${time}::timestamptz, ${id}::text)` },
  },
  {
    id: 'PG-11',
    fault: "the boundary is compared by bytes, the list is ordered in the database's own collation",
    breaks: ['ORDER-1', 'WALK-1', 'WALK-2', 'WALK-3', 'WALK-6', 'WALK-7', 'TOKEN-5', 'COST-3'],
    parts: byLocale,
  },
  {
    id: 'PG-12',
    fault: 'ids ascend in the list, and the boundary is compared as if they descended',
    breaks: ['ORDER-1', 'WALK-1', 'WALK-2', 'WALK-3', 'WALK-5', 'WALK-6', 'WALK-7', 'TOKEN-5', 'COST-3'],
    parts: byAscendingId,
  },
  {
    id: 'PG-14',
    fault: 'the boundary itself is in the next page',
    breaks: ['WALK-1', 'WALK-2', 'WALK-4', 'WALK-5', 'WALK-6', 'TOKEN-1', 'TOKEN-2'],
    parts: {
      after: (time, id) => `(t.updated_at, t.id COLLATE "C") <= (${time}::timestamptz, ${id}::text COLLATE "C")`,
    },
  },
  {
    id: 'PG-15',
    fault: "the boundary's time went through a JavaScript Date",
    breaks: ['ORDER-1', 'WALK-3', 'WALK-6', 'TOKEN-2', 'TOKEN-6'],
    parts: {
      tokens: {
        ...pageTokenV1,
        encode: ({ id, lastUpdatedMicros }) => {
          const beyond = ((lastUpdatedMicros % 1000n) + 1000n) % 1000n;
          return pageTokenV1.encode({ id, lastUpdatedMicros: lastUpdatedMicros - beyond });
        },
      },
    },
  },
  {
    id: 'PG-16',
    fault: 'the boundary is compared in milliseconds',
    // A rounded boundary may lie above its own task; under a context filter the planner takes the other index.
    breaks: ['ORDER-1', 'WALK-1', 'WALK-2', 'WALK-3', 'WALK-5', 'WALK-6', 'TOKEN-2', 'TOKEN-5', 'COST-3'],
    parts: {
      after: (time, id) => `(t.updated_at, t.id COLLATE "C") < (${time}::timestamptz(3), ${id}::text COLLATE "C")`,
    },
  },
  {
    id: 'PG-18',
    fault: "the boundary's time went through a double",
    breaks: ['TOKEN-2', 'WALK-1', 'WALK-2', 'WALK-3', 'WALK-5', 'WALK-6', 'COST-3'],
    parts: {
      after: (time, id) =>
        `(t.updated_at, t.id COLLATE "C") < (to_timestamp(extract(epoch FROM ${time}::timestamptz)::float8), ${id}::text COLLATE "C")`,
    },
  },
  {
    id: 'PG-26',
    fault: "a token's NUL reaches the database",
    breaks: ['TOKEN-2', 'TOKEN-4'],
    parts: { boundary: ({ id, lastUpdatedMicros }) => [formatTimestamptz(lastUpdatedMicros), id] },
  },
];
