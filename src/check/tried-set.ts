/** What a search has tried. A placement that it takes for another is a branch that it never looks at. */

/** The numbers of one placement. */
const tupleSize = 5;

/** A set of placements, as rows of five numbers in a table with open addressing: no object for any of them. */
export class TriedSet {
  #rows = new Int32Array(tupleSize * 256);
  #size = 0;

  /** Adds a placement; false where it was there. */
  add(first: number, low: number, high: number, state: number, used: number): boolean {
    if (2 * tupleSize * this.#size >= this.#rows.length) this.#grow();
    const rows = this.#rows;
    const slots = rows.length / tupleSize;
    for (let slot = hash(first, low, high, state, used) & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
      const at = slot * tupleSize;
      if (rows[at] === 0) {
        // An empty row begins with 0, so the first open operation is counted from 1.
        rows[at] = first + 1;
        rows[at + 1] = low;
        rows[at + 2] = high;
        rows[at + 3] = state;
        rows[at + 4] = used;
        this.#size++;
        return true;
      }
      if (
        rows[at] === first + 1 &&
        rows[at + 1] === low &&
        rows[at + 2] === high &&
        rows[at + 3] === state &&
        rows[at + 4] === used
      )
        return false;
    }
  }

  #grow(): void {
    const old = this.#rows;
    this.#rows = new Int32Array(2 * old.length);
    this.#size = 0;
    for (let at = 0; at < old.length; at += tupleSize) {
      const first = old[at] as number;
      if (first === 0) continue;
      this.add(first - 1, old[at + 1] as number, old[at + 2] as number, old[at + 3] as number, old[at + 4] as number);
    }
  }
}

function hash(first: number, low: number, high: number, state: number, used: number): number {
  let mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(low, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35) ^ Math.imul(high, 0x27d4eb2f);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0x165667b1) ^ Math.imul(state, 0x9e3779b1) ^ Math.imul(used, 0x85ebca6b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
