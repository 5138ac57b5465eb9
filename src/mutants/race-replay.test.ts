/** What a schedule shows once it shows again: through the shrinker, the replay file, and twenty runs of it. */
import { describe, expect, it } from 'vitest';
import { concurrentSource } from '../generate/concurrent.ts';
import type { Subject } from '../subject/subject.ts';
import { contextOf } from '../suite/certify.ts';
import { type Found, showViolation } from '../suite/counterexample.ts';
import { judgeProgram } from '../suite/judge.ts';
import { replayProgram } from '../suite/replay.ts';
import { formatReplay, parseReplay, type Replay } from '../suite/replay-file.ts';
import { strategyFor } from '../suite/strategies.ts';
import { loadMutants } from './index.ts';
import { raceMutants } from './race.ts';

const operationTimeoutMs = 20_000;

/** The first violation of one of these rules in so many programs under schedules. */
async function findScheduled(
  subject: Subject,
  rules: readonly string[],
  programs: number,
): Promise<(Found & { readonly rule: string }) | undefined> {
  const source = concurrentSource(subject.capabilities, 1);
  for (let run = 0; run < programs; run++) {
    const program = source(run);
    const { judged, history, schedule } = await judgeProgram(subject, program, contextOf(subject, {}), {
      operationTimeoutMs,
      strategy: strategyFor(run, program),
    });
    const shown = judged.find(({ rule, findings }) => rules.includes(rule) && findings.length > 0);
    if (shown === undefined || schedule === undefined) continue;
    return { rule: shown.rule, program: { ...program, schedule }, finding: shown.findings[0]!, history, run };
  }
  return undefined;
}

/** The replay file of a violation, written and read again. */
async function replayOf(subject: Subject, breaks: readonly string[]): Promise<Replay> {
  const found = await findScheduled(subject, breaks, 400);
  if (found === undefined) throw new Error('no schedule showed it');
  const { program } = await showViolation(subject, found.rule, found, {
    context: contextOf(subject, {}),
    operationTimeoutMs,
    shrinkExecutions: 60,
    shrinkBudgetMs: 10_000,
  });
  const replay = { subject: subject.name, profile: '0.6', rule: found.rule, seed: 1, run: found.run, program } as const;
  return parseReplay(formatReplay(replay), 'replay.json');
}

async function expectTwentyOfTwenty(subject: Subject, breaks: readonly string[]): Promise<void> {
  await subject.start?.();
  try {
    const { program, rule } = await replayOf(subject, breaks);
    expect(program.schedule).toBeDefined();
    const { shown, of } = await replayProgram(subject, program, { rule, times: 20, operationTimeoutMs });
    expect({ rule, shown, of }).toEqual({ rule, shown: 20, of: 20 });
  } finally {
    await subject.stop?.();
  }
}

describe('the replay of a race', () => {
  it.each(raceMutants)('$id in memory shows it 20 times of 20', { timeout: 60_000 }, ({ subject, breaks }) =>
    expectTwentyOfTwenty(subject(), breaks),
  );

  // One whose requests meet in a list, one at a check before its write, one at a lock in the server.
  it.each(['RACE-02-postgres', 'RACE-08-postgres', 'PG-04-lock'])(
    '%s over the wire shows it 20 times of 20',
    { timeout: 120_000 },
    async (id) => {
      const mutant = (await loadMutants()).find((one) => one.id === id);
      await expectTwentyOfTwenty(mutant!.subject(), mutant!.breaks);
    },
  );
});
