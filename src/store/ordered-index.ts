/**
 * The ordered index: a B+tree over (time, id bytes), listed newest first.
 *
 * Its own, because it was measured: times packed into two 32-bit numbers and ids kept as one-byte strings are compared
 * inline, without a comparator call or a bigint, which takes half the time of the best library or less
 * (`npm run bench` shows both). Entries are kept oldest first, so that the newest, where nearly every write lands,
 * is appended and shifts nothing.
 */
import type { Position } from './position.ts';

/** What an index did since it was made; several indexes may share one set. */
export interface IndexCounters {
  /** Keys compared. */
  comparisons: number;
  /** Entries handed to a scan. */
  visits: number;
  /** Nodes entered, split or joined. */
  indexSteps: number;
}

/** A sorted set of entries as the store uses it. Positions are unique: keeping them so is the caller's part. */
export interface TaskIndex<E extends Position> {
  readonly size: number;
  insert(entry: E): void;
  /** Takes out the entry at the same position; says whether there was one. */
  remove(entry: E): boolean;
  /** Takes `old` out and puts `entry` in. */
  replace(old: E, entry: E): void;
  /**
   * Gives the first `limit` entries in list order that lie strictly after `after`, from the start where undefined, and
   * that `accept` answers true for, all where absent. Visits nothing beyond the last of them.
   */
  scan(after: Position | undefined, limit: number, accept?: (entry: E) => boolean): E[];
}

/** Most entries of a node. Measured: with 32 pages are slower, with 128 updates are. */
const CAPACITY = 64;
/** What a node at the newest end keeps when it is cut: hardly anything is ever added to it again, so half would stay empty. */
const PACKED = CAPACITY - CAPACITY / 8;
/** A node below this is joined with its neighbour. */
const SPARSE = CAPACITY / 4;

/**
 * One node; leaf and inner share a layout: parallel arrays of key halves, key ids, and entries or children.
 * In an inner node key i is an upper bound of child i, and a strict lower bound of child i + 1; its last key is unused.
 */
class Node {
  readonly leaf: boolean;
  readonly high: number[];
  readonly low: number[];
  readonly ids: string[];
  readonly values: unknown[];

  constructor(leaf: boolean, high: number[], low: number[], ids: string[], values: unknown[]) {
    this.leaf = leaf;
    this.high = high;
    this.low = low;
    this.ids = ids;
    this.values = values;
  }
}

/** A key as it is compared: signed high half, low half shifted so that it compares as signed, id bytes. */
interface Key {
  high: number;
  low: number;
  id: string;
}

const int64 = new DataView(new ArrayBuffer(8));

function keyOf(position: Position): Key {
  int64.setBigInt64(0, position.micros);
  return { high: int64.getInt32(0), low: int64.getInt32(4) ^ 0x80000000, id: position.idBytes };
}

/** A sorted set with O(log n) insert, remove and seek, whatever the order of arrival. */
export class OrderedIndex<E extends Position> implements TaskIndex<E> {
  readonly counters: IndexCounters;
  private root: Node = new Node(true, [], [], [], []);
  private count = 0;

  constructor(counters: IndexCounters = { comparisons: 0, visits: 0, indexSteps: 0 }) {
    this.counters = counters;
  }

  get size(): number {
    return this.count;
  }

  insert(entry: E): void {
    const right = this.insertInto(this.root, keyOf(entry), entry);
    if (right !== undefined) {
      const left = this.root;
      const last = left.ids.length - 1;
      this.root = new Node(false, [left.high[last]!, 0], [left.low[last]!, 0], [left.ids[last]!, ''], [left, right]);
    }
    this.count++;
  }

  remove(entry: E): boolean {
    if (!this.removeFrom(this.root, keyOf(entry))) return false;
    if (!this.root.leaf && this.root.values.length === 1) this.root = this.root.values[0] as Node;
    this.count--;
    return true;
  }

  replace(old: E, entry: E): void {
    this.remove(old);
    this.insert(entry);
  }

  scan(after: Position | undefined, limit: number, accept?: (entry: E) => boolean): E[] {
    const found: E[] = [];
    this.scanNode(this.root, after === undefined ? undefined : keyOf(after), limit, accept, found);
    return found;
  }

  /** Counts the keys of a node below `key`: the place of the key in a leaf, the child to enter in an inner node. */
  private rank(node: Node, key: Key): number {
    const { high, low, ids } = node;
    let from = 0;
    let to = node.leaf ? ids.length : ids.length - 1;
    let comparisons = 0;
    while (from < to) {
      const middle = (from + to) >>> 1;
      comparisons++;
      const h = high[middle]!;
      const l = low[middle]!;
      if (h !== key.high ? h < key.high : l !== key.low ? l < key.low : ids[middle]! < key.id) from = middle + 1;
      else to = middle;
    }
    this.counters.comparisons += comparisons;
    this.counters.indexSteps++;
    return from;
  }

  /** Inserts below `node`; answers its new right neighbour where it had to be split. */
  private insertInto(node: Node, key: Key, entry: E): Node | undefined {
    const at = this.rank(node, key);
    if (node.leaf) insertAt(node, at, key.high, key.low, key.id, entry);
    else {
      const child = node.values[at] as Node;
      const right = this.insertInto(child, key, entry);
      if (right !== undefined) addRight(node, at, child, right);
    }
    if (node.ids.length <= CAPACITY) return undefined;
    // An inner node has grown by the right part of its child `at`.
    const isNewest = at === node.ids.length - (node.leaf ? 1 : 2);
    return this.split(node, isNewest ? PACKED : node.ids.length >>> 1);
  }

  private removeFrom(node: Node, key: Key): boolean {
    const at = this.rank(node, key);
    if (node.leaf) {
      if (node.ids[at] !== key.id || node.high[at] !== key.high || node.low[at] !== key.low) return false;
      removeAt(node, at);
      return true;
    }
    const child = node.values[at] as Node;
    if (!this.removeFrom(child, key)) return false;
    if (child.ids.length < SPARSE && node.values.length > 1) this.join(node, at === 0 ? 0 : at - 1);
    return true;
  }

  /** Cuts a node in two, keeping so many of the older; answers the newer. */
  private split(node: Node, kept: number): Node {
    this.counters.indexSteps++;
    return new Node(
      node.leaf,
      node.high.splice(kept),
      node.low.splice(kept),
      node.ids.splice(kept),
      node.values.splice(kept),
    );
  }

  /** Joins children `at` and `at + 1` of a node, and cuts the result evenly where it is too large. */
  private join(parent: Node, at: number): void {
    const left = parent.values[at] as Node;
    const right = parent.values[at + 1] as Node;
    if (!left.leaf) setKey(left, left.ids.length - 1, parent.high[at]!, parent.low[at]!, parent.ids[at]!);
    left.high.push(...right.high);
    left.low.push(...right.low);
    left.ids.push(...right.ids);
    left.values.push(...right.values);
    removeAt(parent, at);
    parent.values[at] = left;
    this.counters.indexSteps++;
    if (left.ids.length > CAPACITY) addRight(parent, at, left, this.split(left, left.ids.length >>> 1));
  }

  /** Adds to `found` what a subtree holds, newest first. */
  private scanNode(
    node: Node,
    after: Key | undefined,
    limit: number,
    accept: ((entry: E) => boolean) | undefined,
    found: E[],
  ): void {
    let at = after === undefined ? node.ids.length : this.rank(node, after);
    if (node.leaf) {
      const values = node.values as E[];
      const end = at;
      if (accept === undefined) {
        at = Math.max(0, end - (limit - found.length));
        for (let i = end; i > at; ) found.push(values[--i]!);
      } else {
        while (found.length < limit && at > 0) {
          const entry = values[--at]!;
          if (accept(entry)) found.push(entry);
        }
      }
      this.counters.visits += end - at;
      return;
    }
    if (after !== undefined) this.scanNode(node.values[at] as Node, after, limit, accept, found);
    while (found.length < limit && --at >= 0) {
      this.scanNode(node.values[at] as Node, undefined, limit, accept, found);
    }
  }
}

/** Records that child `at` was cut in two. The old key stays with the right part: it bounds that one now. */
function addRight(parent: Node, at: number, left: Node, right: Node): void {
  const last = left.ids.length - 1;
  insertAt(parent, at, left.high[last]!, left.low[last]!, left.ids[last]!, left);
  parent.values[at + 1] = right;
}

function setKey(node: Node, at: number, high: number, low: number, id: string): void {
  node.high[at] = high;
  node.low[at] = low;
  node.ids[at] = id;
}

/** Loops instead of `splice`, which allocates what it removes: four arrays a call, twice the time of a whole update. */
function insertAt(node: Node, at: number, high: number, low: number, id: string, value: unknown): void {
  const { values, ids } = node;
  for (let i = ids.length; i > at; i--) {
    node.high[i] = node.high[i - 1]!;
    node.low[i] = node.low[i - 1]!;
    ids[i] = ids[i - 1]!;
    values[i] = values[i - 1];
  }
  setKey(node, at, high, low, id);
  values[at] = value;
}

function removeAt(node: Node, at: number): void {
  const { values, ids } = node;
  const last = ids.length - 1;
  for (let i = at; i < last; i++) {
    node.high[i] = node.high[i + 1]!;
    node.low[i] = node.low[i + 1]!;
    ids[i] = ids[i + 1]!;
    values[i] = values[i + 1];
  }
  node.high.pop();
  node.low.pop();
  ids.pop();
  values.pop();
}
