/** The ordered index beside sorted-btree, the fastest library that was found for it. */
import SortedBTree from 'sorted-btree';
import { OrderedIndex } from '../src/store/ordered-index.ts';
import { comparePositions, type Position } from '../src/store/position.ts';
import { idAt, seededNumbers } from './dataset.ts';
import { type BenchCase, interleave } from './interleave.ts';
import { type BenchOptions, type BenchPart, type BenchRow, type BenchTable, counted } from './table.ts';

// The package is CommonJS with a default export, which tsx and plain Node wrap differently.
const BTree: typeof SortedBTree.default = SortedBTree.default ?? SortedBTree;

const PAGE = 51;
const BATCH = 500;

/** What both structures are asked to do. */
interface Structure {
  insert(entry: Position): void;
  remove(entry: Position): void;
  /** Reads the 51 entries after a boundary. */
  page(boundary: Position): Position[];
}

function ownIndex(): Structure & { readonly index: OrderedIndex<Position> } {
  const index = new OrderedIndex<Position>();
  return {
    index,
    insert: (entry) => index.insert(entry),
    remove: (entry) => index.remove(entry),
    page: (boundary) => index.scan(boundary, PAGE),
  };
}

function libraryIndex(): Structure {
  const tree = new BTree<Position, Position>(undefined, comparePositions);
  return {
    insert: (entry) => tree.set(entry, entry),
    remove: (entry) => tree.delete(entry),
    page: (boundary) => {
      const found: Position[] = [];
      const pair: [Position, Position] = [boundary, boundary];
      const entries = tree.entries(boundary, pair);
      // The first entry is the boundary's own: every boundary here is one of the keys.
      entries.next();
      for (let step = entries.next(); !step.done; step = entries.next()) {
        found.push(step.value[1]);
        if (found.length === PAGE) break;
      }
      return found;
    },
  };
}

/** Fills a structure and gives a batch of updates, each moving a random entry to the front, and one of page reads. */
function cases(
  name: string,
  structure: Structure,
  n: number,
): { update: BenchCase; page: BenchCase; entries: Position[] } {
  const below = seededNumbers(n);
  let micros = 1_700_000_000_000_000n;
  const entries = Array.from({ length: n }, (_, place): Position => {
    micros += 7n;
    return { micros, id: idAt(place), idBytes: idAt(place) };
  });
  for (const entry of entries) structure.insert(entry);
  const update = () => {
    for (let i = 0; i < BATCH; i++) {
      const place = below(n);
      const old = entries[place]!;
      micros += 7n;
      const entry = { micros, id: old.id, idBytes: old.idBytes };
      structure.remove(old);
      structure.insert(entry);
      entries[place] = entry;
    }
  };
  // A boundary comes out of a token: an object of its own, not one whose memory has to be found first.
  const boundaries: Position[] = [];
  const page = () => {
    let found = 0;
    for (const boundary of boundaries) found += structure.page(boundary).length;
    return found;
  };
  const prepare = () => {
    for (let i = 0; i < BATCH; i++) {
      const { micros: time, id } = entries[below(n)]!;
      boundaries[i] = { micros: time + 1n - 1n, id, idBytes: id };
    }
  };
  return {
    update: { what: `${name}: update`, batch: BATCH, run: update },
    page: { what: `${name}: page of 51`, batch: BATCH, before: prepare, run: page },
    entries,
  };
}

async function rowsAt(n: number, { quick, progress }: BenchOptions): Promise<BenchRow[]> {
  progress(`index: ${n.toLocaleString('en')} entries`);
  const structure = ownIndex();
  const own = cases('own index', structure, n);
  const library = cases('sorted-btree', libraryIndex(), n);
  const { measure, ratio } = await interleave(
    [own.update, library.update, own.page, library.page],
    quick ? { rounds: 3, timeMs: 100 } : { rounds: 9, timeMs: 400 },
  );
  const row = (mine: string, reference: string, most: number): BenchRow => {
    const relation = ratio(mine, reference);
    const target = n >= 1e5 ? { target: { text: `≤ ${most}×`, met: relation <= most } } : {};
    return { n, measure: measure(mine), reference: measure(reference), ratio: relation, ...target };
  };
  const limit = Math.ceil(Math.log2(n)) + 3;
  const most = mostComparisons(structure, own.entries);
  const text = `≤ ⌈log2 n⌉ + 3 = ${limit}`;
  return [
    row(own.update.what, library.update.what, 0.6),
    row(own.page.what, library.page.what, 0.45),
    { n, measure: counted('most comparisons a page', most), target: { text, met: most <= limit } },
  ];
}

/** The most comparisons that any of 2,000 pages at random places takes. */
function mostComparisons(structure: ReturnType<typeof ownIndex>, entries: readonly Position[]): number {
  const below = seededNumbers(1);
  let most = 0;
  for (let i = 0; i < 2000; i++) {
    const before = structure.index.counters.comparisons;
    structure.page(entries[below(entries.length)]!);
    most = Math.max(most, structure.index.counters.comparisons - before);
  }
  return most;
}

async function run(options: BenchOptions): Promise<BenchTable> {
  const rows: BenchRow[] = [];
  for (const n of options.quick ? [1e3, 1e4] : [1e3, 1e4, 1e5, 1e6]) rows.push(...(await rowsAt(n, options)));
  return {
    name: 'index',
    title: 'Ordered index: an update (remove a random entry, insert it as the newest) and a page at a random place',
    rows,
  };
}

/** The index part of `npm run bench`. */
export const indexBench: BenchPart = { name: 'index', run };
