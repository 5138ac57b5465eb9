import { describe, expect, it } from 'vitest';
import { sampleCertificate, sampleCounterexample, sampleResult } from '../suite/certificate.sample.ts';
import { renderJUnit } from './junit.ts';
import { escapeXml } from './xml.ts';

const certificate = sampleCertificate([
  sampleResult('TIME-1', 'pass'),
  sampleResult('TOKEN-5', 'fail', { counterexample: sampleCounterexample }),
  sampleResult('WALK-6', 'fail', { level: 'S', reason: 'an empty page & more' }),
  sampleResult('WALK-7', 'vacuous', { witnesses: 2 }),
  sampleResult('TOKEN-3', 'known', { reason: 'numbers, until 2.0' }),
  sampleResult('TOKEN-4', 'stale', { reason: 'listed, yet it passes' }),
  sampleResult('TIME-5', 'not-applicable', { reason: 'the clock cannot be set' }),
]);

/** The test case of a rule, from its start to the next one's. */
const caseOf = (xml: string, rule: string): string =>
  xml
    .split(/(?=<testcase |<\/testsuite>)/)
    .find((part) => part.includes(`name="${rule}`))!
    .trimEnd();

describe('JUnit XML', () => {
  const xml = renderJUnit([certificate]);

  it('counts in the suite what is in its cases', () => {
    const counts = 'tests="7" failures="2" errors="1" skipped="3" time="1.234"';
    expect(xml).toContain(`<testsuites name="pagecheck" ${counts}>`);
    expect(xml).toContain(`<testsuite name="memory (0.6)" timestamp="2026-01-02T03:04:05.678Z" ${counts}>`);
    expect(xml.match(/<testcase /g)).toHaveLength(7);
    expect(xml.match(/<failure /g)).toHaveLength(2);
    expect(xml.match(/<error /g)).toHaveLength(1);
    expect(xml.match(/<skipped /g)).toHaveLength(3);
  });

  it('closes every element that it opens', () => {
    const open: string[] = [];
    for (const [, closing, name, empty] of xml.matchAll(/<(\/?)([a-z-]+)(?:\s[^<>]*?)?(\/?)>/g)) {
      if (closing === '/') expect(open.pop()).toBe(name);
      else if (empty !== '/') open.push(name!);
    }
    expect(open).toEqual([]);
  });

  it('leaves a passed rule empty', () => {
    expect(caseOf(xml, 'TIME-1')).toBe(
      '<testcase classname="pagecheck.memory" name="TIME-1: the storage assigns the time" time="0.012"/>',
    );
  });

  it('gives a violated rule the whole failure text, escaped', () => {
    const violated = caseOf(xml, 'TOKEN-5');
    expect(violated).toContain('<failure type="fail" message="the page was empty">TOKEN-5: a page never needs');
    expect(violated).toContain('\n    2  create B {id &quot;b|1&quot;}\n');
    expect(violated).toContain(
      'replay: npm run -s pagecheck -- replay spec/regressions/token-5.json</failure></testcase>',
    );
  });

  it('skips a violated should-rule with its text, and fails it when strict', () => {
    expect(caseOf(xml, 'WALK-6')).toContain('<skipped message="should: an empty page &amp; more"/><system-out>WALK-6');
    expect(caseOf(renderJUnit([certificate], { strict: true }), 'WALK-6')).toContain('<failure type="fail"');
  });

  it('tells undecided, known, stale and not applicable apart', () => {
    expect(caseOf(xml, 'WALK-7')).toContain(
      '<error type="vacuous" message="vacuous">could have failed 2 times; at least 5 are wanted</error>',
    );
    expect(caseOf(xml, 'TOKEN-3')).toContain('<skipped message="known: numbers, until 2.0"/><system-out>');
    expect(caseOf(xml, 'TOKEN-4')).toContain('<failure type="stale" message="STALE: listed, yet it passes">');
    expect(caseOf(xml, 'TIME-5')).toContain('<skipped message="n/a: the clock cannot be set"/></testcase>');
  });
});

describe('XML escaping', () => {
  it('keeps what XML can hold and shows what it cannot', () => {
    expect(escapeXml('a<b>&"c"')).toBe('a&lt;b&gt;&amp;&quot;c&quot;');
    expect(escapeXml('x\0y\u001bz\u0085')).toBe('x\\u{0}y\\u{1b}z\\u{85}');
    expect(escapeXml('\ud800 \uffff \u{1f600}é')).toBe('\\u{d800} \\u{ffff} \u{1f600}é');
    expect(escapeXml('1\n2\t3\r')).toBe('1&#10;2&#9;3&#13;');
  });

  it('leaves no character that a parser refuses, whatever the subject said', () => {
    const every = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).join(' ');
    const finding = { ...sampleCounterexample.finding, saw: every, however: every };
    const counterexample = { ...sampleCounterexample, finding };
    const xml = renderJUnit([
      sampleCertificate([sampleResult('TOKEN-5', 'fail', { counterexample })], { subject: 'a"<\0>' }),
    ]);
    expect(xml).not.toMatch(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u);
    expect(xml).toContain('classname="pagecheck.a&quot;&lt;\\u{0}&gt;"');
  });
});
