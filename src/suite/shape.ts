/** Shapes of JSON data: one description gives both the reader, whose errors name the field, and the JSON Schema. */

/** A JSON Schema (draft 2020-12), as far as shapes need it. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** Says what data must look like; `check` throws a `ShapeError` at the first field that does not. */
export interface Shape<T> {
  readonly schema: JsonSchema;
  check(value: unknown, at: string): asserts value is T;
}

/** The first field that has not its shape: where it is, such as `rules[3].status`, and what it should be. */
export class ShapeError extends Error {
  readonly at: string;
  readonly expected: string;

  constructor(at: string, expected: string, value: unknown) {
    super(`${at === '' ? 'the whole' : at} should be ${expected}, not ${nameOf(value)}`);
    this.name = 'ShapeError';
    this.at = at;
    this.expected = expected;
  }
}

/** A shape that a test of the value decides. */
function plain<T>(schema: JsonSchema, expected: string, holds: (value: unknown) => boolean): Shape<T> {
  return {
    schema,
    check(value: unknown, at: string): asserts value is T {
      if (!holds(value)) throw new ShapeError(at, expected, value);
    },
  };
}

export const text: Shape<string> = plain({ type: 'string' }, 'a text', (value) => typeof value === 'string');

/** Not empty, and not blank. */
export const words: Shape<string> = plain(
  { type: 'string', pattern: '\\S' },
  'a text that says something',
  (value) => typeof value === 'string' && /\S/.test(value),
);

export const flag: Shape<boolean> = plain({ type: 'boolean' }, 'true or false', (value) => typeof value === 'boolean');

/** Any number: page sizes in a program may be wrong on purpose. JSON has no NaN; a program that held one holds null. */
export const number: Shape<number> = plain({ type: ['number', 'null'] }, 'a number', (value) => {
  return typeof value === 'number' || value === null;
});

/** A whole number from 0 up. */
export const count: Shape<number> = plain({ type: 'integer', minimum: 0 }, 'a whole number from 0 up', (value) => {
  return Number.isSafeInteger(value) && (value as number) >= 0;
});

/** A whole number of any sign. */
export const integer: Shape<number> = plain({ type: 'integer' }, 'a whole number', Number.isSafeInteger);

/** Milliseconds, perhaps with a fraction. */
export const duration: Shape<number> = plain({ type: 'number', minimum: 0 }, 'a number from 0 up', (value) => {
  return typeof value === 'number' && value >= 0;
});

/** Microseconds as a decimal number in a text, since JSON numbers are not exact. */
export const microsText: Shape<string> = plain(
  { type: 'string', pattern: '^-?[0-9]+$' },
  'a whole number in a text',
  (value) => typeof value === 'string' && /^-?[0-9]+$/.test(value),
);

/** An instant in ISO 8601, as `Date.toISOString` writes it. */
export const instant: Shape<string> = plain({ type: 'string', format: 'date-time' }, 'an ISO 8601 instant', (value) => {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value) && !Number.isNaN(Date.parse(value));
});

/** Exactly this value. */
export function constant<const T extends string | number>(expected: T): Shape<T> {
  return plain({ const: expected }, JSON.stringify(expected), (value) => value === expected);
}

/** One of these texts. */
export function oneOf<const T extends string>(...allowed: readonly T[]): Shape<T> {
  const expected = allowed.length < 12 ? `one of ${allowed.join(', ')}` : 'a known name';
  return plain({ enum: allowed }, expected, (value) => allowed.some((each) => each === value));
}

/** The contexts of a scope: `all`, or a list of texts. */
export const scopeContexts: Shape<readonly string[] | 'all'> = plain(
  { oneOf: [{ const: 'all' }, { type: 'array', items: { type: 'string' } }] },
  '"all" or a list of texts',
  (value) => value === 'all' || (Array.isArray(value) && value.every((each) => typeof each === 'string')),
);

/** An object with any fields. */
export const anyObject: Shape<Readonly<Record<string, unknown>>> = plain({ type: 'object' }, 'an object', (value) => {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
});

/** An array of one shape. */
export function list<T>(of: Shape<T>): Shape<readonly T[]> {
  const check: Shape<T>['check'] = of.check;
  return {
    schema: { type: 'array', items: of.schema },
    check(value: unknown, at: string): asserts value is readonly T[] {
      if (!Array.isArray(value)) throw new ShapeError(at, 'a list', value);
      for (let index = 0; index < value.length; index++) check(value[index], `${at}[${index}]`);
    },
  };
}

/** An object with any names and values of one shape. */
export function record<T>(of: Shape<T>): Shape<Readonly<Record<string, T>>> {
  const check: Shape<T>['check'] = of.check;
  return {
    schema: { type: 'object', additionalProperties: of.schema },
    check(value: unknown, at: string): asserts value is Readonly<Record<string, T>> {
      const fields = fieldsOf(value, at);
      for (const name of Object.keys(fields)) check(fields[name], `${at}[${JSON.stringify(name)}]`);
    },
  };
}

/** A field that may be absent. */
export interface Optional<T> {
  readonly optional: Shape<T>;
}

/** Marks a field of an object as one that may be absent. */
export function optional<T>(shape: Shape<T>): Optional<T> {
  return { optional: shape };
}

type Fields<T> = {
  readonly [K in keyof T]-?: undefined extends T[K] ? Optional<Exclude<T[K], undefined>> : Shape<T[K]>;
};

/** An object with these fields. Other fields are let through, so that a later version may add some. */
export function object<T extends object>(fields: Fields<T>): Shape<T> {
  const all = Object.entries(fields) as [string, Shape<unknown> | Optional<unknown>][];
  const properties = Object.fromEntries(all.map(([name, field]) => [name, shapeOf(field).schema]));
  const required = all.filter(([, field]) => !('optional' in field)).map(([name]) => name);
  return {
    schema: { type: 'object', required, properties },
    check(value: unknown, at: string): asserts value is T {
      const given = fieldsOf(value, at);
      for (const [name, field] of all) {
        const there = Object.hasOwn(given, name);
        if (!there && 'optional' in field) continue;
        const check: Shape<unknown>['check'] = shapeOf(field).check;
        check(there ? given[name] : undefined, at === '' ? name : `${at}.${name}`);
      }
    },
  };
}

/** One of several objects, told apart by a field that holds a text of its own in each. */
export function variant<T extends object>(field: string, cases: Readonly<Record<string, Shape<object>>>): Shape<T> {
  const tag: Shape<string>['check'] = oneOf(...Object.keys(cases)).check;
  return {
    schema: {
      oneOf: Object.entries(cases).map(([name, shape]) => ({
        allOf: [{ type: 'object', required: [field], properties: { [field]: { const: name } } }, shape.schema],
      })),
    },
    check(value: unknown, at: string): asserts value is T {
      const given = fieldsOf(value, at);
      const name = Object.hasOwn(given, field) ? given[field] : undefined;
      tag(name, at === '' ? field : `${at}.${field}`);
      const check: Shape<object>['check'] = cases[name as string]!.check;
      check(value, at);
    },
  };
}

function shapeOf(field: Shape<unknown> | Optional<unknown>): Shape<unknown> {
  return 'optional' in field ? field.optional : field;
}

function fieldsOf(value: unknown, at: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ShapeError(at, 'an object', value);
  return value as Readonly<Record<string, unknown>>;
}

function nameOf(value: unknown): string {
  if (value === undefined) return 'absent';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const shown = JSON.stringify(value) ?? typeof value;
  return shown.length <= 60 ? shown : `${shown.slice(0, 57)}…`;
}
