import { describe, expect, it } from 'vitest';
import subject from '../../examples/map-store.subject.ts';
import { ruleById } from '../../spec/contract.ts';
import { faultWrappers } from '../mutants/wrappers/index.ts';
import { createMemorySubject } from '../subject/memory.ts';
import { sampleCertificate, sampleResult } from './certificate.sample.ts';
import type { Proof } from './certificate.ts';
import { certify } from './certify.ts';
import { exitStatus } from './exit-status.ts';
import { mergeCertificates } from './merge.ts';
import { withProof } from './with-proof.ts';

const survivor: Proof = { wrapper: 'row-dropped', fault: 'a row is lost', rule: 'WALK-3', outcome: 'survived' };

describe('proving a run', () => {
  it('notices every fault that can be put around a store of the user', async () => {
    const { proof = [], rules } = await certify(subject, { runs: 1_200, prove: true, proveBudgetMs: 100_000 });
    expect(proof.filter(({ outcome }) => outcome === 'survived')).toEqual([]);
    expect(proof.length).toBeGreaterThanOrEqual(25);
    expect(rules.filter(({ status }) => status === 'unproved' || status === 'fail')).toEqual([]);
  }, 120_000);

  it('notices fewer where the budget is absurdly small, and passes none of their rules', async () => {
    const certificate = await certify(subject, { runs: 5, prove: true });
    const survived = (certificate.proof ?? []).filter(({ outcome }) => outcome === 'survived');
    expect(survived.length).toBeGreaterThan(0);
    const passed = certificate.rules.filter(({ status }) => status === 'pass').map(({ rule }) => rule);
    expect(survived.filter(({ rule }) => passed.includes(rule))).toEqual([]);
    expect(exitStatus(certificate, { prove: true })).toBe(2);
  });

  it('says of each survivor that its time was over, where it was', async () => {
    const { proof = [] } = await certify(createMemorySubject(), { runs: 40, prove: true, proveBudgetMs: 0 });
    const survived = proof.filter(({ outcome }) => outcome === 'survived');
    expect(survived.length).toBeGreaterThan(0);
    expect(survived.filter(({ reason }) => reason?.includes('the time for it ended') !== true)).toEqual([]);
  });

  it('tries no fault where it was not asked to', async () => {
    expect(await certify(createMemorySubject(), { runs: 1 })).not.toHaveProperty('proof');
  });
});

describe('what a proof means', () => {
  it('leaves a rule unproved that a fault broke unnoticed, and no other', () => {
    const results = [sampleResult('WALK-3', 'pass'), sampleResult('WALK-1', 'pass')];
    expect(withProof(results, [survivor]).map(({ status }) => status)).toEqual(['unproved', 'pass']);
  });

  it('changes nothing of a rule that is violated', () => {
    const failed = sampleResult('WALK-3', 'fail');
    expect(withProof([failed], [survivor])).toEqual([failed]);
  });

  it('is that of all shards together', () => {
    const rules = [sampleResult('WALK-3', 'unproved', { reason: 'a fault went unnoticed' })];
    const one = { ...sampleCertificate(rules), shard: { index: 0, of: 2 }, proof: [survivor] };
    const other = {
      ...sampleCertificate([sampleResult('WALK-3', 'pass')]),
      shard: { index: 1, of: 2 },
      proof: [{ ...survivor, outcome: 'killed' as const }],
    };
    expect(mergeCertificates([one, other]).rules[0]?.status).toBe('pass');
    expect(mergeCertificates([one, { ...other, proof: [survivor] }]).rules[0]?.status).toBe('unproved');
  });
});

describe('the faults', () => {
  it('have names of their own and break rules of the contract', () => {
    expect(new Set(faultWrappers.map(({ id }) => id)).size).toBe(faultWrappers.length);
    expect(faultWrappers.filter(({ rule }) => ruleById(rule) === undefined)).toEqual([]);
  });
});
