import { describe, expect, it } from 'vitest';
import { sampleCertificate, sampleCounterexample, sampleResult } from '../suite/certificate.sample.ts';
import { diffCertificates } from '../suite/diff.ts';
import { renderDiff } from './diff-text.ts';

describe('the text of a comparison', () => {
  it('shows what is broken with its counterexample, the rest by a line, and counts', () => {
    const older = sampleCertificate(
      ['TIME-1', 'TOKEN-5', 'WALK-3'].map((rule) => sampleResult(rule, rule === 'WALK-3' ? 'fail' : 'pass')),
      { subject: 'sdk-1.0.1' },
    );
    const newer = sampleCertificate(
      [
        sampleResult('TIME-1', 'pass'),
        sampleResult('TOKEN-5', 'fail', { counterexample: sampleCounterexample }),
        sampleResult('WALK-3', 'pass'),
        sampleResult('WALK-6', 'vacuous', { level: 'S' }),
        sampleResult('STORE-2', 'fail', { level: 'S' }),
      ],
      { subject: 'sdk-1.3.0', seed: 43 },
    );
    expect(renderDiff(diffCertificates(older, newer))).toBe(
      [
        'sdk-1.0.1 (seed 42, pagecheck 0.1.0) -> sdk-1.3.0 (seed 43, pagecheck 0.1.0), profile 0.6',
        '',
        'broken: held before, violated now',
        '  TOKEN-5   pass -> fail  a page never needs its boundary task',
        '      1  create A {id "a"}',
        '      2  create B {id "b|1"}',
        '      3  first w page size 1',
        '      4  replace B with the same contents',
        '      5  next w',
        '      saw the page was empty; allowed: the page holds "a"',
        '      replay: npm run -s pagecheck -- replay spec/regressions/token-5.json',
        '',
        'mended: violated before, holds now',
        '  WALK-3    fail -> pass  a stable task appears exactly once',
        '',
        'newly judged',
        "  STORE-2   absent -> fail (should)  stored tasks are out of the caller's reach",
        '',
        'this is a regression',
        '1 broken, 1 mended, 0 still failing, 2 left, 1 newly judged, 0 no longer judged',
        '',
      ].join('\n'),
    );
  });
});
