/**
 * The shapes of request fields, checked on the raw JSON before the SDK reads it: its readers turn "abc" into NaN,
 * "false" into true and {} into a text, where the contract wants an invalid argument.
 */
import { Role, TaskState } from '@a2a-js/sdk';
import { parseInstant } from '../store/instant.ts';
import { InvalidArgumentError } from '../task/errors.ts';

/** What a field may hold. `struct` is any JSON object, `json` any JSON value. */
export type Shape =
  | 'string'
  | 'boolean'
  | 'int32'
  | 'state'
  | 'role'
  | 'timestamp'
  | 'base64'
  | 'struct'
  | 'json'
  | { readonly list: Shape }
  | Fields;

/** An object: known fields with their shapes, all optional but those named in `required`. */
export interface Fields {
  readonly fields: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  /** Fields of which exactly one stands. */
  readonly oneOf?: readonly string[];
}

/** Either alphabet, with all of its padding or none: ProtoJSON takes both. */
const BASE64 = /^(?:[A-Za-z0-9+/_-]{4})*(?:[A-Za-z0-9+/_-]{2}(?:==)?|[A-Za-z0-9+/_-]{3}=?)?$/;

const scalars: Readonly<Record<Extract<Shape, string>, readonly [what: string, is: (value: unknown) => boolean]>> = {
  string: ['a string', (value) => typeof value === 'string'],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
  int32: ['a 32-bit integer', isInt32],
  state: ['a task state', (value) => isEnum(value, TaskState)],
  role: ['a role', (value) => isEnum(value, Role)],
  timestamp: ['an RFC 3339 timestamp', (value) => typeof value === 'string' && parseInstant(value) !== undefined],
  base64: ['base64', (value) => typeof value === 'string' && BASE64.test(value)],
  struct: ['an object', isObject],
  json: ['a JSON value', () => true],
};

/**
 * Gives the part of `value` that `shape` knows: unknown fields are dropped, also those of the store that never cross
 * the wire (WIRE-2), and so is null, which means absent in ProtoJSON. Throws `invalid-argument` naming the field.
 */
export function conform(value: unknown, shape: Shape, name: string): unknown {
  if (typeof shape === 'string') {
    const [what, is] = scalars[shape];
    if (!is(value)) throw new InvalidArgumentError(`${name} must be ${what}`);
    return value;
  }
  if ('list' in shape) {
    if (!Array.isArray(value)) throw new InvalidArgumentError(`${name} must be a list`);
    return value.map((item, index) => conform(item, shape.list, `${name}[${index}]`));
  }
  if (!isObject(value)) throw new InvalidArgumentError(`${name} must be an object`);
  const given = Object.entries(shape.fields).flatMap(([field, inner]) => {
    const content = Object.hasOwn(value, field) ? value[field] : undefined;
    return content === undefined || content === null ? [] : [[field, conform(content, inner, field)] as const];
  });
  const names = new Set(given.map(([field]) => field));
  const missing = shape.required?.find((field) => !names.has(field));
  if (missing !== undefined) throw new InvalidArgumentError(`${missing} is required`);
  if (shape.oneOf !== undefined && shape.oneOf.filter((field) => names.has(field)).length !== 1) {
    throw new InvalidArgumentError(`${name} must have one of ${shape.oneOf.join(', ')}`);
  }
  return Object.fromEntries(given);
}

function isInt32(value: unknown): boolean {
  return Number.isInteger(value) && Math.abs(value as number) < 2 ** 31;
}

function isEnum(value: unknown, members: Readonly<Record<string, unknown>>): boolean {
  if (value === 'UNRECOGNIZED' || value === -1) return false;
  const known = typeof value === 'string' ? members[value] : typeof value === 'number' && members[String(value)];
  return typeof value === 'string' ? typeof known === 'number' : typeof known === 'string';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
