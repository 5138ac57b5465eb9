/** Rows PG-19 to PG-37 on lists: totals, limits, filters, transactions, names. */
import { postgresParts, where } from '../store/postgres-parts.ts';
import { InvalidArgumentError } from '../task/errors.ts';
import type { StoreListPage } from '../task/task.ts';
import { pageTokenV1 } from '../token/page-token.ts';
import { methodsOf, type PostgresFault } from './postgres-fault.ts';

export const postgresPageFaults: readonly PostgresFault[] = [
  {
    id: 'PG-19',
    fault: 'the total counts what lies after the boundary',
    breaks: ['COUNT-1'],
    parts: {
      count: (table, filters, after) =>
        `SELECT count(*) FROM ${table} AS t${where([...filters, ...(after === undefined ? [] : [after])])}`,
    },
  },
  {
    id: 'PG-21',
    fault: 'a full page always has a token',
    breaks: ['TOKEN-1', 'WALK-5', 'WALK-6'],
    parts: { lookAhead: 0 },
  },
  {
    id: 'PG-22',
    fault: 'the page is cut before it is filtered',
    breaks: ['FILTER-1', 'WALK-3', 'WALK-5', 'WALK-6', 'COST-3'],
    parts: {
      page: ({ columns, table, filters, after, orderBy, limit }) =>
        `SELECT ${columns} FROM (SELECT * FROM ${table} AS t${where(after ? [after] : [])} ORDER BY ${orderBy} LIMIT ${limit}) AS t${where(filters)} ORDER BY ${orderBy}`,
    },
  },
  {
    id: 'PG-23',
    fault: 'a token is a number of rows to skip',
    breaks: ['TOKEN-2', 'TOKEN-3', 'TOKEN-4', 'TOKEN-5', 'WALK-1', 'WALK-2', 'WALK-3', 'WALK-7', 'COST-3'],
    wrap: (store) => ({
      ...methodsOf(store),
      list: async (request) => {
        const { pageToken = '', pageSize = 50, ...rest } = request;
        if (!/^\d*$/.test(pageToken)) throw new InvalidArgumentError('Invalid page token');
        await store.list({ ...request, pageToken: '' });
        const skip = Number(pageToken);
        const pages: StoreListPage[] = [];
        for (let token: string | undefined; token !== ''; ) {
          const page = await store.list({ ...rest, pageSize: 100, ...(token ? { pageToken: token } : {}) });
          pages.push(page);
          token = page.nextPageToken;
        }
        const tasks = pages.flatMap((page) => page.tasks);
        const totalSize = pages[0]?.totalSize;
        return {
          tasks: tasks.slice(skip, skip + pageSize),
          taskCursors: pages.flatMap((page) => page.taskCursors).slice(skip, skip + pageSize),
          nextPageToken: tasks.length > skip + pageSize ? String(skip + pageSize) : '',
          pageSize,
          ...(totalSize === undefined ? {} : { totalSize }),
        };
      },
    }),
  },
  {
    id: 'PG-35',
    fault: 'a list leaves its transaction open and gives its connection back',
    // What the next call finds is an old state, or a transaction that takes no writes.
    breaks: ['SNAP-1', 'SNAP-2', 'WALK-3', 'ORDER-1', 'COUNT-1', 'TOKEN-1', 'STORE-3', 'FILTER-1'],
    parts: { commit: 'SELECT 1', takesClient: () => true, keepsClient: () => true },
  },
  {
    id: 'PG-36',
    fault: 'a context is matched with LIKE',
    // A list of one context runs along the index of contexts first: what several match comes context by context.
    breaks: ['FILTER-1', 'COUNT-1', 'WALK-5', 'ORDER-1', 'ORDER-2', 'WALK-2'],
    parts: { contextIs: (value) => `t.context_id LIKE (${value}::text[])[1]` },
  },
  {
    id: 'PG-37',
    fault: "the table's schema is left to the search path",
    // Here the search path leads to somebody else's table of that name: nothing works.
    breaks: ['SCHEMA-1', 'SNAP-2', 'STORE-3', 'TOKEN-1', 'FILTER-1'],
    parts: { table: () => 'a2a_tasks' },
  },
  {
    id: 'RACE-01',
    fault: 'count and page are read in READ COMMITTED',
    breaks: ['SNAP-1'],
    parts: { begin: 'BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY' },
  },
  {
    id: 'COST-10',
    fault: 'the boundary is two conditions joined by OR',
    breaks: ['COST-3'],
    parts: {
      after: (time, id) =>
        `(t.updated_at < ${time}::timestamptz OR (t.updated_at = ${time}::timestamptz AND t.id COLLATE "C" < ${id}::text))`,
    },
  },
  {
    id: 'COST-12',
    fault: 'the order puts nulls last',
    breaks: ['COST-3'],
    parts: {
      orderBy: 't.updated_at DESC NULLS LAST, t.id COLLATE "C" DESC',
      orderByInContext: 't.context_id, t.updated_at DESC NULLS LAST, t.id COLLATE "C" DESC',
    },
  },
  {
    id: 'COST-13',
    fault: 'order and boundary name another collation than the index, of the same order',
    // As a database of the collation "C" does whose statements name none: equal bytes first, and no index that matches.
    breaks: ['COST-3'],
    parts: {
      orderBy: 't.updated_at DESC, t.id COLLATE "POSIX" DESC',
      orderByInContext: 't.context_id, t.updated_at DESC, t.id COLLATE "POSIX" DESC',
      after: (time, id) =>
        `(t.updated_at, t.id COLLATE "POSIX") < ((SELECT ${time}::timestamptz), (SELECT ${id}::text) COLLATE "POSIX")`,
    },
  },
  {
    id: 'COST-14',
    fault: 'a bound on the time stands where the row comparison should',
    breaks: ['COST-3'],
    parts: {
      after: (time, id) =>
        `t.updated_at <= ${time}::timestamptz AND (t.updated_at < ${time}::timestamptz OR t.id COLLATE "C" < ${id}::text)`,
    },
  },
  {
    id: 'COST-16',
    fault: 'the page is cut by the application',
    breaks: ['COST-3'],
    parts: {
      page: ({ columns, table, filters, after, orderBy, limit }) =>
        `SELECT ${columns} FROM ${table} AS t${where([...filters, ...(after ? [after] : [])])} ORDER BY ${orderBy} LIMIT 1000000 + ${limit}`,
    },
  },
  {
    id: 'COST-17-postgres',
    fault: 'the boundary is looked up by a statement of its own, and not used',
    breaks: ['COST-3'],
    wrap: (store) => ({
      ...methodsOf(store),
      list: async (request) => {
        const page = await store.list(request);
        // A boundary may have an id that no task of a database has.
        if (request.pageToken)
          await store.get(pageTokenV1.decode(request.pageToken).id, 'light').catch(() => undefined);
        return page;
      },
    }),
  },
  {
    id: 'COST-19',
    fault: 'one prepared statement serves lists with a context and without',
    // From its sixth execution on it may have a plan that suits every value, and then no index of contexts can.
    breaks: ['COST-3'],
    parts: {
      contextIs: (value) => `((${value}::text[])[1] = '' OR t.context_id = (${value}::text[])[1])`,
      orderByInContext: postgresParts.orderBy,
    },
  },
];
