/** Dispatchers that scan, count or choose wrongly, or take from a store what is unsound. */
import { compareCursors } from '../dispatcher/boundaries.ts';
import { dispatcherParts } from '../dispatcher/context.ts';
import type { Observation } from '../dispatcher/selection.ts';
import { parseInstant } from '../store/instant.ts';
import type { StoreListPage, TaskCursor } from '../task/task.ts';
import { encodePageToken } from '../token/page-token.ts';
import { type DispatcherFault, part, scanning, scanningOver, selecting } from './dispatcher-fault.ts';

/** Tasks are lost behind hidden ones. */
const losesTasks = ['AUTH-2', 'AUTH-6', 'AUTH-8', 'COUNT-1', 'TOKEN-5', 'TOKEN-8', 'WALK-3', 'WALK-7'];

/** What the page was scanned up to, by its selection. */
const scannedTo = new WeakMap<readonly TaskCursor[], TaskCursor>();

/** The first observation of each batch. */
const beginnings = new WeakSet<Observation>();

/** In the order of their rows. */
export const authorizationScanFaults: readonly DispatcherFault[] = [
  {
    id: 'AUTH-02',
    fault: 'the total counts what the caller may not access',
    breaks: ['COUNT-1', 'AUTH-2', 'AUTH-8'],
    options: selecting((observed) => {
      let total = 0;
      return {
        observe(seen) {
          observed(seen);
          total++;
        },
        get total() {
          return total;
        },
      };
    }),
  },
  {
    id: 'AUTH-03',
    fault: 'a page is cut from all tasks, and those that the caller may not access are left out afterwards',
    breaks: [...losesTasks, 'TOKEN-6', 'WALK-5', 'FILTER-1', 'WIRE-5', 'AUTH-1'],
    options: part('createSelection', (boundary, pageSize) => {
      const chosen: TaskCursor[] = [];
      let total = 0;
      let taken = 0;
      let more = false;
      return {
        observe({ cursor, allowed }) {
          if (allowed) total++;
          if (boundary !== undefined && compareCursors(boundary, cursor) >= 0) return;
          if (taken === pageSize) more = true;
          else if (allowed) chosen.push(cursor);
          if (taken < pageSize) taken++;
        },
        chosen,
        get total() {
          return total;
        },
        get more() {
          return more;
        },
        get held() {
          return chosen.length;
        },
      };
    }),
  },
  {
    id: 'AUTH-05',
    fault: 'the token is that of the last task scanned for the page, which the caller may not access',
    breaks: ['TOKEN-6', 'TOKEN-8', 'AUTH-8'],
    options: {
      parts: {
        createSelection(boundary, pageSize) {
          const right = dispatcherParts.createSelection(boundary, pageSize);
          return {
            observe(seen) {
              right.observe(seen);
              const isFull = right.chosen.length === pageSize;
              if (isFull && !right.more) scannedTo.set(right.chosen, seen.cursor);
            },
            chosen: right.chosen,
            get total() {
              return right.total;
            },
            get more() {
              return right.more;
            },
            get held() {
              return right.held;
            },
          };
        },
        nextPageToken: ({ more, chosen }) => {
          const last = scannedTo.get(chosen) ?? chosen.at(-1);
          return more && last !== undefined ? encodePageToken(last) : '';
        },
      },
    },
  },
  {
    id: 'AUTH-06',
    fault: 'a page that only hidden tasks follow has a token',
    breaks: ['AUTH-8', 'TOKEN-6', 'TOKEN-5', 'WALK-6'],
    options: part('createSelection', (boundary, pageSize) => {
      const right = dispatcherParts.createSelection(boundary, pageSize);
      let more = false;
      return {
        observe(seen) {
          if (right.chosen.length === pageSize) more = true;
          right.observe(seen);
        },
        chosen: right.chosen,
        get total() {
          return right.total;
        },
        get more() {
          return more;
        },
        get held() {
          return right.held;
        },
      };
    }),
  },
  {
    id: 'AUTH-07',
    fault: 'the scan gives up after 10,000 hidden tasks',
    breaks: losesTasks,
    options: scanning((batches) => untilDenied(batches, 10_000)),
  },
  {
    id: 'AUTH-07-hundred',
    fault: 'the scan gives up after 100 hidden tasks',
    breaks: losesTasks,
    options: scanning((batches) => untilDenied(batches, 100)),
  },
  {
    id: 'AUTH-09',
    fault: 'the total counts from the boundary on',
    breaks: ['COUNT-1'],
    options: part('createSelection', (boundary, pageSize) => {
      const right = dispatcherParts.createSelection(boundary, pageSize);
      let total = 0;
      return {
        observe(seen) {
          right.observe(seen);
          if (seen.allowed && (boundary === undefined || compareCursors(boundary, seen.cursor) < 0)) total++;
        },
        chosen: right.chosen,
        get total() {
          return total;
        },
        get more() {
          return right.more;
        },
        get held() {
          return right.held;
        },
      };
    }),
  },
  {
    id: 'AUTH-10',
    fault: 'the total is that of the last batch',
    breaks: ['COUNT-1', 'AUTH-8'],
    options: {
      parts: {
        async *observeTasks(context, request) {
          for await (const batch of dispatcherParts.observeTasks(context, request)) {
            const [first] = batch;
            if (first !== undefined) beginnings.add(first);
            yield batch;
          }
        },
        ...selecting((observed) => {
          let total = 0;
          return {
            observe(seen) {
              observed(seen);
              if (beginnings.has(seen)) total = 0;
              if (seen.allowed) total++;
            },
            get total() {
              return total;
            },
          };
        }).parts,
      },
    },
  },
  {
    id: 'AUTH-12',
    fault: 'a batch begins with the last task of the one before',
    breaks: ['COUNT-1', 'AUTH-2', 'AUTH-6', 'AUTH-8', 'WALK-1', 'WALK-2'],
    options: scanning(async function* (batches) {
      let last: Observation | undefined;
      for await (const batch of batches) {
        yield last === undefined ? batch : [last, ...batch];
        last = batch.at(-1);
      }
    }),
  },
  {
    id: 'AUTH-13',
    fault: 'the scan ends at a batch of which the caller may access nothing',
    breaks: losesTasks,
    options: scanning(async function* (batches) {
      for await (const batch of batches) {
        yield batch;
        if (!batch.some(({ allowed }) => allowed)) return;
      }
    }),
  },
  {
    id: 'AUTH-14',
    fault: 'the scan ends at a batch that is shorter than asked for, though a token came with it',
    breaks: [...losesTasks, 'STORE-1'],
    options: scanningOver((store) => ({
      async list(request) {
        const page = await store.list(request);
        return page.tasks.length < (request.pageSize ?? 50) ? { ...page, nextPageToken: '' } : page;
      },
    })),
  },
  {
    id: 'AUTH-27',
    fault: 'a store without task cursors is helped out with status times',
    breaks: ['AUTH-5', 'STORE-1'],
    options: part('alignedCursors', (page, previous, limit) => {
      if (Array.isArray(page.taskCursors)) return dispatcherParts.alignedCursors(page, previous, limit);
      return page.tasks.map(({ id, status }) => {
        const instant = parseInstant(status?.timestamp ?? '');
        return { id, lastUpdatedMicros: BigInt(instant?.seconds ?? 0) * 1_000_000n };
      });
    }),
  },
  {
    id: 'AUTH-28',
    fault: 'a store that gives fewer cursors than tasks ends the page quietly',
    breaks: ['AUTH-5', 'STORE-1'],
    options: part('alignedCursors', (page, previous, limit) => {
      const { tasks, taskCursors } = page;
      if (!Array.isArray(taskCursors) || taskCursors.length >= tasks.length)
        return dispatcherParts.alignedCursors(page, previous, limit);
      return dispatcherParts.alignedCursors({ ...page, tasks: tasks.slice(0, taskCursors.length) }, previous, limit);
    }),
  },
  {
    id: 'AUTH-28-alignment',
    fault: 'nobody looks whether a cursor is that of its task',
    breaks: ['AUTH-5', 'STORE-1'],
    options: trusting((page) => ({
      ...page,
      tasks: page.taskCursors.map(({ id }, at) => ({ ...page.tasks[at]!, id })),
    })),
  },
  {
    id: 'AUTH-28-order',
    fault: 'nobody looks whether cursors are in order',
    breaks: ['AUTH-5', 'STORE-1'],
    options: part('alignedCursors', (page, _previous, limit) => {
      for (const [at, task] of page.tasks.entries())
        dispatcherParts.alignedCursors(
          { ...page, tasks: [task], taskCursors: page.taskCursors?.slice(at, at + 1) },
          undefined,
          limit,
        );
      dispatcherParts.alignedCursors(
        { ...page, tasks: page.tasks.slice(0, 1), taskCursors: lone(page) },
        undefined,
        limit,
      );
      return page.taskCursors;
    }),
  },
  {
    id: 'AUTH-28-batches',
    fault: 'cursors are looked at batch by batch, not across them',
    breaks: ['AUTH-5', 'STORE-1'],
    options: part('alignedCursors', (page, _previous, limit) => dispatcherParts.alignedCursors(page, undefined, limit)),
  },
  {
    id: 'COST-20',
    fault: 'each batch of a scan has the store count its tasks',
    breaks: ['AUTH-6'],
    options: scanningOver((store) => ({ list: (request) => store.list({ ...request, includeTotalSize: true }) })),
  },
  {
    id: 'COST-21',
    fault: 'the scan loads full tasks whatever the policy looks at',
    breaks: ['AUTH-7'],
    options: scanningOver((store) => ({
      list: (request) => store.list({ ...request, projection: 'full', includeArtifacts: true }),
    })),
  },
  {
    id: 'COST-23',
    fault: 'the scan collects all batches before it looks at one',
    breaks: ['AUTH-6'],
    options: scanning(async function* (batches) {
      const all: Observation[] = [];
      for await (const batch of batches) all.push(...batch);
      yield all;
    }),
  },
  {
    id: 'COST-24',
    fault: 'the keys of all tasks that the caller may access are kept',
    breaks: ['AUTH-6'],
    options: selecting((observed) => {
      const kept: TaskCursor[] = [];
      return {
        observe(seen) {
          observed(seen);
          if (seen.allowed) kept.push(seen.cursor);
        },
        get held() {
          return kept.length;
        },
      };
    }),
  },
];

async function* untilDenied(
  batches: AsyncGenerator<readonly Observation[]>,
  limit: number,
): AsyncGenerator<readonly Observation[]> {
  let denied = 0;
  for await (const batch of batches) {
    const kept: Observation[] = [];
    for (const seen of batch) {
      if (!seen.allowed) denied++;
      if (denied > limit) break;
      kept.push(seen);
    }
    yield kept;
    if (denied > limit) return;
  }
}

/** Checks the boundaries of a page that was made to look right. */
function trusting(change: (page: StoreListPage) => StoreListPage): DispatcherFault['options'] {
  return part('alignedCursors', (page, previous, limit) => {
    const isWhole = Array.isArray(page.taskCursors) && page.taskCursors.length === page.tasks.length;
    return dispatcherParts.alignedCursors(isWhole ? change(page) : page, previous, limit);
  });
}

/** The cursors of a page cut to its first task, where there are as many as tasks. */
function lone({ tasks, taskCursors }: StoreListPage): TaskCursor[] {
  return taskCursors?.length === tasks.length ? taskCursors.slice(0, 1) : taskCursors;
}
