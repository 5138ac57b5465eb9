/** The query string of HTTP+JSON, read strictly: Express takes a repeated parameter as a list, and bad bytes as U+FFFD. */
import { InvalidArgumentError } from '../task/errors.ts';
import { conform, type Fields, type Shape } from './field-shapes.ts';

const INTEGER = /^(?:0|-?[1-9]\d{0,9})$/;

/**
 * Reads the parameters that `shape` knows from a request's URL, and drops the rest. Throws `invalid-argument` for
 * escapes that are no UTF-8, a known parameter that stands twice, and a value of another type; an empty number, boolean,
 * state or timestamp is one, since it could only mean that something was lost on the way.
 */
export function readQuery(url: string, shape: Fields): Readonly<Record<string, unknown>> {
  const given = new Map<string, unknown>();
  const start = url.indexOf('?');
  const pairs = start < 0 ? [] : url.slice(start + 1).split('&');
  for (const pair of pairs) {
    const middle = pair.indexOf('=');
    const name = decode(middle < 0 ? pair : pair.slice(0, middle));
    const value = decode(middle < 0 ? '' : pair.slice(middle + 1));
    const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
    if (field === undefined) continue;
    if (given.has(name)) throw new InvalidArgumentError(`${name} must stand once`);
    given.set(name, typed(value, field));
  }
  return conform(Object.fromEntries(given), shape, 'query') as Readonly<Record<string, unknown>>;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new InvalidArgumentError('The query is not percent-encoded UTF-8');
  }
}

/** Leaves as a text what doesn't spell the type, for the shape to refuse. */
function typed(value: string, shape: Shape): unknown {
  if (shape === 'int32') return INTEGER.test(value) ? Number(value) : value;
  if (shape === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  if (shape === 'state') return INTEGER.test(value) ? Number(value) : value;
  return value;
}
