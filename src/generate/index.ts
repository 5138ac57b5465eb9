/** All scenarios, and the programs of a run: program `index` of a seed is the same whatever ran before it. */
import fc from 'fast-check';
import type { Program } from '../history/program.ts';
import type { Capabilities } from '../subject/subject.ts';
import { accessScenarios, behindTenThousand } from './access.ts';
import { forAgent } from './agent.ts';
import { crowdScenarios } from './crowds.ts';
import { databaseScenarios } from './database.ts';
import { forExternalStore } from './external.ts';
import { listScenarios } from './lists.ts';
import { probeScenarios } from './probes.ts';
import { pushScenarios } from './push.ts';
import type { Scenario } from './scenario.ts';
import { tokenScenarios } from './tokens.ts';
import { walkScenarios } from './walks.ts';
import { wireScenarios } from './wire.ts';
import { worldScenarios } from './worlds.ts';
import { writeScenarios } from './writes.ts';

/** Every scenario. A new one is one entry in its family's file. */
export const scenarios: readonly Scenario[] = [
  ...walkScenarios,
  ...writeScenarios,
  ...tokenScenarios,
  ...listScenarios,
  ...crowdScenarios,
  ...accessScenarios,
  ...worldScenarios,
  ...probeScenarios,
  ...wireScenarios,
  ...pushScenarios,
  ...databaseScenarios,
];

/** Where the one program of 10,001 hidden tasks stands in every run of a dispatcher whose store is fast enough for it. */
const tenThousandAt = 64;

/** Gives the programs of a seed for a subject, by position. */
export type ProgramSource = (index: number) => Program;

/**
 * Prepares the programs of a seed. Scenarios take turns by weight, so that every one that suits has its share in any
 * stretch of a run; the seed decides what each draws.
 */
export function programSource(capabilities: Capabilities, seed: number): ProgramSource {
  // Raw requests and push configurations are not for an agent of others.
  const asked: Capabilities = capabilities.agent === true ? { ...capabilities, scope: ['X'] } : capabilities;
  const turns = scenarios
    .filter((scenario) => scenario.suits(asked))
    .flatMap((scenario) => {
      const programs = scenario.programs(capabilities);
      return Array.from({ length: scenario.weight }, (_, turn) => ({ programs, turn }));
    })
    .sort((a, b) => a.turn - b.turn);
  const isExternal = capabilities.scope.includes('X');
  const hasTenThousand = capabilities.scope.includes('D') && capabilities.clock;
  return (index) => {
    if (hasTenThousand && index === tenThousandAt) return behindTenThousand;
    const { programs } = turns[index % turns.length] as (typeof turns)[number];
    const [program] = fc.sample(programs, { seed: (seed ^ Math.imul(index + 1, 0x9e3779b1)) | 0, numRuns: 1 });
    const suited = isExternal ? forExternalStore(program as Program) : (program as Program);
    return capabilities.agent === true ? forAgent(suited) : suited;
  };
}
