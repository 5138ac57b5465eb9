/** Ids that stores get wrong, in groups whose members a careless store confuses or misorders. */
import fc from 'fast-check';
import { keepsId } from '../../models/task-store.ts';
import type { IdLimits } from '../subject/subject.ts';

/** A family of awkward ids, by what is awkward about them; the name is what input coverage counts. */
export interface IdClass {
  readonly name: string;
  readonly ids: readonly string[];
}

const classes: readonly IdClass[] = [
  { name: 'delimiters', ids: ['a|1', 'a|2', 'a', 'a_1', 'a_2', 'a:b', 'a,b', 'a.b', 'a/b', 'a|1|2'] },
  { name: 'prefixes', ids: ['a', 'ab', 'abc', 'b', 'aa'] },
  { name: 'case', ids: ['a', 'A', 'B', '_', 'b', 'Z'] },
  { name: 'spaces', ids: ['x', 'x ', ' x', 'x\t', 'x\n'] },
  { name: 'normal-forms', ids: ['\u00e9', 'e\u0301', 'e', '\u212b', '\u00c5', 'A\u030a'] },
  { name: 'beyond-the-basic-plane', ids: ['\u{1F600}', '\uff61', 'ID-\u{1F600}', '\ud7ff', '\u{10ffff}', '\ue000'] },
  { name: 'object-keys', ids: ['__proto__', 'constructor', 'toString', '10', '2', '01'] },
  { name: 'nul', ids: ['a\0b', 'a\0a', 'a', 'ab', '\0', 'a\0'] },
  { name: 'byte-order-mark', ids: ['\ufeffa', 'a', '\ufeff', 'a\ufeff'] },
  { name: 'invisible', ids: ['ab', 'a\u200db', 'a\u200bb', 'a\u00adb', 'a\u0001b'] },
  { name: 'locale', ids: ['i', 'I', '\u0131', '\u0130', '\u00df', 'ss', 'z', '\u00e4'] },
  { name: 'url', ids: ['a+b', 'a b', 'a%20b', 'a/../b', 'a?b=c', 'a#b', 'a=b&c', '%', '..'] },
  { name: 'sql', ids: ["a'b", 'a"b', 'a%', 'a_', 'a\\', 'a;--', '$1'] },
  { name: 'numbers', ids: ['0', '1', '-1', '1e3', '00', '9007199254740993'] },
  { name: 'long', ids: ['y'.repeat(60), 'y'.repeat(255), `${'y'.repeat(254)}z`, 'x'.repeat(64), 'y'.repeat(37)] },
  {
    name: 'very-long',
    ids: ['k'.repeat(256), 'k'.repeat(300), '\u00e9'.repeat(200), '\u{1F600}'.repeat(70), 'k'.repeat(999)],
  },
  { name: 'longest', ids: ['m'.repeat(4096), `${'m'.repeat(4096)}n`, 'm'.repeat(3000), 'm'] },
];

/** The classes that a store under these limits can hold, each with at least two members. */
export function idClasses(limits: IdLimits): IdClass[] {
  const options = { create: 'reject', deduplicates: true, ...limits } as const;
  return classes
    .map(({ name, ids }) => ({ name, ids: ids.filter((id) => keepsId(id, options)) }))
    .filter(({ ids }) => ids.length > 1);
}

/** Ids that nothing can confuse. */
export const plainIds: readonly string[] = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'].map(
  (letter) => `task-${letter}`,
);

/** Labels for tasks inside a program: A, B, C … */
export const labels: readonly string[] = [...'ABCDEFGHIJKL'];

/** Gives `count` distinct ids to the labels A, B, C …: mostly plain, often of one awkward class, sometimes mixed. */
export function taskIds(count: number, limits: IdLimits): fc.Arbitrary<Record<string, string>> {
  const known = idClasses(limits);
  const fromClass = fc.nat(known.length - 1).chain((which) =>
    fc.shuffledSubarray([...new Set([...(known[which]?.ids ?? []), ...plainIds])], {
      minLength: count,
      maxLength: count,
    }),
  );
  const plain = fc.shuffledSubarray([...plainIds], { minLength: count, maxLength: count });
  return fc.oneof({ arbitrary: plain, weight: 2 }, { arbitrary: fromClass, weight: 1 }).map(labelled);
}

/** Gives ids of one awkward class, with two plain ones beside them. */
export function awkwardIds(limits: IdLimits): fc.Arbitrary<Record<string, string>> {
  const known = idClasses(limits);
  return fc.nat(known.length - 1).chain((which) => {
    const ids = known[which]?.ids ?? [];
    return fc
      .shuffledSubarray([...ids], { minLength: Math.min(2, ids.length), maxLength: Math.min(5, ids.length) })
      .chain((some) =>
        fc.shuffledSubarray([...new Set([...some, 'task-a', 'task-b'])], { minLength: Math.min(some.length + 2, 7) }),
      )
      .map(labelled);
  });
}

/** Ids that no store of these limits can keep: they are refused at the door. */
export function refusedIds(limits: IdLimits): string[] {
  return ['', '\ud800', 'z\udc00', 'a\ud83d', ...(limits.nul ? [] : ['a\0b', '\0']), 'q'.repeat(limits.maxBytes + 1)];
}

function labelled(ids: readonly string[]): Record<string, string> {
  return Object.fromEntries(ids.map((id, position) => [labels[position] as string, id]));
}
