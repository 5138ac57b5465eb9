/** A second, plain index for stores with a fault in their order: a sorted array with any comparator. */
import type { IndexCounters, TaskIndex } from '../store/ordered-index.ts';
import type { Position } from '../store/position.ts';
import type { TaskRecord } from '../store/task-table.ts';

/** Compares two places: negative where `a` is listed first. */
export type Compare = (a: Position, b: Position) => number;

/** What an array may do besides. */
export interface ArrayOptions {
  /** An entry that compares equal to another takes its place, as in a tree that knows keys by its comparator alone. */
  readonly unique?: boolean;
  /** An entry that replaces another takes its place, wherever its own would be. */
  readonly inPlace?: boolean;
}

/**
 * Makes an index that finds its places by binary search. Moving entries inside the array is left out of the counters:
 * it is not the fault. Entries that compare equal stay in the order of their arrival.
 */
export function sortedArray(
  counters: IndexCounters,
  compare: Compare,
  options: ArrayOptions = {},
): TaskIndex<TaskRecord> {
  const items: TaskRecord[] = [];

  /** Counts the entries listed before a place, and those that compare equal to it where `through`. */
  function rank(place: Position, through: boolean): number {
    let from = 0;
    let to = items.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      counters.comparisons++;
      counters.indexSteps++;
      const order = compare(items[middle]!, place);
      if (order < 0 || (through && order === 0)) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** Where an entry is; a comparator that contradicts itself may have put it anywhere. */
  function find(entry: TaskRecord): number {
    for (let at = rank(entry, false); at < items.length && compare(items[at]!, entry) === 0; at++) {
      if (items[at] === entry || options.unique) return at;
    }
    return items.indexOf(entry);
  }

  function remove(entry: TaskRecord): boolean {
    const at = find(entry);
    if (at < 0) return false;
    items.splice(at, 1);
    return true;
  }

  function insert(entry: TaskRecord): void {
    const at = rank(entry, !options.unique);
    const stands = options.unique && at < items.length && compare(items[at]!, entry) === 0;
    items.splice(at, stands ? 1 : 0, entry);
  }

  return {
    get size() {
      return items.length;
    },
    insert,
    remove,
    replace(old, entry) {
      if (options.inPlace) items[find(old)] = entry;
      else {
        remove(old);
        insert(entry);
      }
    },
    scan(after, limit, accept = () => true) {
      const found: TaskRecord[] = [];
      for (let at = after === undefined ? 0 : rank(after, true); found.length < limit && at < items.length; at++) {
        counters.visits++;
        if (accept(items[at]!)) found.push(items[at]!);
      }
      return found;
    },
  };
}
