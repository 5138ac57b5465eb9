import { describe, expect, it } from 'vitest';
import { MAX_TIME_MICROS, MIN_TIME_MICROS } from '../task/clock.ts';
import { EARLIEST_TIMESTAMPTZ_MICROS, formatTimestamptz, readMicros } from './postgres-time.ts';

describe('a time as PostgreSQL reads it', () => {
  it.each([
    [0n, '1970-01-01 00:00:00.000000+00'],
    [-1n, '1969-12-31 23:59:59.999999+00'],
    [951_782_400_000_001n, '2000-02-29 00:00:00.000001+00'],
    [9_007_199_254_740_993n, '2255-06-05 23:47:34.740993+00'],
    [MAX_TIME_MICROS, '294247-01-10 04:00:54.775807+00'],
    [-62_135_596_800_000_000n, '0001-01-01 00:00:00.000000+00'],
    [-62_135_596_800_000_001n, '0001-12-31 23:59:59.999999+00 BC'],
    [EARLIEST_TIMESTAMPTZ_MICROS, '4714-11-24 00:00:00.000000+00 BC'],
  ])('spells %s exactly', (micros, text) => {
    expect(formatTimestamptz(micros)).toBe(text);
  });

  it('agrees with the Date of every 997th day that a Date spells', () => {
    for (let day = -719_162n; day < 2_932_897n; day += 997n) {
      const date = new Date(Number(day) * 86_400_000).toISOString().slice(0, 10);
      expect(formatTimestamptz(day * 86_400_000_000n)).toBe(`${date} 00:00:00.000000+00`);
    }
  });

  it('stands before every stored time where PostgreSQL has none so early', () => {
    expect(formatTimestamptz(EARLIEST_TIMESTAMPTZ_MICROS - 1n)).toBe('-infinity');
    expect(formatTimestamptz(MIN_TIME_MICROS)).toBe('-infinity');
  });

  it.each(['Infinity', '-Infinity', 'NaN', '', '1.5', '9223372036854775808'])('refuses to read %j', (text) => {
    expect(() => readMicros(text)).toThrow(expect.objectContaining({ code: 'internal' }));
  });
});
