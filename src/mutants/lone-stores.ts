/** Stores of others that break one rule alone: as those of `wrong-stores.ts`, and further from what people write. */
import { createMemorySubject } from '../subject/memory.ts';
import type { StoreListRequest } from '../task/task.ts';
import type { Mutant } from './mutant.ts';
import { type Cutter, first, newestFirst, type Row, selected, unwrap, wrong } from './wrong-stores.ts';

/** Never written again since, and without a status time. */
function isUntimed({ task, writes }: Row): boolean {
  return writes === 1 && task.status?.timestamp === undefined;
}

const untimedLast: Cutter = (rows, request) => {
  const rank = (row: Row): number => (isUntimed(row) ? 0 : 1e9) + row.updatedAt;
  const below = Number(unwrap(request.pageToken) ?? Number.POSITIVE_INFINITY);
  const left = rows
    .filter(selected(request))
    .filter((row) => rank(row) < below)
    .sort((a, b) => rank(b) - rank(a));
  return first(left, request.pageSize, (row) => String(rank(row)));
};

const tiesTurned: Cutter = (rows, request) => {
  const below = Number(unwrap(request.pageToken) ?? Number.POSITIVE_INFINITY);
  const left = rows
    .filter(selected(request))
    .filter(({ updatedAt }) => updatedAt < below)
    .sort(newestFirst);
  const page = first(left, request.pageSize, ({ updatedAt }) => String(updatedAt));
  const turned = [...page.rows].sort((a, b) => b.updatedMs - a.updatedMs || a.updatedAt - b.updatedAt);
  return request.contextId ? { ...page, rows: turned } : page;
};

const writtenAgain: Cutter = (rows, request) => {
  const text = unwrap(request.pageToken);
  const [below, since, boundary] = (text === undefined ? [] : JSON.parse(text)) as [number?, number?, string?];
  const now = Math.max(0, ...rows.map(({ updatedAt }) => updatedAt));
  const sorted = rows.filter(selected(request)).sort(newestFirst);
  const left = sorted.filter(({ updatedAt }) => below === undefined || updatedAt < below);
  const [newest] = sorted;
  const isAgain =
    newest !== undefined &&
    newest.writes > 1 &&
    since !== undefined &&
    newest.updatedAt > since &&
    newest.task.id !== boundary &&
    request.pageSize > 1;
  const size = request.pageSize - (isAgain ? 1 : 0);
  const page = first(left, size, ({ task, updatedAt }) => JSON.stringify([updatedAt, now, task.id]));
  return isAgain && page.rows.length > 0 ? { ...page, rows: [newest, ...page.rows] } : page;
};

const boundToFilter: Cutter = (rows, request) => {
  const filter = filterText(request);
  const [below = '', given = filter] = (unwrap(request.pageToken) ?? '').split('\n');
  const from = below === '' || given !== filter ? Number.POSITIVE_INFINITY : Number(below);
  const left = rows
    .filter(selected(request))
    .filter(({ updatedAt }) => updatedAt < from)
    .sort(newestFirst);
  return first(left, request.pageSize, ({ updatedAt }) => `${updatedAt}\n${filter}`);
};

function filterText({ contextId, status, statusTimestampAfter }: StoreListRequest): string {
  return JSON.stringify([contextId || 0, status || 0, statusTimestampAfter || 0]);
}

/** The bundled store as somebody else's, without cursors beside a page of one task. */
const withoutCursor: Mutant = {
  id: 'WRONG-lone-cursor',
  area: 'memory',
  fault: 'a page of one task comes without its cursor',
  breaks: ['STORE-1'],
  subject: () => {
    const right = createMemorySubject({ name: 'WRONG-lone-cursor' });
    return {
      ...right,
      capabilities: { ...right.capabilities, scope: ['X'] },
      open: async () => {
        const store = await right.open();
        return {
          ...store,
          list: async (request, call) => {
            const page = await store.list(request, call);
            const { taskCursors: _, ...bare } = page;
            return page.tasks.length === 1 ? bare : page;
          },
        };
      },
    };
  },
};

/** In the order of the rules. */
export const loneStores: readonly Mutant[] = [
  wrong(
    'WRONG-untimed-last',
    'a new task without a status time is listed last until it is written again',
    ['ORDER-1'],
    untimedLast,
  ),
  wrong(
    'WRONG-turned-ties',
    'tasks of one millisecond are turned about in the pages of a context',
    ['ORDER-2'],
    tiesTurned,
  ),
  wrong(
    'WRONG-bound-to-filter',
    'a token starts again where the filters are not those that it was given to',
    ['TOKEN-8'],
    boundToFilter,
  ),
  wrong(
    'WRONG-written-again',
    'a task that was written since the last page comes first on the next one',
    ['WALK-1'],
    writtenAgain,
  ),
  withoutCursor,
];
