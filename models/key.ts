/** A task's key and its total order (ORDER-1): the newest first, equal times by id in descending byte order. */

export interface Key {
  /** Last-update time, signed 64-bit microseconds since the Unix epoch. */
  readonly micros: bigint;
  readonly id: string;
}

/**
 * Compares two ids by their UTF-8 bytes: negative where `a` is smaller. Code points are compared instead of bytes,
 * which is the same order for well-formed text (RFC 3629 §1); UTF-16 code units are not.
 */
export function compareIdBytes(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length) {
    const left = a.codePointAt(at) as number;
    const right = b.codePointAt(at) as number;
    if (left !== right) return left - right;
    at += left > 0xffff ? 2 : 1;
  }
  return a.length - b.length;
}

/** Compares two keys in list order: negative where `a` is listed before `b`. */
export function compareKeys(a: Key, b: Key): number {
  if (a.micros !== b.micros) return a.micros > b.micros ? -1 : 1;
  return compareIdBytes(b.id, a.id);
}
