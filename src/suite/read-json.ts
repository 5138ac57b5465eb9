/** Reads JSON of a shape out of a text; what is wrong with it becomes a `UsageError` that names the place. */
import { UsageError } from '../subject/usage-error.ts';
import { type Shape, ShapeError } from './shape.ts';

/**
 * Parses a text. `where` names it in errors (a file name). Throws a `UsageError` (status 3) that says `remedy` where
 * the text is not JSON; the position in it is named where the engine gives one.
 */
export function parseJson(text: string, where: string, remedy: string): unknown {
  try {
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch (error) {
    const problem = text.trim() === '' ? 'is empty' : `is not valid JSON${placeOf(text, error)}`;
    throw new UsageError({ where, problem, remedy }, 3, { cause: error });
  }
}

/** Gives the value back as its type. Throws a `UsageError` (status 3) naming the first field that has not its shape. */
export function readShape<T>(value: unknown, shape: Shape<T>, where: string, remedy: string): T {
  try {
    const check: Shape<T>['check'] = shape.check;
    check(value, '');
    return value;
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw new UsageError({ where, problem: `is malformed, ${error.message}`, remedy }, 3, { cause: error });
  }
}

/** V8 names the position in its message; without one the place stays unsaid. */
function placeOf(text: string, error: unknown): string {
  const position = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
  if (position === undefined) return '';
  const before = text.slice(0, Number(position)).split('\n');
  return ` at line ${before.length}, column ${before.at(-1)!.length + 1}`;
}
