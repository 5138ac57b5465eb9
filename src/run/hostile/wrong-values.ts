/** Values that are wrong for a field, by what the field holds. */
import type { Fields, Shape } from '../../wire/field-shapes.ts';
import { pick, type Random } from './hostile.ts';

type Kind = Extract<Shape, string>;

/** JSON values that no reading of the kind takes. */
const wrongFor: Readonly<Record<Kind, readonly unknown[]>> = {
  string: [0, -1, 1.5, true, false, [], ['x'], {}, { toString: 1 }],
  boolean: ['true', 'false', '', 'yes', 0, 1, [], {}],
  int32: ['5', 'abc', '', ' ', '0x5', '1e1', 1.5, -0.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e308, true, [], [5], {}],
  state: ['TASK_STATE_BOGUS', 'task_state_working', '', 'UNRECOGNIZED', '__proto__', -1, 99, 1.5, true, [], {}],
  role: ['ROLE_BOGUS', '', 'UNRECOGNIZED', 'constructor', -1, 99, 1.5, true, [], {}],
  timestamp: ['yesterday', '', '2026-01-01', '2026-02-30T00:00:00Z', '2026-01-01T25:00:00Z', 5, true, [], {}],
  base64: ['!', 'a', 'YQ=', 5, true, [], {}],
  struct: ['x', '', 5, true, [], [1]],
  json: [],
};
const wrongLists: readonly unknown[] = ['x', '', 5, true, {}, { length: 1 }];
const wrongObjects: readonly unknown[] = ['x', '', 5, true, [], [{}]];

/** Values that are nearly right, huge, or mean something to a runtime: what they come to is the field's affair. */
const oddValues: readonly unknown[] = [
  '\ud800',
  'a\0b',
  '\ufeffx',
  '__proto__',
  '../../etc/passwd',
  "'; DROP TABLE a2a_tasks; --",
  'x'.repeat(20_000),
  0,
  -1,
  101,
  2 ** 31 - 1,
  null,
  { constructor: { prototype: 1 } },
  JSON.parse('{"__proto__":{"pageSize":5}}'),
  [null],
];

/** The text of a query value that no reading of the kind takes. */
const wrongTexts: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  int32: ['', 'abc', '0x5', '05', '%2B5', '+5', '1e1', '1.5', '5%20', '2147483648', '-2147483649', '%00', '%D9%A5'],
  boolean: ['', 'yes', 'TRUE', '1', '0', 'true%20'],
  state: ['', 'BOGUS', '-1', '99', 'UNRECOGNIZED', '__proto__', '1.5'],
  timestamp: ['', 'yesterday', '2026-01-01', '2026-02-30T00:00:00Z', '1767225600'],
};

/** Page sizes of a list of tasks that are numbers, and wrong. */
export const badPageSizes: readonly number[] = [0, -1, 101, 1_000, 2 ** 31 - 1, -(2 ** 31) + 1];

const MEGABYTE = 1024 * 1024;

/** Page tokens that are wrong in any format; one in some hundred is a megabyte long where there is room for one. */
export function badToken(random: Random, isRoomy: boolean): string {
  const character = pick(random, ['A', '0', '.', 'v1.', '%', '\0', '\u{1f600}']);
  if (isRoomy && random(200) === 0) return character.repeat(MEGABYTE / character.length);
  const tokens = [
    '0',
    '50',
    '-1',
    ' ',
    'v1',
    'v1..',
    'v1.1.',
    'v1.1.YR',
    'v1.01.YQ',
    'v1.1.YQ=',
    'v2.1.YQ',
    'V1.1.YQ',
    'v1.9223372036854775808.YQ',
    'v1.1.YQ\n',
    'null',
    '[object Object]',
    `v1.${random(2 ** 31)}.!`,
    `x${random(2 ** 31).toString(36)}`,
    character.repeat(1 + random(2_000)),
  ];
  return pick(random, tokens);
}

/** An object of this shape in which one field, perhaps a nested one, holds what is wrong for it. */
export function wrongObject(shape: Fields, random: Random): Record<string, unknown> {
  return spoiled(shape, random, wrongValue) as Record<string, unknown>;
}

/** An object of this shape in which one field holds an odd value. */
export function oddObject(shape: Fields, random: Random): Record<string, unknown> {
  return spoiled(shape, random, () => pick(random, oddValues)) as Record<string, unknown>;
}

/** A query value that is wrong for a field of this kind; undefined where every text is right. */
export function wrongText(kind: Shape, random: Random): string | undefined {
  const texts = typeof kind === 'string' ? wrongTexts[kind] : undefined;
  return texts && pick(random, texts);
}

/** A value that an object needs to be taken at all. */
export function plainValue(shape: Shape): unknown {
  if (typeof shape === 'object') {
    if ('list' in shape) return [];
    return Object.fromEntries((shape.required ?? []).map((name) => [name, plainValue(shape.fields[name] as Shape)]));
  }
  return shape === 'boolean' ? false : shape === 'int32' ? 1 : shape === 'struct' ? {} : 'x';
}

function spoiled(shape: Fields, random: Random, choose: (shape: Shape, random: Random) => unknown): unknown {
  const names = Object.keys(shape.fields).filter((name) => shape.fields[name] !== 'json');
  const victim = pick(random, names);
  const field = shape.fields[victim] as Shape;
  const right = plainValue(shape) as object;
  const list = typeof field === 'object' && 'list' in field ? field.list : undefined;
  const inner = list ?? field;
  if (typeof inner === 'object' && 'fields' in inner && random(3) > 0) {
    const nested = spoiled(inner, random, choose);
    return { ...right, [victim]: list === undefined ? nested : [nested] };
  }
  if (list !== undefined && random(2) === 0) return { ...right, [victim]: [choose(list, random)] };
  return { ...right, [victim]: choose(field, random) };
}

function wrongValue(shape: Shape, random: Random): unknown {
  if (typeof shape === 'string') return pick(random, wrongFor[shape]);
  return pick(random, 'list' in shape ? wrongLists : wrongObjects);
}
