import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../subject/usage-error.ts';
import { sampleCertificate, sampleCounterexample, sampleResult } from '../suite/certificate.sample.ts';
import { certificateSchema } from '../suite/certificate-shape.ts';
import { formatCertificate, formatCertificates, parseCertificate, parseCertificates } from './json.ts';

const certificate = sampleCertificate([
  sampleResult('TIME-1', 'pass'),
  sampleResult('TOKEN-5', 'fail', { counterexample: sampleCounterexample }),
  sampleResult('TIME-5', 'not-applicable', { reason: 'the clock cannot be set' }),
]);

const messageOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof UsageError && error.status === 3) return error.message;
    throw error;
  }
  throw new Error('it was taken');
};

type Json = { [field: string]: Json } & Json[];

/** Parses the certificate after a change to its plain JSON. */
const changed = (change: (json: Json) => void): string => {
  const json = JSON.parse(formatCertificate(certificate)) as Json;
  change(json);
  return messageOf(() => parseCertificate(JSON.stringify(json), 'run.json'));
};
const remedy = ': give a file that "certify --json" wrote';

describe('a certificate as JSON', () => {
  it('comes back as it went', () => {
    expect(parseCertificate(formatCertificate(certificate))).toEqual(certificate);
    expect(formatCertificate(certificate).endsWith('}\n')).toBe(true);
  });

  it('comes back from a file of one and of several', () => {
    expect(parseCertificates(formatCertificates([certificate]))).toEqual([certificate]);
    const other = { ...certificate, subject: 'postgres' };
    expect(parseCertificates(formatCertificates([certificate, other]))).toEqual([certificate, other]);
    expect(messageOf(() => parseCertificates('[]', 'run.json'))).toBe(`run.json holds no certificate${remedy}`);
  });

  it('keeps fields that a later version added', () => {
    const later = JSON.stringify({ ...certificate, host: 'ci-7' });
    expect(parseCertificate(later)).toEqual({ ...certificate, host: 'ci-7' });
  });

  it('says where a text is no JSON', () => {
    expect(messageOf(() => parseCertificate('{"format":\n  oops}', 'run.json'))).toMatch(
      /^run\.json is not valid JSON( at line 2, column 3)?: give a file/,
    );
    expect(messageOf(() => parseCertificate(' \n', 'run.json'))).toBe(`run.json is empty${remedy}`);
  });

  it.each(['null', '3', '"x"', '{}', '{"format":"junit"}', '[]'])('refuses %s as no certificate', (text) => {
    expect(messageOf(() => parseCertificate(text, 'run.json'))).toBe(`run.json is no certificate${remedy}`);
  });

  it('refuses a later format version with what to do', () => {
    expect(changed((json) => Object.assign(json, { version: 2 }))).toBe(
      'run.json has format version 2, and this pagecheck reads version 1: ' +
        'use the pagecheck that wrote it, or run "certify --json" again',
    );
  });

  it.each<[string, (json: Json) => unknown]>([
    ['subject should be a text that says something, not absent', (json) => Reflect.deleteProperty(json, 'subject')],
    ['profile should be one of 0.6, 0.5.2, a2a-1.0, not "0.7"', (json) => Object.assign(json, { profile: '0.7' })],
    ['seed should be a whole number, not "42"', (json) => Object.assign(json, { seed: '42' })],
    ['startedAt should be an ISO 8601 instant, not "noon"', (json) => Object.assign(json, { startedAt: 'noon' })],
    ['environment should be an object, not a list', (json) => Object.assign(json, { environment: [] })],
    ['rules should be a list, not an object', (json) => Object.assign(json, { rules: {} })],
    [
      'rules[0].witnesses should be a whole number from 0 up, not -1',
      (json) => Object.assign(json.rules![0]!, { witnesses: -1 }),
    ],
    ['rules[2].reason should be a text, not null', (json) => Object.assign(json.rules![2]!, { reason: null })],
    ['rules[1].rule names "TIME-1" a second time', (json) => Object.assign(json.rules![1]!, { rule: 'TIME-1' })],
    [
      'rules[1].counterexample.program.clients[0][2].op should be a known name, not "fly"',
      (json) => Object.assign(json.rules![1]!.counterexample!.program!.clients![0]![2]!, { op: 'fly' }),
    ],
    [
      'rules[1].counterexample.program.tasks["A"] should be a text, not 7',
      (json) => Object.assign(json.rules![1]!.counterexample!.program!.tasks!, { A: 7 }),
    ],
  ])('names the field: %s', (problem, change) => {
    expect(changed(change)).toBe(`run.json is malformed, ${problem}${remedy}`);
  });

  it('answers any damage with a usage error or a certificate, never with another error', () => {
    const text = formatCertificate(certificate);
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(40), fc.string({ maxLength: 5 }), (at, cut, put) => {
        const damaged = text.slice(0, at) + put + text.slice(at + cut);
        try {
          parseCertificate(damaged);
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
        }
      }),
      { numRuns: 500, seed: 7 },
    );
  });
});

describe('the JSON Schema', () => {
  it('is committed as it is generated; `npm run -s rules-table` writes it', () => {
    const path = new URL('../../spec/certificate.schema.json', import.meta.url);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(certificateSchema);
  });

  it('requires every field of the certificate but the optional ones', () => {
    expect(certificateSchema.required).toEqual(Object.keys(certificate));
  });
});
