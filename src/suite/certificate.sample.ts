/** Certificates for the tests of what reads them. */
import type { Certificate, Counterexample, RuleResult, RuleStatus } from './certificate.ts';

/** A result of a must-rule with 10 witnesses over a floor of 5, and whatever is said otherwise. */
export function sampleResult(rule: string, status: RuleStatus, changes: Partial<RuleResult> = {}): RuleResult {
  return { rule, level: 'M', status, witnesses: 10, floor: 5, durationMs: 12, ...changes };
}

/** A counterexample of TOKEN-5: the boundary task is updated and the rest of the walk is lost. */
export const sampleCounterexample: Counterexample = {
  finding: {
    rule: 'TOKEN-5',
    entries: [2, 3, 4],
    saw: 'the page was empty',
    allowed: 'the page holds "a"',
    let: ['"a" and "b|1" are created, "b|1" last', 'page 0 of w shows "b|1" and gives a token'],
    then: ['"b|1" is replaced'],
    however: 'page 1 of w does not show "a", which was there throughout',
  },
  program: {
    version: 1,
    scenario: 'boundary-update',
    tasks: { A: 'a', B: 'b|1' },
    clients: [
      [
        { op: 'create', task: 'A' },
        { op: 'create', task: 'B' },
        { op: 'first', walk: 'w', pageSize: 1 },
        { op: 'replace', task: 'B' },
        { op: 'next', walk: 'w' },
      ],
    ],
  },
  trace: [
    '0 create "a" -> ok',
    '1 create "b|1" -> ok',
    '2 list size 1 -> "b|1" token',
    '3 replace "b|1" -> ok',
    '4 list -> empty',
  ],
  steps: 5,
  seed: 42,
  run: 17,
  replay: 'npm run -s pagecheck -- replay spec/regressions/token-5.json',
};

/** A certificate of one subject with these results. */
export function sampleCertificate(rules: readonly RuleResult[], changes: Partial<Certificate> = {}): Certificate {
  return {
    format: 'pagecheck-certificate',
    version: 1,
    pagecheck: '0.1.0',
    subject: 'memory',
    profile: '0.6',
    seed: 42,
    startedAt: '2026-01-02T03:04:05.678Z',
    durationMs: 1234,
    environment: { node: 'v20.20.0', platform: 'linux x64' },
    programs: 100,
    operations: 4321,
    pages: 765,
    rules,
    coverage: [{ name: 'tie-across-boundary', count: 12, floor: 5 }],
    notes: [],
    ...changes,
  };
}
