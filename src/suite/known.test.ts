import { describe, expect, it } from 'vitest';
import { UsageError } from '../subject/usage-error.ts';
import { sampleCertificate, sampleCounterexample, sampleResult } from './certificate.sample.ts';
import { exitStatus } from './exit-status.ts';
import { applyKnown, type KnownFailures, parseKnown } from './known.ts';

const messageOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof UsageError && error.status === 3) return error.message;
    throw error;
  }
  throw new Error('it was taken');
};

const known = (...entries: KnownFailures['known']): KnownFailures => ({ version: 1, known: entries });
const failing = sampleResult('TOKEN-5', 'fail', { counterexample: sampleCounterexample });

describe('applying known failures', () => {
  it('turns a listed failure into a known one and keeps its counterexample', () => {
    const applied = applyKnown(
      sampleCertificate([sampleResult('TIME-1', 'pass'), failing]),
      known({ rule: 'TOKEN-5', reason: 'issue 7' }),
    );
    expect(applied.rules).toEqual([sampleResult('TIME-1', 'pass'), { ...failing, status: 'known', reason: 'issue 7' }]);
    expect(exitStatus(applied)).toBe(0);
  });

  it('turns a listed pass into a stale one, which fails the run', () => {
    const applied = applyKnown(
      sampleCertificate([sampleResult('TOKEN-5', 'pass')]),
      known({ rule: 'TOKEN-5', reason: 'issue 7' }),
    );
    expect(applied.rules[0]).toMatchObject({
      status: 'stale',
      reason: 'known as failing ("issue 7"), yet it passes: take it off the list',
    });
    expect(exitStatus(applied)).toBe(1);
  });

  it.each(['vacuous', 'unknown', 'unproved', 'not-run', 'not-applicable'] as const)(
    'leaves a rule that is %s',
    (status) => {
      const certificate = sampleCertificate([sampleResult('TOKEN-5', status)]);
      expect(applyKnown(certificate, known({ rule: 'TOKEN-5', reason: 'issue 7' }))).toEqual(certificate);
    },
  );

  it('holds an entry with a subject to that subject, before one for any', () => {
    const list = known({ rule: 'TOKEN-5', reason: 'any' }, { rule: 'TOKEN-5', subject: 'memory', reason: 'own' });
    const reasonIn = (subject: string): string | undefined =>
      applyKnown(sampleCertificate([failing], { subject }), list).rules[0]?.reason;
    expect(reasonIn('memory')).toBe('own');
    expect(reasonIn('postgres')).toBe('any');
    const elsewhere = known({ rule: 'TOKEN-5', subject: 'postgres', reason: 'own' });
    expect(applyKnown(sampleCertificate([failing]), elsewhere).rules).toEqual([failing]);
  });

  it('refuses a rule that the contract does not have', () => {
    expect(messageOf(() => applyKnown(sampleCertificate([]), known({ rule: 'TOKEN-99', reason: 'x' })))).toBe(
      'the known failure of "TOKEN-99" names no rule of the contract: see "pagecheck rules"',
    );
  });
});

describe('the file of known failures', () => {
  it('is read as it is written', () => {
    const list = known(
      { rule: 'TOKEN-5', subject: 'mine', reason: 'issue 7' },
      { rule: 'TOKEN-5', reason: 'all others' },
    );
    expect(parseKnown(JSON.stringify(list))).toEqual(list);
    expect(parseKnown('{"version":1,"known":[]}')).toEqual(known());
  });

  it.each([
    ['', 'k.json is empty: write '],
    ['{', 'k.json is not valid JSON'],
    ['[]', 'k.json is malformed, the whole should be an object, not a list: write '],
    ['{"known":[]}', 'k.json is malformed, version should be 1, not absent: '],
    ['{"version":2,"known":[]}', 'k.json is malformed, version should be 1, not 2: '],
    ['{"version":1}', 'k.json is malformed, known should be a list, not absent: '],
    [
      '{"version":1,"known":[{"rule":"TOKEN-5"}]}',
      'k.json is malformed, known[0].reason should be a text that says something, not absent',
    ],
    [
      '{"version":1,"known":[{"rule":"TOKEN-5","reason":" "}]}',
      'known[0].reason should be a text that says something, not " "',
    ],
    [
      '{"version":1,"known":[{"rule":"TOKEN-9","reason":"x"}]}',
      'k.json: known[0].rule names "TOKEN-9", which is no rule of the contract: see',
    ],
    [
      '{"version":1,"known":[{"rule":"TIME-1","reason":"x"},{"rule":"TIME-1","reason":"y"}]}',
      'k.json: known[1] repeats known[0]: keep one entry',
    ],
  ])('is refused with the place and the remedy: %s', (text, message) => {
    expect(messageOf(() => parseKnown(text, 'k.json'))).toContain(message);
  });
});
