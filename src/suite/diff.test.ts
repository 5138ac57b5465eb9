import { describe, expect, it } from 'vitest';
import { UsageError } from '../subject/usage-error.ts';
import { sampleCertificate, sampleCounterexample, sampleResult } from './certificate.sample.ts';
import type { Certificate, RuleStatus } from './certificate.ts';
import { diffCertificates } from './diff.ts';

const one = (status: RuleStatus, level: 'M' | 'S' = 'M'): Certificate =>
  sampleCertificate([sampleResult('TOKEN-5', status, { level })]);

const changeBetween = (before: RuleStatus, after: RuleStatus): string =>
  diffCertificates(one(before), one(after)).changes[0]!.change;

describe('the change of a rule', () => {
  it.each([
    ['pass', 'fail', 'broken'],
    ['pass', 'known', 'broken'],
    ['stale', 'fail', 'broken'],
    ['fail', 'pass', 'mended'],
    ['known', 'stale', 'mended'],
    ['fail', 'fail', 'still-failing'],
    ['known', 'fail', 'still-failing'],
    ['pass', 'pass', 'left'],
    ['pass', 'stale', 'left'],
    ['vacuous', 'unknown', 'left'],
    ['not-run', 'pass', 'newly-judged'],
    ['vacuous', 'fail', 'newly-judged'],
    ['pass', 'vacuous', 'no-longer-judged'],
    ['fail', 'not-applicable', 'no-longer-judged'],
  ] as const)('from %s to %s is: %s', (before, after, change) => {
    expect(changeBetween(before, after)).toBe(change);
  });

  it('carries the new counterexample where it was not violated before, and only there', () => {
    const violated = sampleCertificate([sampleResult('TOKEN-5', 'fail', { counterexample: sampleCounterexample })]);
    expect(diffCertificates(one('pass'), violated).changes[0]?.counterexample).toBe(sampleCounterexample);
    expect(diffCertificates(one('vacuous'), violated).changes[0]?.counterexample).toBe(sampleCounterexample);
    expect(diffCertificates(one('fail'), violated).changes[0]).not.toHaveProperty('counterexample');
  });

  it('takes a rule that one side lacks as not decided there', () => {
    const older = sampleCertificate([sampleResult('TIME-1', 'pass'), sampleResult('TIME-2', 'pass')]);
    const newer = sampleCertificate([sampleResult('TIME-3', 'pass'), sampleResult('TIME-2', 'pass')]);
    expect(diffCertificates(older, newer).changes).toEqual([
      { rule: 'TIME-3', level: 'M', change: 'newly-judged', before: 'absent', after: 'pass' },
      { rule: 'TIME-2', level: 'M', change: 'left', before: 'pass', after: 'pass' },
      { rule: 'TIME-1', level: 'M', change: 'no-longer-judged', before: 'pass', after: 'absent' },
    ]);
  });
});

describe('a regression', () => {
  it('is something broken and nothing less', () => {
    const regressed = (before: RuleStatus, after: RuleStatus): boolean =>
      diffCertificates(one(before), one(after)).regression;
    expect(regressed('pass', 'fail')).toBe(true);
    expect(regressed('fail', 'fail')).toBe(false);
    expect(regressed('vacuous', 'fail')).toBe(false);
    expect(regressed('pass', 'vacuous')).toBe(false);
  });

  it('is a broken should-rule only under strict', () => {
    expect(diffCertificates(one('pass', 'S'), one('fail', 'S')).regression).toBe(false);
    expect(diffCertificates(one('pass', 'S'), one('fail', 'S'), { strict: true }).regression).toBe(true);
  });
});

describe('certificates that cannot be compared', () => {
  const messageOf = (older: Certificate, newer: Certificate): string => {
    try {
      diffCertificates(older, newer);
    } catch (error) {
      if (error instanceof UsageError && error.status === 3) return error.message;
      throw error;
    }
    throw new Error('they were compared');
  };

  it('are those of different profiles', () => {
    expect(messageOf(one('pass'), { ...one('pass'), profile: 'a2a-1.0' })).toBe(
      'the newer certificate is judged by profile a2a-1.0, the older by 0.6: certify both by one profile',
    );
  });

  it('are those of another format version', () => {
    const later = { ...one('pass'), version: 2 } as unknown as Certificate;
    expect(messageOf(later, one('pass'))).toBe(
      'the older certificate has format "pagecheck-certificate" version 2, and this pagecheck compares version 1: ' +
        'certify both with one pagecheck',
    );
    expect(messageOf(one('pass'), later)).toMatch(/^the newer certificate has format/);
  });
});
