import { expect, it } from 'vitest';
import { ruleById, rules } from '../../spec/contract.ts';
import { loadMutants } from './index.ts';
import { neverAlone } from './never-alone.ts';

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

const musts = rules.filter(({ level }) => level === 'M').map(({ id }) => id);

it.each(musts)('%s is all that some mutant breaks, or it is said why none can', (rule) => {
  const alone = mutants.filter(({ breaks }) => breaks.length === 1 && breaks[0] === rule).map(({ id }) => id);
  expect(alone.length > 0, alone.join()).toBe(neverAlone[rule] === undefined);
  expect(mutants.some(({ breaks }) => breaks.includes(rule))).toBe(true);
});

it('reasons are of must-rules alone', () => {
  expect(Object.keys(neverAlone).filter((rule) => !musts.includes(rule))).toEqual([]);
});
