import { describe, expect, it } from 'vitest';
import { sampleCertificate, sampleResult } from './certificate.sample.ts';
import type { RuleStatus } from './certificate.ts';
import { countStandings, exitStatus, type Strictness } from './exit-status.ts';

const statusOf = (status: RuleStatus, strictness: Strictness = {}, level: 'M' | 'S' = 'M'): number =>
  exitStatus(
    sampleCertificate([sampleResult('TIME-1', 'pass'), sampleResult('TIME-2', status, { level })]),
    strictness,
  );

describe('the exit status', () => {
  it.each([
    ['pass', 0],
    ['fail', 1],
    ['stale', 1],
    ['known', 0],
    ['vacuous', 2],
    ['unknown', 2],
    ['unproved', 0],
    ['not-applicable', 0],
    ['not-run', 0],
  ] as const)('of a run with a rule that is %s is %i', (status, expected) => {
    expect(statusOf(status)).toBe(expected);
  });

  it('counts a violated should-rule only under strict', () => {
    expect(statusOf('fail', {}, 'S')).toBe(0);
    expect(statusOf('fail', { strict: true }, 'S')).toBe(1);
  });

  it('takes a stale should-rule and a vacuous one as seriously as a must-rule', () => {
    expect(statusOf('stale', {}, 'S')).toBe(1);
    expect(statusOf('vacuous', {}, 'S')).toBe(2);
  });

  it('is 2 for an unproved rule where proof was asked for', () => {
    expect(statusOf('unproved', { prove: true })).toBe(2);
  });

  it('prefers the violation to what is undecided, over all certificates', () => {
    const undecided = sampleCertificate([sampleResult('TIME-1', 'unknown')]);
    const violated = sampleCertificate([sampleResult('TIME-1', 'fail')]);
    const good = sampleCertificate([sampleResult('TIME-1', 'pass')]);
    expect(exitStatus([good, undecided])).toBe(2);
    expect(exitStatus([undecided, violated, good])).toBe(1);
    expect(exitStatus([good, good])).toBe(0);
  });

  it('is not 0 where no rule was judged', () => {
    expect(exitStatus([])).toBe(2);
    expect(
      exitStatus(sampleCertificate([sampleResult('TIME-1', 'not-applicable'), sampleResult('SNAP-1', 'not-run')])),
    ).toBe(2);
    expect(exitStatus(sampleCertificate([sampleResult('TOKEN-5', 'known')]))).toBe(0);
  });
});

describe('the counts', () => {
  it('put every rule into exactly one place', () => {
    const statuses: readonly RuleStatus[] = [
      'pass',
      'fail',
      'known',
      'stale',
      'vacuous',
      'unknown',
      'unproved',
      'not-applicable',
      'not-run',
    ];
    const certificate = sampleCertificate(statuses.map((status, at) => sampleResult(`TIME-${at}`, status)));
    expect(countStandings([certificate])).toEqual({ passed: 1, failed: 2, undecided: 2, skipped: 4 });
    expect(countStandings([certificate, certificate], { prove: true })).toEqual({
      passed: 2,
      failed: 4,
      undecided: 6,
      skipped: 6,
    });
  });
});
