/** A binary search tree that nobody balances: entries that arrive in order make it a list. */
import type { IndexCounters, TaskIndex } from '../store/ordered-index.ts';
import { comparePositions, type Position } from '../store/position.ts';
import type { TaskRecord } from '../store/task-table.ts';

interface Branch {
  entry: TaskRecord;
  /** What is listed before the entry. */
  before: Branch | undefined;
  /** What is listed after it. */
  after: Branch | undefined;
}

/** Makes an index that is right in everything but its cost. Every loop is a loop: a recursion this deep would end. */
export function unbalancedTree(counters: IndexCounters): TaskIndex<TaskRecord> {
  // The tree hangs below `top.after`, so that its root is replaced like any other branch.
  const top: Pick<Branch, 'before' | 'after'> = { before: undefined, after: undefined };
  let size = 0;

  /** Follows a place down: where it hangs, or would hang. */
  function find(place: Position): { parent: typeof top; side: 'before' | 'after' } {
    let parent = top;
    let side: 'before' | 'after' = 'after';
    for (let branch = parent[side]; branch !== undefined; branch = branch[side]) {
      const order = compare(place, branch.entry);
      if (order === 0) break;
      parent = branch;
      side = order < 0 ? 'before' : 'after';
    }
    return { parent, side };
  }

  function compare(a: Position, b: Position): number {
    counters.comparisons++;
    counters.indexSteps++;
    return comparePositions(a, b);
  }

  function insert(entry: TaskRecord): void {
    const { parent, side } = find(entry);
    parent[side] = { entry, before: undefined, after: undefined };
    size++;
  }

  function remove(entry: TaskRecord): boolean {
    const { parent, side } = find(entry);
    const branch = parent[side];
    if (branch === undefined) return false;
    size--;
    if (branch.before === undefined || branch.after === undefined) {
      parent[side] = branch.before ?? branch.after;
      return true;
    }
    // The entry listed next takes its place; it has nothing before it.
    let holder: typeof top = branch;
    let next = branch.after;
    let from: 'before' | 'after' = 'after';
    while (next.before !== undefined) {
      counters.indexSteps++;
      holder = next;
      next = next.before;
      from = 'before';
    }
    branch.entry = next.entry;
    holder[from] = next.after;
    return true;
  }

  return {
    get size() {
      return size;
    },
    insert,
    remove,
    replace(old, entry) {
      remove(old);
      insert(entry);
    },
    scan(place, limit, accept = () => true) {
      const found: TaskRecord[] = [];
      const waiting: Branch[] = [];
      let branch = top.after;
      while (found.length < limit && (branch !== undefined || waiting.length > 0)) {
        if (branch !== undefined) {
          // What is listed up to the place is passed by, with all that is listed before it.
          const passed: boolean = place !== undefined && compare(branch.entry, place) <= 0;
          if (!passed) waiting.push(branch);
          branch = passed ? branch.after : branch.before;
          continue;
        }
        const next = waiting.pop()!;
        counters.visits++;
        if (accept(next.entry)) found.push(next.entry);
        branch = next.after;
      }
      return found;
    },
  };
}
