/** Stores that list in a wrong order. */
import { comparePositions, type Position, utf8Bytes } from '../store/position.ts';
import { indexWith, type MemoryFault, withParts } from './memory-fault.ts';
import { type ArrayOptions, type Compare, sortedArray } from './sorted-array.ts';

/** Another order that does not contradict itself: nothing is lost or repeated while its list stands still. */
const misordered = ['ORDER-1', 'TOKEN-2', 'TOKEN-5', 'WALK-2', 'WALK-7'];
/** Places that the order can't tell apart, and a boundary passes them all at once. */
const loses = ['WALK-3', 'WALK-6'];

/** Makes stores whose indexes are sorted by another comparator. */
function orderedBy(compare: Compare, options?: ArrayOptions): MemoryFault['store'] {
  return withParts({ newIndex: (counters) => sortedArray(counters, compare, options) });
}

/** The right order of times, and `ids` among equal ones; negative where `a` is the greater id. */
function tiesBy(ids: (a: Position, b: Position) => number): Compare {
  return (a, b) => (a.micros === b.micros ? ids(a, b) : comparePositions(a, b));
}

function byCreation(): MemoryFault['store'] {
  return withParts(() => {
    const created = new WeakMap<Position, bigint>();
    const place = (position: Position) => ({ ...position, micros: created.get(position) ?? position.micros });
    return {
      newIndex: (counters) => {
        const index = sortedArray(counters, (a, b) => comparePositions(place(a), place(b)));
        return indexWith(index, {
          replace(old, entry) {
            created.set(entry, place(old).micros);
            index.replace(old, entry);
          },
        });
      },
      boundary: ({ records }) => ({ id: records.at(-1)!.id, lastUpdatedMicros: place(records.at(-1)!).micros }),
    };
  });
}

/** Whole seconds by number, fractions as text with trailing zeros cut: "…Z" sorts after "….5Z". */
function byTimeText(a: Position, b: Position): number {
  const [first, second] = [timeText(a.micros), timeText(b.micros)];
  if (first.seconds !== second.seconds) return first.seconds > second.seconds ? -1 : 1;
  if (first.rest !== second.rest) return first.rest > second.rest ? -1 : 1;
  return comparePositions(a, b);
}

function timeText(micros: bigint): { seconds: bigint; rest: string } {
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const digits = String(fraction).padStart(6, '0').replace(/0+$/, '');
  return { seconds: (micros - fraction) / 1_000_000n, rest: digits === '' ? 'Z' : `.${digits}Z` };
}

/** What is left of an id for a comparator that ignores what can't be seen and folds what looks alike. */
function visible(id: string): string {
  return utf8Bytes(id.normalize('NFC').replace(/[\p{Cc}\p{Cf}]/gu, ''));
}

function commonPrefix(a: Position, b: Position): number {
  const length = Math.min(a.idBytes.length, b.idBytes.length);
  const [first, second] = [a.idBytes.slice(0, length), b.idBytes.slice(0, length)];
  return first === second ? 0 : first > second ? -1 : 1;
}

/** In the order of their rows. */
export const memoryOrderFaults: readonly MemoryFault[] = [
  {
    id: 'MEM-02',
    fault: 'lists run by creation time',
    breaks: [...misordered, 'ORDER-2', 'TOKEN-6', 'WALK-3'],
    store: byCreation(),
  },
  {
    id: 'MEM-03',
    fault: 'lists run by id alone',
    breaks: ['ORDER-1', 'TOKEN-2', 'TOKEN-5', 'WALK-2', 'WALK-3'],
    store: orderedBy((a, b) => comparePositions({ ...a, micros: 0n }, { ...b, micros: 0n })),
  },
  {
    id: 'MEM-05',
    fault: 'equal times stay in the order of insertion',
    breaks: [...misordered, ...loses, 'ORDER-2', 'WALK-1', 'WALK-4', 'COST-2'],
    store: withParts({
      newIndex: (counters) => {
        const index = sortedArray(counters, (a, b) => comparePositions({ ...a, idBytes: '' }, { ...b, idBytes: '' }));
        return indexWith(index, {
          scan(after, limit, accept = () => true) {
            if (after === undefined) return index.scan(after, limit, accept);
            const above = { ...after, micros: after.micros + 1n };
            return index.scan(above, limit, (entry) => comparePositions(entry, after) > 0 && accept(entry));
          },
        });
      },
    }),
  },
  {
    id: 'MEM-06',
    fault: 'equal times are told apart by UTF-16 code units',
    breaks: misordered,
    store: orderedBy(tiesBy((a, b) => (a.id === b.id ? 0 : a.id > b.id ? -1 : 1))),
  },
  {
    id: 'MEM-07',
    fault: 'equal times are told apart by localeCompare',
    breaks: [...misordered, ...loses],
    store: orderedBy(tiesBy((a, b) => b.id.localeCompare(a.id))),
  },
  {
    id: 'MEM-09',
    fault: 'the comparator finds distinct ids equal and the tree keeps one of them',
    breaks: [...misordered, 'WALK-3', 'COUNT-1', 'FILTER-1', 'STORE-3'],
    store: orderedBy(
      tiesBy((a, b) => {
        const [first, second] = [visible(a.id), visible(b.id)];
        return first === second ? 0 : first > second ? -1 : 1;
      }),
      { unique: true },
    ),
  },
  {
    id: 'MEM-10',
    fault: 'times are compared as texts of varying precision',
    // A task can move backwards by an update, and be met again.
    breaks: ['ORDER-1', 'TOKEN-2', 'TOKEN-5', 'WALK-1', 'WALK-2', 'WALK-3', 'WALK-4'],
    store: orderedBy(byTimeText),
  },
  {
    id: 'MEM-12',
    fault: 'the comparator ignores what follows a common prefix of two ids',
    // It contradicts itself: ab and ac differ, and both equal a.
    breaks: [...misordered, ...loses, 'WALK-1', 'WALK-4', 'WALK-5'],
    store: orderedBy(tiesBy(commonPrefix)),
  },
  {
    id: 'MEM-48',
    fault: 'an update changes the key where it is and does not move the entry',
    breaks: [...misordered, ...loses, 'ORDER-2', 'WALK-1', 'WALK-4', 'WALK-5'],
    store: orderedBy(comparePositions, { inPlace: true }),
  },
];
