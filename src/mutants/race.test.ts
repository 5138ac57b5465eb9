import { describe, expect, it } from 'vitest';
import { judgeConcurrent } from '../check/concurrent.ts';
import { concurrentSource } from '../generate/concurrent.ts';
import { programSource } from '../generate/index.ts';
import { runConcurrently } from '../run/concurrent.ts';
import { runSequentially } from '../run/sequential.ts';
import type { Subject } from '../subject/subject.ts';
import { contextOf } from '../suite/certify.ts';
import { judgeHistory } from '../suite/judge.ts';
import { strategyFor } from '../suite/strategies.ts';
import { raceMutants, waitingDispatcher } from './race.ts';
import { waitingMemory } from './waiting-memory.ts';

const options = { operationTimeoutMs: 20_000 };

/** Rules that some of so many concurrent programs show broken. */
async function broken(
  subject: Subject,
  runs: number,
  enough: (rules: ReadonlySet<string>) => boolean,
): Promise<Set<string>> {
  const source = concurrentSource(subject.capabilities, 1);
  const rules = new Set<string>();
  for (let run = 0; run < runs && !enough(rules); run++) {
    const program = source(run);
    const { history } = await runConcurrently(subject, program, { ...options, strategy: strategyFor(run, program) });
    for (const { rule, findings } of judgeConcurrent(history, contextOf(subject, {})))
      if (findings.length > 0) rules.add(rule);
  }
  return rules;
}

describe('a store that waits under its lock', () => {
  it.each([waitingMemory('right'), waitingDispatcher('right')])('breaks no rule: $name', async (subject) => {
    expect([...(await broken(subject, 120, () => false))]).toEqual([]);
  });
});

describe('a race mutant', () => {
  it.each(raceMutants)('$id is caught by a rule that it breaks, and by no other', async ({ subject, breaks }) => {
    const rules = await broken(subject(), 600, (found) => breaks.some((rule) => found.has(rule)));
    expect(breaks.filter((rule) => rules.has(rule))).not.toEqual([]);
    expect([...rules].filter((rule) => !breaks.includes(rule))).toEqual([]);
  });

  it.each(raceMutants)('$id breaks no other rule for one client either', async ({ subject: make, breaks }) => {
    const subject = make();
    const source = programSource(subject.capabilities, 1);
    const found: string[] = [];
    for (let run = 0; run < 60; run++) {
      const program = source(run);
      const { judged } = judgeHistory(
        await runSequentially(subject, program, options),
        program,
        contextOf(subject, {}),
      );
      for (const { rule, findings } of judged)
        if (findings.length > 0 && !breaks.includes(rule)) found.push(`${run} ${rule}`);
    }
    expect(found).toEqual([]);
  });
});
