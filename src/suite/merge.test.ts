import { describe, expect, it } from 'vitest';
import { UsageError } from '../subject/usage-error.ts';
import { sampleCertificate, sampleCounterexample, sampleResult } from './certificate.sample.ts';
import type { Certificate, RuleResult, RuleStatus } from './certificate.ts';
import { mergeCertificates } from './merge.ts';

/** Merges one shard a result, each with a seed of its own, and gives the merged result. */
const merged = (...results: RuleResult[]): RuleResult =>
  mergeCertificates(results.map((result, seed) => sampleCertificate([result], { seed }))).rules[0]!;
const statusOf = (...statuses: RuleStatus[]): RuleStatus =>
  merged(...statuses.map((status) => sampleResult('TOKEN-5', status))).status;

const messageOf = (...shards: Certificate[]): string => {
  try {
    mergeCertificates(shards);
  } catch (error) {
    if (error instanceof UsageError && error.status === 3) return error.message;
    throw error;
  }
  throw new Error('they were merged');
};

describe('a rule over several shards', () => {
  it.each<[RuleStatus[], RuleStatus]>([
    [['pass', 'pass'], 'pass'],
    [['pass', 'fail', 'pass'], 'fail'],
    [['known', 'fail'], 'fail'],
    [['known', 'stale'], 'known'],
    [['stale', 'stale'], 'stale'],
    [['unknown', 'pass'], 'unknown'],
    [['unproved', 'pass'], 'unproved'],
    [['not-run', 'pass'], 'pass'],
    [['not-run', 'not-applicable'], 'not-run'],
    [['not-applicable', 'not-applicable'], 'not-applicable'],
  ])('that are %j is %s', (statuses, expected) => {
    expect(statusOf(...statuses)).toBe(expected);
    expect(statusOf(...[...statuses].reverse())).toBe(expected);
  });

  it('adds its witnesses and is vacuous no longer where they reach the floor', () => {
    const vacuous = (witnesses: number, floor = 5): RuleResult =>
      sampleResult('WALK-7', 'vacuous', { witnesses, floor, reason: 'too few' });
    expect(merged(vacuous(2), vacuous(3))).toEqual(sampleResult('WALK-7', 'pass', { witnesses: 5, durationMs: 24 }));
    expect(merged(vacuous(2), vacuous(2))).toMatchObject({ status: 'vacuous', witnesses: 4, reason: 'too few' });
    expect(merged(vacuous(3, 5), vacuous(3, 9))).toMatchObject({ status: 'vacuous', witnesses: 6, floor: 9 });
  });

  it('keeps a counterexample of a shard that failed', () => {
    const failing = sampleResult('TOKEN-5', 'fail', { counterexample: sampleCounterexample });
    expect(merged(sampleResult('TOKEN-5', 'pass'), failing).counterexample).toEqual(sampleCounterexample);
  });
});

describe('the merged certificate', () => {
  it('adds up what was run and says what it was merged from', () => {
    const rules = [sampleResult('TIME-1', 'pass')];
    const one = sampleCertificate(rules, {
      seed: 1,
      notes: ['slow'],
      coverage: [{ name: 'ties', count: 2, floor: 5 }],
    });
    const two = sampleCertificate(rules, {
      seed: 2,
      startedAt: '2026-01-02T03:04:04.000Z',
      notes: ['slow', 'late'],
      coverage: [
        { name: 'ties', count: 4, floor: 5 },
        { name: 'deletes', count: 1, floor: 1 },
      ],
    });
    expect(mergeCertificates([one, two])).toEqual({
      ...one,
      startedAt: '2026-01-02T03:04:04.000Z',
      durationMs: 2468,
      programs: 200,
      operations: 8642,
      pages: 1530,
      rules: [sampleResult('TIME-1', 'pass', { witnesses: 20, durationMs: 24 })],
      coverage: [
        { name: 'ties', count: 6, floor: 5 },
        { name: 'deletes', count: 1, floor: 1 },
      ],
      notes: ['merged from 2 shards: seed 1; seed 2', 'slow', 'late'],
    });
  });

  it('takes parts of one seed, and notes the part that is missing', () => {
    const part = (index: number): Certificate =>
      sampleCertificate([sampleResult('TIME-1', 'pass')], { seed: 7, shard: { index, of: 3 } });
    const whole = mergeCertificates([part(0), part(1), part(2)]);
    expect(whole.notes).toEqual(['merged from 3 shards: seed 7, shard 1/3; seed 7, shard 2/3; seed 7, shard 3/3']);
    expect(whole).not.toHaveProperty('shard');
    expect(mergeCertificates([part(0), part(2)]).notes).toContain('seed 7, shard 2/3 is missing');
  });

  it('is the shard itself where there is one', () => {
    const only = sampleCertificate([sampleResult('TIME-1', 'pass')]);
    expect(mergeCertificates([only])).toEqual(only);
  });
});

describe('shards that do not fit together', () => {
  const shard = (seed: number, changes: Partial<Certificate> = {}): Certificate =>
    sampleCertificate([sampleResult('TIME-1', 'pass')], { seed, ...changes });

  it('are told by the field in which they differ', () => {
    expect(messageOf(shard(1), shard(2, { subject: 'postgres' }))).toBe(
      'certificate 2 has subject "postgres", the first "memory": merge shards of one run only',
    );
    expect(messageOf(shard(1), shard(2), shard(3, { profile: 'a2a-1.0' }))).toContain(
      'certificate 3 has profile "a2a-1.0"',
    );
    expect(messageOf(shard(1), shard(2, { pagecheck: '0.2.0' }))).toContain('certificate 2 has pagecheck "0.2.0"');
  });

  it('are told by the rule that only one has, or has at another level', () => {
    const more = [sampleResult('TIME-1', 'pass'), sampleResult('TIME-2', 'pass')];
    const message = 'do not both judge TIME-2 at one level';
    expect(messageOf(shard(1), shard(2, { rules: more }))).toContain(message);
    expect(messageOf(shard(1, { rules: more }), shard(2))).toContain(message);
    const should = [sampleResult('TIME-1', 'pass', { level: 'S' })];
    expect(messageOf(shard(1), shard(2, { rules: should }))).toContain('do not both judge TIME-1 at one level');
  });

  it('are parts that may overlap', () => {
    const part = (index: number, of: number): Certificate => shard(1, { shard: { index, of } });
    expect(messageOf(part(0, 2), part(0, 2))).toContain(
      'has run programs of seed 1, shard 1/2 that certificate 1 has run',
    );
    expect(messageOf(part(0, 2), part(1, 3))).toContain('certificate 2 has run programs of seed 1, shard 2/3');
    expect(messageOf(part(0, 2), shard(1))).toContain('certificate 2 has run programs of seed 1 that');
  });

  it('are those that share a seed, and none at all', () => {
    expect(messageOf(shard(1), shard(2), shard(1))).toMatch(
      /^certificate 3 has run programs of seed 1 that certificate 1 has run: give each shard once/,
    );
    expect(messageOf()).toBe('merge got no certificate: give the files of the shards');
  });
});
