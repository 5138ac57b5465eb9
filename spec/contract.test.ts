import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { levelIn, ruleById, rules, scopeNames } from './contract.ts';

/** How many rules of each family the written contract numbers, from 1 without gaps. */
const families = {
  TIME: 5,
  ORDER: 2,
  TOKEN: 8,
  WALK: 7,
  SNAP: 2,
  COUNT: 2,
  FILTER: 1,
  STORE: 3,
  AUTH: 9,
  WIRE: 5,
  SCHEMA: 4,
  COST: 4,
  PUSH: 1,
  LEGACY: 1,
};

const idsWhere = (holds: (rule: (typeof rules)[number]) => boolean): string[] =>
  rules.filter(holds).map((rule) => rule.id);

describe('the contract', () => {
  it('has every rule of every family once, in order', () => {
    const expected = Object.entries(families).flatMap(([family, count]) =>
      Array.from({ length: count }, (_, at) => `${family}-${at + 1}`),
    );
    expect(rules.map((rule) => rule.id)).toEqual(expected);
  });

  it('keeps each rule that a file of rules exports', async () => {
    const files = readdirSync(new URL('./rules/', import.meta.url)).map((name) => name.replace(/\.ts$/, ''));
    for (const file of files.filter((name) => name !== 'source')) {
      const lists = Object.values(await import(`./rules/${file}.ts`)) as (readonly { readonly id: string }[])[];
      for (const rule of lists.flat()) expect(ruleById(rule.id), `${rule.id} of ${file}`).toBe(rule);
    }
  });

  it('says in whole sentences what holds, and where that is written', () => {
    for (const rule of rules) {
      expect(rule.words, rule.id).toMatch(/^[A-Z`].*\.$/);
      expect(rule.words, rule.id).not.toContain('  ');
      expect(rule.title.length, rule.id).toBeLessThanOrEqual(52);
      expect(rule.source, rule.id).not.toBe('');
      expect(rule.basis === 'ours', `${rule.id} cites ${rule.source}`).toBe(rule.source.startsWith('Our reading'));
    }
  });

  it('writes scope letters in one order', () => {
    const order = Object.keys(scopeNames);
    for (const rule of rules) {
      expect(rule.scope, rule.id).toEqual(order.filter((letter) => rule.scope.some((own) => own === letter)));
    }
  });

  it('leaves to a concurrent run only what one client cannot show', () => {
    expect(idsWhere((rule) => rule.concurrent)).toEqual(['SNAP-1', 'SNAP-2']);
  });

  it('asks of an external store only as a should what it strengthens itself', () => {
    expect(idsWhere((rule) => rule.shouldIn !== undefined)).toEqual([
      'WALK-6',
      'SNAP-2',
      'COUNT-2',
      'STORE-2',
      'STORE-3',
    ]);
    for (const rule of rules.filter((each) => each.basis === 'ours' && each.scope.includes('X'))) {
      expect(levelIn(rule, ['X']), rule.id).toBe('S');
    }
  });

  it('finds a rule by its exact id only', () => {
    expect(ruleById('TOKEN-5')?.title).toBe('a page never needs its boundary task');
    expect(ruleById('token-5')).toBeUndefined();
    expect(ruleById('__proto__')).toBeUndefined();
  });
});

describe('the level of a rule', () => {
  const sizes = ruleById('WALK-6')!;

  it('is must where one scope of the subject makes it one', () => {
    expect(levelIn(sizes, ['X'])).toBe('S');
    expect(levelIn(sizes, ['X', 'I'])).toBe('M');
    expect(levelIn(ruleById('COST-4')!, ['X'])).toBe('S');
  });

  it('does not exist outside its scope', () => {
    expect(levelIn(sizes, ['D', 'W'])).toBeUndefined();
    expect(levelIn(sizes, [])).toBeUndefined();
  });
});
