import { describe, expect, it } from 'vitest';
import { sampleCostCertificate, sampleCurve } from '../suite/cost-certificate.sample.ts';
import { formatCostCertificates, parseCostCertificates } from './cost-json.ts';

const one = sampleCostCertificate([sampleCurve('visits', [51, 51])]);
const other = { ...one, subject: 'postgres' };

describe('cost certificates as JSON', () => {
  it('come back as they were written, one or several', () => {
    expect(parseCostCertificates(formatCostCertificates([one]), 'costs.json')).toEqual([one]);
    expect(parseCostCertificates(formatCostCertificates([one, other]), 'costs.json')).toEqual([one, other]);
  });

  it.each([
    ['', 'costs.json is empty'],
    ['{"format": "pagecheck-co', 'costs.json is not valid JSON'],
    ['[]', 'costs.json holds no certificate'],
    ['null', 'costs.json is no cost certificate'],
    ['{"format": "pagecheck-certificate", "version": 1}', 'costs.json is a certificate of rules, not of costs'],
    [JSON.stringify({ ...one, version: 2 }), 'costs.json has format version 2, and this pagecheck reads version 1'],
    [JSON.stringify({ ...one, curves: [{ ...one.curves[0], growth: 'fast' }] }), 'curves[0].growth should be one of'],
    [JSON.stringify({ ...one, sizes: ['many'] }), 'sizes[0] should be a whole number from 0 up'],
  ])('are refused where they are wrong: %s', (text, message) => {
    expect(() => parseCostCertificates(text, 'costs.json')).toThrow(
      expect.objectContaining({ status: 3, message: expect.stringContaining(message) }),
    );
  });
});
