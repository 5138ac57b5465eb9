import { describe, expect, it } from 'vitest';
import { raceMutants } from '../mutants/race.ts';
import { createMemorySubject } from '../subject/memory.ts';
import { certify } from './certify.ts';
import { judgeHistoriesText } from './history-file.ts';
import { replayProgram } from './replay.ts';
import { parseReplay } from './replay-file.ts';

const few = { runs: 1, concurrent: true, concurrentBudgetMs: 50_000, operationTimeoutMs: 20_000 };

describe('a run with several clients at once', () => {
  it('decides what one client can not show', async () => {
    const { rules } = await certify(createMemorySubject(), {
      ...few,
      concurrentRuns: 300,
      rules: ['SNAP-1', 'SNAP-2'],
    });
    expect(rules.map(({ rule, status }) => [rule, status])).toEqual([
      ['SNAP-1', 'pass'],
      ['SNAP-2', 'pass'],
    ]);
    expect(rules.every(({ witnesses, floor }) => witnesses > 5 * floor)).toBe(true);
  });

  it('leaves those rules undecided where it was not asked for', async () => {
    const { rules } = await certify(createMemorySubject(), { runs: 1, rules: ['SNAP-1'] });
    expect(rules).toMatchObject([{ rule: 'SNAP-1', status: 'not-run' }]);
  });

  it.each(['RACE-08', 'RACE-09', 'RACE-11'])('shows %s by few steps, again in 20 of 20 runs', async (id) => {
    const { subject } = raceMutants.find((mutant) => mutant.id === id)!;
    const saved = new Map<string, string>();
    const { rules } = await certify(subject(), {
      ...few,
      concurrentRuns: 200,
      rules: ['SNAP-2'],
      saveReplay: (name, text, kind = 'json') => {
        saved.set(kind, text);
        return `replay ${name}.${kind}`;
      },
    });
    const { counterexample, status } = rules[0]!;
    expect(status).toBe('fail');
    expect(counterexample?.reproduction).toEqual({ shown: 20, of: 20 });
    expect(counterexample?.steps).toBeLessThanOrEqual(6);
    expect(counterexample?.lanes?.length).toBe(counterexample?.trace.length);

    const { program } = parseReplay(saved.get('json')!, 'replay.json');
    const { shown, of } = await replayProgram(subject(), program, { rule: 'SNAP-2', times: 20 });
    expect([shown, of]).toEqual([20, 20]);

    const again = [...judgeHistoriesText(saved.get('jsonl')!, 'history.jsonl')][0]?.judged.find(
      ({ rule }) => rule === 'SNAP-2',
    );
    expect(again?.findings[0]).toEqual(counterexample?.finding);
  });
});
