import { describe, expect, test } from 'vitest';
import { compareInstants, formatMicros, parseInstant } from './instant.ts';

describe('instants', () => {
  test('agree with Date on whole milliseconds', () => {
    const texts = [
      '1970-01-01T00:00:00Z',
      '2024-02-29T23:59:59.123Z',
      '1969-12-31T23:59:59.999Z',
      '9999-12-31T00:00:00Z',
    ];
    for (const text of [...texts, '2000-02-29T12:00:00+05:30', '2023-03-01T00:10:00-00:45', '0050-06-07T08:09:10Z']) {
      const instant = parseInstant(text)!;
      expect(instant.seconds * 1000 + instant.nanos / 1e6, text).toBe(Date.parse(text));
    }
  });

  test('keep nanoseconds, and mean the same moment whatever the spelling', () => {
    const same = ['2025-01-01T00:00:00.5Z', '2025-01-01t00:00:00.500000000z', '2024-12-31T23:00:00.5-01:00'];
    for (const text of same) expect(parseInstant(text)).toEqual(parseInstant(same[0]!));
    const earlier = parseInstant('2025-01-01T00:00:00.499999999Z')!;
    expect(compareInstants(earlier, parseInstant(same[0]!)!)).toBeLessThan(0);
    expect(compareInstants(parseInstant('2025-01-01T00:00:01Z')!, earlier)).toBeGreaterThan(0);
  });

  test.each([
    '',
    'yesterday',
    '2025-01-01',
    '2025-01-01T00:00:00',
    '2025-01-01 00:00:00Z',
    '2025-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2025-00-01T00:00:00Z',
    '2025-13-01T00:00:00Z',
    '2025-01-01T24:00:00Z',
    '2025-01-01T00:60:00Z',
    '2025-01-01T00:00:60Z',
    '2025-01-01T00:00:00.Z',
    '2025-01-01T00:00:00.1234567890Z',
    '2025-01-01T00:00:00+24:00',
    '2025-01-01T00:00:00+0100',
    '2025-01-01T00:00:00Z\n',
  ])('are not read from %j', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  test('are written with six digits, and at the ends of the calendar where they lie beyond', () => {
    expect(formatMicros(1_700_000_000_000_001n)).toBe('2023-11-14T22:13:20.000001Z');
    expect(formatMicros(-1n)).toBe('1969-12-31T23:59:59.999999Z');
    expect(formatMicros(2n ** 63n - 1n)).toBe('9999-12-31T23:59:59.999999Z');
    expect(formatMicros(-(2n ** 63n))).toBe('0001-01-01T00:00:00.000000Z');
  });
});
