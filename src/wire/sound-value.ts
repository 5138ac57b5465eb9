/** A bound on what a request's free-form parts may hold, whatever the transport. */
import { InvalidArgumentError } from '../task/errors.ts';

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Throws `invalid-argument` where a value is nested deeper than `depth`, holds a number that JSON has no spelling for,
 * or a text that UTF-8 has none for. Such values mean different things on different transports, and a deep one would
 * exhaust the stack of whatever copies it; this walk keeps a stack of its own.
 */
export function checkSound(value: unknown, depth: number): void {
  const open: [value: unknown, depth: number][] = [[value, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [current, level] = next;
    if (typeof current === 'string') checkText(current);
    else if (typeof current === 'number' && !Number.isFinite(current)) throw unsound('a number that is not finite');
    else if (typeof current === 'object' && current !== null && !ArrayBuffer.isView(current)) {
      if (level >= depth) throw unsound('values nested too deep');
      for (const [key, inner] of Object.entries(current)) {
        checkText(key);
        open.push([inner, level + 1]);
      }
    }
  }
}

function checkText(text: string): void {
  if (LONE_SURROGATE.test(text)) throw unsound('text that is not Unicode');
}

function unsound(what: string): InvalidArgumentError {
  return new InvalidArgumentError(`The request holds ${what}`);
}
