/** A quick zoo for mutation testing: the store that is right, and stores in memory that die within a few programs. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { loadMutants } from '../../src/mutants/index.ts';
import { defaultKillBudget, tryToKill } from '../../src/mutants/kill.ts';
import { parseKillMatrix } from '../../src/report/kill-matrix.ts';
import { createMemorySubject } from '../../src/subject/memory.ts';

/** Programs a store: enough for the mutants that are chosen by it. */
const runs = 40;

const budget = { ...defaultKillBudget, runs, lookOn: runs, concurrentRuns: 0, shrinkExecutions: 0, measureAll: false };

const matrix = parseKillMatrix(readFileSync(new URL('../../reports/sample-kill-matrix.json', import.meta.url), 'utf8'));
const quick = new Set(
  matrix?.rows.filter(({ kill }) => kill !== undefined && kill.run >= 0 && kill.run < runs / 2).map(({ id }) => id),
);
const inMemory = ['token', 'memory'];
const chosen = (await loadMutants()).filter(
  ({ id, area, breaks }) => inMemory.includes(area) && breaks.length === 1 && quick.has(id),
);

it('lets the right store live', async () => {
  const right = { id: 'right', area: 'memory', fault: 'none', breaks: [], subject: createMemorySubject } as const;
  expect(await tryToKill(right, budget)).toMatchObject({ stray: [], fired: [] });
});

it.each(chosen)('kills $id by a rule that it breaks, and by no other', async (mutant) => {
  expect(await tryToKill(mutant, budget)).toMatchObject({ outcome: 'killed', stray: [] });
});
