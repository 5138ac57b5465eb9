import { describe, expect, it } from 'vitest';
import { sampleCertificate, sampleCounterexample, sampleResult } from '../suite/certificate.sample.ts';
import type { RuleStatus } from '../suite/certificate.ts';
import { testOutcome } from './test-outcome.ts';

function outcomeOf(status: RuleStatus, changes = {}, strict = false) {
  return testOutcome('TOKEN-5', sampleCertificate([sampleResult('TOKEN-5', status, changes)]), strict);
}

const counterexample = sampleCounterexample;

describe('the test of a rule', () => {
  it('passes only where the rule was judged and held', () => {
    const statuses: RuleStatus[] = [
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
    expect(statuses.filter((status) => outcomeOf(status).kind === 'passed')).toEqual(['pass']);
  });

  it('fails with the counterexample where the rule is violated', () => {
    const outcome = outcomeOf('fail', { counterexample });
    expect(outcome.kind).toBe('failed');
    expect(outcome).toHaveProperty('text', expect.stringContaining(counterexample.finding.however));
    expect(outcome).toHaveProperty('text', expect.stringContaining(`replay: ${counterexample.replay}`));
  });

  it('skips a violated should-rule with what was seen, and fails it where strict', () => {
    const changes = { level: 'S', counterexample };
    expect(outcomeOf('fail', changes)).toEqual({
      kind: 'skipped',
      text: `should hold and does not: ${counterexample.finding.saw}`,
    });
    expect(outcomeOf('fail', changes, true).kind).toBe('failed');
  });

  it('fails a vacuous rule with its counts, also a should-rule', () => {
    const outcome = outcomeOf('vacuous', { level: 'S', witnesses: 2, floor: 5, reason: 'too few runs' });
    expect(outcome.kind).toBe('failed');
    expect(outcome).toHaveProperty('text', expect.stringContaining('2 times of 5; too few runs'));
  });

  it('fails a known failure that has become stale', () => {
    expect(outcomeOf('stale').kind).toBe('failed');
  });

  it('skips with the reason what does not apply', () => {
    expect(outcomeOf('not-applicable', { reason: 'no clock' })).toEqual({
      kind: 'skipped',
      text: 'not-applicable: no clock',
    });
  });

  it('fails a rule that the certificate does not know', () => {
    expect(testOutcome('WALK-1', sampleCertificate([sampleResult('TOKEN-5', 'pass')]), false).kind).toBe('failed');
  });
});
