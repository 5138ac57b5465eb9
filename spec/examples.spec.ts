import { describe, expect, it } from 'vitest';
import released from '../examples/a2a-js-memory.ts';
import { createLegacySubject } from '../src/subject/legacy.ts';
import type { RuleResult } from '../src/suite/certificate.ts';
import { certify } from '../src/suite/certify.ts';
import { exitStatus } from '../src/suite/exit-status.ts';
import { replayProgram } from '../src/suite/replay.ts';

const violated = (rules: readonly RuleResult[]) => rules.filter(({ status }) => status === 'fail');

describe("the released SDK's in-memory store under profile a2a-1.0", () => {
  it.each(['TOKEN-5', 'WALK-3'])('breaks %s in 8 steps at most, and does so again when replayed', async (rule) => {
    const { rules } = await certify(released, { profile: 'a2a-1.0', rules: [rule], runs: 600 });
    const [result] = violated(rules);
    expect(result?.rule).toBe(rule);
    expect(result?.counterexample?.steps).toBeLessThanOrEqual(8);
    const program = result!.counterexample!.program;
    const { findings } = await replayProgram(released, program, { profile: 'a2a-1.0', rule });
    expect(findings.map((finding) => finding.rule)).toContain(rule);
  });
});

describe('the store of the older release', () => {
  it('passes profile 0.5.2', async () => {
    const certificate = await certify(createLegacySubject(), { profile: '0.5.2', runs: 1_000 });
    expect(violated(certificate.rules)).toEqual([]);
    expect(exitStatus(certificate)).toBe(0);
  });

  it('breaks profile 0.6 in its tokens and in its order', async () => {
    const { rules } = await certify(createLegacySubject(), { runs: 300 });
    expect(violated(rules).map(({ rule }) => rule)).toEqual(expect.arrayContaining(['TOKEN-3', 'ORDER-1']));
  });
});
