import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInstant } from './instant.ts';

describe('a timestamp', () => {
  it.each([
    ['1970-01-01T00:00:00Z', 0n],
    ['1970-01-01T00:00:00.000000001Z', 1n],
    ['1970-01-01T00:00:00.5Z', 500_000_000n],
    ['1970-01-01T01:00:00+01:00', 0n],
    ['1969-12-31T23:00:00-01:00', 0n],
    ['1970-01-01T01:00:00+0100', 0n],
    ['1970-01-01t00:00:00z', 0n],
    ['1969-12-31T23:59:59.999999Z', -1_000n],
    ['2001-01-02T03:04:05.678901Z', 978_404_645_678_901_000n],
  ])('%s is an exact instant', (text, nanos) => {
    expect(parseInstant(text)).toBe(nanos);
  });

  it.each(['', 'now', '2001-01-01', '2001-01-01T00:00:00', '2001-13-01T00:00:00Z', '2001-01-01T00:00:00.Z', ' 2001'])(
    '%j is none',
    (text) => {
      expect(parseInstant(text)).toBeUndefined();
    },
  );

  it('means what Date means, as far as Date can say it', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') }), (date) => {
        expect(parseInstant(date.toISOString())).toBe(BigInt(date.getTime()) * 1_000_000n);
      }),
    );
  });
});
