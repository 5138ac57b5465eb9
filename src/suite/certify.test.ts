import { describe, expect, it } from 'vitest';
import { tokenMutants } from '../mutants/token.ts';
import { createMemorySubject } from '../subject/memory.ts';
import { defineSubject, type Subject } from '../subject/subject.ts';
import type { Certificate } from './certificate.ts';
import { certify } from './certify.ts';
import { parseReplay } from './replay-file.ts';

const quick = { runs: 90, timeBudgetMs: 600_000 };
const memory = createMemorySubject();
const faulty = tokenMutants.find(({ id }) => id === 'TOK-01')!.subject();
const statusOf = ({ rules }: Certificate, rule: string) => rules.find((one) => one.rule === rule)?.status;
const verdicts = ({ rules }: Certificate) => rules.map(({ durationMs: _, ...result }) => result);
const witnesses = (certificates: readonly Certificate[], rule: string) =>
  certificates.reduce((sum, { rules }) => sum + (rules.find((one) => one.rule === rule)?.witnesses ?? 0), 0);

describe('a certificate', () => {
  it('says the same of the same seed, counterexamples included', async () => {
    const [one, two] = [await certify(faulty, quick), await certify(faulty, quick)];
    expect(verdicts(one)).toEqual(verdicts(two));
    expect(one.coverage).toEqual(two.coverage);
    expect(statusOf(one, 'TOKEN-3')).toBe('fail');
  });

  it('runs other programs for another seed', async () => {
    const [one, two] = [await certify(memory, { ...quick, seed: 1 }), await certify(memory, { ...quick, seed: 2 })];
    expect(verdicts(one)).not.toEqual(verdicts(two));
  });

  it('passes nothing that could hardly have failed', async () => {
    const { rules } = await certify(memory, { runs: 2 });
    expect(rules.filter(({ status }) => status === 'vacuous').length).toBeGreaterThan(5);
    for (const { status, witnesses: met, floor } of rules) if (status === 'pass') expect(met >= floor).toBe(true);
    expect(rules.find(({ status }) => status === 'vacuous')?.reason).toMatch(/could have failed \d+ times/);
  });

  it('tells what was not run from what passed', async () => {
    expect(statusOf(await certify(memory, quick), 'SNAP-1')).toBe('not-run');
  });

  it('holds only the rules that were asked for', async () => {
    const { rules } = await certify(memory, { ...quick, rules: ['WALK-3', 'COUNT-1'] });
    expect(rules.map(({ rule }) => rule)).toEqual(['WALK-3', 'COUNT-1']);
  });

  it('is split by shards, which share no program and leave none out', async () => {
    const whole = await certify(memory, quick);
    const shards = [];
    for (const index of [0, 1, 2]) shards.push(await certify(memory, { ...quick, shard: { index, of: 3 } }));
    expect(shards.map(({ shard }) => shard?.index)).toEqual([0, 1, 2]);
    expect(shards.reduce((sum, one) => sum + one.operations, 0)).toBe(whole.operations);
    for (const rule of ['WALK-1', 'TOKEN-2', 'FILTER-1'])
      expect(witnesses(shards, rule)).toBe(witnesses([whole], rule));
  });

  it('keeps a counterexample that a file can show again', async () => {
    const saved = new Map<string, string>();
    const { rules } = await certify(faulty, {
      ...quick,
      rules: ['TOKEN-3'],
      saveReplay: (name, text) => {
        saved.set(name, text);
        return `replay ${name}`;
      },
    });
    const [name, text] = [...saved][0]!;
    expect(rules[0]?.counterexample).toMatchObject({ replay: `replay ${name}`, steps: 1 });
    expect(parseReplay(text, name)).toMatchObject({ rule: 'TOKEN-3', program: rules[0]?.counterexample?.program });
  });

  it('says so where it was ended early', async () => {
    const control = new AbortController();
    control.abort();
    const ended = await certify(memory, { signal: control.signal });
    expect(ended.notes).toEqual([expect.stringContaining('ended after')]);
    expect((await certify(memory, { timeBudgetMs: 1, runs: 100_000 })).notes[0]).toContain('--time-budget');
  });

  it('can be ended though the store never waits for anything', async () => {
    const control = new AbortController();
    setTimeout(() => control.abort(), 1);
    const ended = await certify(memory, { signal: control.signal, runs: 1e9, timeBudgetMs: 600_000 });
    expect(ended.notes).toEqual([expect.stringContaining('ended after')]);
  });
});

describe('a subject', () => {
  const counting = (change: Partial<Subject>) => {
    const calls = { start: 0, stop: 0 };
    const subject: Subject = {
      ...memory,
      start: async () => {
        calls.start++;
      },
      stop: async () => {
        calls.stop++;
      },
      ...change,
    };
    return { calls, subject };
  };

  it('is started and stopped once', async () => {
    const { calls, subject } = counting({});
    await certify(subject, { runs: 3 });
    expect(calls).toEqual({ start: 1, stop: 1 });
  });

  it('is stopped also where it can not be opened', async () => {
    const { calls, subject } = counting({ open: () => Promise.reject(new Error('refused')) });
    await expect(certify(subject)).rejects.toThrow('open failed: refused');
    expect(calls).toEqual({ start: 1, stop: 1 });
  });

  it('that does not answer ends the run, and is named', async () => {
    const hanging = defineSubject({
      name: 'hanging',
      open: async () => ({ create: async () => undefined, list: () => new Promise<never>(() => {}) }),
    });
    await expect(certify(hanging, { operationTimeoutMs: 30 })).rejects.toThrow('hanging: list gave no answer');
  });

  it('has every store that it opened closed', async () => {
    let open = 0;
    const closing: Subject = {
      ...memory,
      open: async () => {
        open++;
        const store = await memory.open();
        return {
          ...store,
          close: async () => {
            open--;
          },
        };
      },
    };
    await certify(closing, { runs: 5 });
    expect(open).toBe(0);
  });
});
