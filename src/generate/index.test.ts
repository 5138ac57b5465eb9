import { describe, expect, it } from 'vitest';
import { keepsId } from '../../models/task-store.ts';
import type { Program, Step } from '../history/program.ts';
import { memoryCapabilities } from '../subject/memory.ts';
import { type Capabilities, externalDefaults } from '../subject/subject.ts';
import { programShape } from '../suite/program-shape.ts';
import type { Shape } from '../suite/shape.ts';
import { costPrograms } from './cost.ts';
import { idClasses, refusedIds } from './ids.ts';
import { programSource, scenarios } from './index.ts';

const subjects: readonly (readonly [string, Capabilities])[] = [
  ['the in-memory store', memoryCapabilities],
  ['an external store', externalDefaults],
  ['a store without ties', { ...memoryCapabilities, ties: false }],
  ['a store with callers', { ...memoryCapabilities, scope: ['D'], callers: true }],
];
const many = (capabilities: Capabilities, seed: number, count = 150): Program[] => {
  const source = programSource(capabilities, seed);
  return Array.from({ length: count }, (_, index) => source(index));
};
const stepsOf = ({ setup = [], clients }: Program): Step[] => [...setup, ...clients.flat()];

describe.each(subjects)('the programs of %s', (_, capabilities) => {
  const programs = many(capabilities, 5);

  it('are the same for the same seed, whatever ran before', () => {
    const source = programSource(capabilities, 5);
    for (const index of [149, 3, 77]) expect(source(index)).toEqual(programs[index]);
  });

  it('are others for another seed', () => {
    expect(many(capabilities, 6, 30)).not.toEqual(programs.slice(0, 30));
  });

  it('are plain JSON of the shape that files have', () => {
    const check: Shape<Program>['check'] = programShape.check;
    for (const program of programs) {
      const text = JSON.stringify(program);
      const read: unknown = JSON.parse(text);
      expect(() => check(read, '')).not.toThrow();
      expect(JSON.stringify(read)).toBe(text);
      // Nothing is lost on the way but NaN, which JSON writes as null.
      expect(read).toEqual(JSON.parse(JSON.stringify(program, (_key, value) => (Number.isNaN(value) ? null : value))));
    }
  });

  it('come from every scenario that suits', () => {
    const suiting = scenarios.filter((scenario) => scenario.suits(capabilities)).map(({ name }) => name);
    expect([...new Set(programs.map(({ scenario }) => scenario))].sort()).toEqual([...new Set(suiting)].sort());
  });

  it('name tasks that the store can keep, but for one that it has to refuse', () => {
    const limits = { create: 'reject', deduplicates: true, ...capabilities.ids } as const;
    const refused = new Set(refusedIds(capabilities.ids));
    for (const { tasks } of programs)
      for (const [label, id] of Object.entries(tasks))
        expect(keepsId(id, limits)).toBe(label === 'Z' ? !refused.has(id) : true);
  });
});

describe('a program for an external store', () => {
  const steps = many(externalDefaults, 9, 300).flatMap(stepsOf);

  it('has timestamps that A2A allows: UTC, milliseconds', () => {
    const timestamps = steps.flatMap((step) => [
      'content' in step ? step.content?.timestamp : undefined,
      'filter' in step ? step.filter?.after : undefined,
    ]);
    const given = timestamps.filter((timestamp) => timestamp !== undefined);
    expect(given.length).toBeGreaterThan(100);
    expect(given.filter((timestamp) => !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/.test(timestamp))).toEqual([]);
  });

  it('leaves the time of a cancel to the store', () => {
    const cancels = steps.filter(({ op }) => op === 'cancel');
    expect(cancels.length).toBeGreaterThan(5);
    expect(cancels.filter((step) => 'timestamp' in step)).toEqual([]);
  });
});

describe('classes of ids', () => {
  it.each([
    ['without NUL, of 36 bytes', { nul: false, maxBytes: 36 }],
    ['without NUL, of 255 bytes', { nul: false, maxBytes: 255 }],
    ['with NUL, of 65,536 bytes', { nul: true, maxBytes: 65_536 }],
  ])('keep to the limits of a store %s', (_, limits) => {
    const options = { create: 'reject', deduplicates: true, ...limits } as const;
    for (const { ids } of idClasses(limits)) {
      expect(ids.length).toBeGreaterThan(1);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.filter((id) => !keepsId(id, options))).toEqual([]);
    }
    expect(refusedIds(limits).filter((id) => keepsId(id, options))).toEqual([]);
  });

  it('are more for a store that keeps more', () => {
    expect(idClasses({ nul: true, maxBytes: 65_536 }).length).toBeGreaterThan(
      idClasses({ nul: false, maxBytes: 36 }).length,
    );
  });
});

describe('the programs that measure', () => {
  it('are of the shape that files have, and grow a store at least eightfold', () => {
    const check: Shape<Program>['check'] = programShape.check;
    for (const program of costPrograms) {
      expect(() => check(JSON.parse(JSON.stringify(program)), '')).not.toThrow();
      const fills = stepsOf(program).flatMap((step) => (step.op === 'fill' ? [step] : []));
      const first = fills.filter(({ task }) => task.startsWith('T')).reduce((sum, { count }) => sum + count, 0);
      const all = fills.reduce((sum, { count }) => sum + count, 0);
      expect(all).toBeGreaterThanOrEqual(8 * first);
    }
  });
});
