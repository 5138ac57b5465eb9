import { describe, expect, it } from 'vitest';
import { sampleCertificate, sampleCounterexample, sampleResult } from '../suite/certificate.sample.ts';
import { renderFailure } from './failure.ts';
import { renderCertificate, renderCertificates } from './terminal.ts';

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1)!;
const violated = sampleResult('TOKEN-5', 'fail', { counterexample: sampleCounterexample });

describe('the failure text', () => {
  it('goes from the rule to the command that shows it again', () => {
    expect(renderFailure(violated, sampleCertificate([violated]))).toBe(
      [
        'TOKEN-5: a page never needs its boundary task',
        '  When the task at the boundary was updated, revoked or deleted meanwhile, the next page is still',
        "  the one that the boundary's key gives, with the token that follows from it, and nothing in it",
        '  tells which of these happened.',
        '  subject   memory, profile 0.6',
        '  program   5 steps, found with seed 42 in run 17',
        '    1  create A {id "a"}',
        '    2  create B {id "b|1"}',
        '    3  first w page size 1',
        '    4  replace B with the same contents',
        '    5  next w',
        '  saw       the page was empty',
        '  allowed   the page holds "a"',
        '  Let       "a" and "b|1" are created, "b|1" last',
        '            page 0 of w shows "b|1" and gives a token',
        '  Then      "b|1" is replaced',
        '  However   page 1 of w does not show "a", which was there throughout',
        '  replay: npm run -s pagecheck -- replay spec/regressions/token-5.json',
      ].join('\n'),
    );
  });

  it('adds the trace when verbose', () => {
    const text = renderFailure(violated, sampleCertificate([violated]), { verbose: true });
    expect(text).toContain('  trace\n    0 create "a" -> ok\n    1 create "b|1" -> ok\n');
  });

  it('says that the harness tampers with objects', () => {
    const counterexample = { ...sampleCounterexample, program: { ...sampleCounterexample.program, tamper: true } };
    const text = renderFailure({ ...violated, counterexample }, sampleCertificate([violated]));
    expect(text).toContain('    5  next w\n  harness   changes every object that it passed or got\n');
  });

  it('lets no text of the subject act on the terminal', () => {
    const finding = { ...sampleCounterexample.finding, saw: 'an error: \u001b[2J\u202egone' };
    const text = renderFailure(
      { ...violated, counterexample: { ...sampleCounterexample, finding } },
      sampleCertificate([]),
    );
    expect(text).toContain('an error: \\u{1b}[2J\\u{202e}gone');
  });

  it('gives the reason where there is no counterexample', () => {
    const bare = sampleResult('COST-4', 'fail', { level: 'S', reason: 'cost grows with depth' });
    const text = renderFailure(bare, sampleCertificate([bare]));
    expect(text.split('\n')[0]).toBe("COST-4 (should): an external store's page does not grow with depth");
    expect(lastLine(text)).toBe('  reason    cost grows with depth');
  });
});

describe('the certificate on a terminal', () => {
  const certificate = sampleCertificate(
    [
      sampleResult('TIME-1', 'pass', { witnesses: 12345 }),
      violated,
      sampleResult('WALK-6', 'fail', { level: 'S', reason: 'an empty page follows a full one' }),
      sampleResult('WALK-7', 'vacuous', { witnesses: 2 }),
      sampleResult('SNAP-1', 'not-run', { witnesses: 0, durationMs: 0, reason: 'needs a concurrent run' }),
      sampleResult('TIME-5', 'not-applicable', { witnesses: 0, durationMs: 0, reason: 'the clock cannot be set' }),
    ],
    {
      notes: ['the time budget ran out'],
      coverage: [
        { name: 'ties', count: 1, floor: 5 },
        { name: 'deletes', count: 9, floor: 5 },
      ],
    },
  );

  it('gives each rule a row with status, witnesses, time and title or reason', () => {
    const rows = renderCertificate(certificate).split('\n').slice(0, 11);
    expect(rows).toEqual([
      'memory: profile 0.6, seed 42, pagecheck 0.1.0',
      '',
      '  pass     TIME-1       12,345     12 ms  the storage assigns the time',
      '  FAIL     TOKEN-5          10     12 ms  a page never needs its boundary task',
      '  should   WALK-6           10     12 ms  an empty page follows a full one',
      '  vacuous  WALK-7          2/5     12 ms  an equal-time insert is seen below the boundary',
      '  not run  SNAP-1            0      0 ms  needs a concurrent run',
      '',
      '  not applicable',
      '    TIME-5',
      '      the clock cannot be set',
    ]);
  });

  it('shows failures in full, then notes and thin coverage, then the count', () => {
    const text = renderCertificate(certificate);
    const at = [
      'TOKEN-5: a page',
      'WALK-6 (should): page sizes',
      'note: the time budget ran out',
      'met ties: 1',
      '100 programs',
    ];
    const positions = at.map((part) => text.indexOf(part));
    expect(positions.every((position) => position > 0)).toBe(true);
    expect(positions).toEqual([...positions].sort((one, other) => one - other));
    expect(text).not.toContain('met deletes');
    expect(renderCertificate(certificate, { verbose: true })).toContain('met deletes: 9 (at least 5 wanted)');
  });

  it('ends with exactly the count, above it what a reader could miss', () => {
    expect(renderCertificate(certificate).split('\n').slice(-4)).toEqual([
      'undecided: 1, which is no pass',
      'should-rules violated: 1, which fails a run only with --strict',
      '1 passed, 1 failed, 4 skipped',
      '',
    ]);
    expect(lastLine(renderCertificate(certificate, { strict: true }))).toBe('1 passed, 2 failed, 3 skipped');
  });

  it('counts over all certificates once', () => {
    const text = renderCertificates([certificate, certificate]);
    expect(lastLine(text)).toBe('2 passed, 2 failed, 8 skipped');
    expect(text.match(/ passed, /g)).toHaveLength(1);
  });

  it('uses colours only when asked', () => {
    const start = '\u001b[';
    expect(renderCertificate(certificate)).not.toContain(start);
    const colored = renderCertificate(certificate, { color: true });
    expect(colored).toContain(`${start}32mpass    ${start}0m TIME-1`);
    expect(colored).toContain(`${start}31mFAIL    ${start}0m TOKEN-5`);
    expect(colored).toContain(`${start}33mshould  ${start}0m WALK-6`);
    expect(lastLine(colored)).toBe('1 passed, 1 failed, 4 skipped');
  });
});
