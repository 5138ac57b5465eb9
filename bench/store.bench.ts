/** The in-memory store beside the one that the official SDK ships. */
import { InMemoryTaskStore, ServerCallContext } from '@a2a-js/sdk/server';
import { createMemoryTaskStore, type MemoryTaskStore } from '../src/store/memory.ts';
import { encodePageToken } from '../src/token/page-token.ts';
import { idAt, seededNumbers, taskAt } from './dataset.ts';
import { type BenchCase, type Interleaved, interleave } from './interleave.ts';
import type { BenchOptions, BenchPart, BenchRow, BenchTable } from './table.ts';

const START_MICROS = 1_700_000_000_000_000n;
/** How many times faster than the SDK's a first page has to be. */
const TIMES_FASTER: Readonly<Record<number, number>> = { 1e3: 20, 1e4: 40, 1e5: 200 };
/** The SDK's store sorts all tasks for each page: beyond this it is not worth the wait. */
const LARGEST_FOR_SDK = 1e5;
/** Pages deeper than this differ from first ones by noise only. */
const SAME_COST = 1.25;

const first = (store: string) => `${store}: first page of 50, exact total`;
const deep = (store: string) => `${store}: page of 50, 90 % deep`;
const update = (store: string) => `${store}: update of a random task`;

interface Measured {
  readonly pages: readonly BenchCase[];
  readonly update: BenchCase;
}

async function ownStore(n: number): Promise<Measured> {
  let now = START_MICROS;
  const store: MemoryTaskStore = createMemoryTaskStore({ clock: () => now });
  for (let place = 0; place < n; place++) {
    now = START_MICROS + BigInt(place);
    await store.create(taskAt(place));
  }
  const place = Math.floor(n / 10);
  const pageToken = encodePageToken({ lastUpdatedMicros: START_MICROS + BigInt(place), id: idAt(place) });
  const below = seededNumbers(n);
  return {
    pages: [
      { what: first('own store'), batch: 1, run: () => store.list({ pageSize: 50 }) },
      { what: deep('own store'), batch: 1, run: () => store.list({ pageSize: 50, pageToken }) },
    ],
    update: {
      what: update('own store'),
      batch: 1,
      run: () => {
        now++;
        return store.replace(taskAt(below(n)));
      },
    },
  };
}

async function sdkStore(n: number): Promise<Measured> {
  const store = new InMemoryTaskStore();
  const context = new ServerCallContext();
  for (let place = 0; place < n; place++) await store.save(taskAt(place), context);
  const request = {
    tenant: '',
    contextId: '',
    status: 0,
    pageSize: 50,
    pageToken: '',
    statusTimestampAfter: undefined,
  };
  // It has no limit of its own on the page size, so one page leads to any depth.
  const { nextPageToken } = await store.list({ ...request, pageSize: n - Math.floor(n / 10) }, context);
  const below = seededNumbers(n);
  return {
    pages: [
      { what: first('SDK'), batch: 1, run: () => store.list(request, context) },
      { what: deep('SDK'), batch: 1, run: () => store.list({ ...request, pageToken: nextPageToken }, context) },
    ],
    update: { what: update('SDK'), batch: 1, run: () => store.save(taskAt(below(n)), context) },
  };
}

async function rowsAt(n: number, { quick, progress }: BenchOptions): Promise<BenchRow[]> {
  progress(`store: ${n.toLocaleString('en')} tasks`);
  const own = await ownStore(n);
  const sdk = n <= LARGEST_FOR_SDK ? await sdkStore(n) : undefined;
  const rounds = quick ? { rounds: 3, timeMs: 100 } : { rounds: 7, timeMs: 300 };
  // Pages first, all of them: updates move tasks to the front, and the deep page would run empty.
  const pages = await interleave([...own.pages, ...(sdk?.pages ?? [])], rounds);
  const updates = await interleave([own.update, ...(sdk === undefined ? [] : [sdk.update])], rounds);

  const beside = (run: Interleaved, of: (store: string) => string): BenchRow => {
    const mine = { n, measure: run.measure(of('own store')) };
    if (sdk === undefined) return mine;
    return { ...mine, reference: run.measure(of('SDK')), ratio: run.ratio(of('own store'), of('SDK')) };
  };
  const firstRow = beside(pages, first);
  const faster = TIMES_FASTER[n];
  const depth = pages.ratio(deep('own store'), first('own store'));
  return [
    faster === undefined || firstRow.ratio === undefined
      ? firstRow
      : { ...firstRow, target: { text: `≥ ${faster}× faster`, met: 1 / firstRow.ratio >= faster } },
    beside(pages, deep),
    {
      n,
      measure: pages.measure(deep('own store')),
      reference: pages.measure(first('own store')),
      ratio: depth,
      target: { text: `same at any depth (≤ ${SAME_COST}×)`, met: depth <= SAME_COST },
    },
    beside(updates, update),
  ];
}

async function run(options: BenchOptions): Promise<BenchTable> {
  const rows: BenchRow[] = [];
  for (const n of options.quick ? [1e3, 1e4] : [1e3, 1e4, 1e5, 1e6]) rows.push(...(await rowsAt(n, options)));
  return {
    name: 'store',
    title: 'In-memory store: pages and updates, beside the InMemoryTaskStore of @a2a-js/sdk with the same tasks',
    rows,
    notes: [
      'Tasks were saved in time order, which is the best case for the SDK: it sorts all of them for each page.',
      "The SDK's save is one Map entry and a structuredClone; ours also moves the task in two ordered indexes and",
      'answers with a copy.',
    ],
  };
}

/** The store part of `npm run bench`. */
export const storeBench: BenchPart = { name: 'store', run };
