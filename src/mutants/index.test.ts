import { expect, it } from 'vitest';
import { ruleById } from '../../spec/contract.ts';
import { loadMutants } from './index.ts';

const mutants = await loadMutants();

it('the catalogue holds every family, each mutant under an id of its own', () => {
  const ids = mutants.map(({ id }) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  expect(mutants.length).toBeGreaterThan(150);
});

it.each(mutants)('$id breaks rules of the contract, or is proved to break none', ({ breaks, equivalent }) => {
  expect(breaks.filter((rule) => ruleById(rule) === undefined)).toEqual([]);
  expect(breaks.length > 0).toBe(equivalent === undefined);
});
