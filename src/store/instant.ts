/** RFC 3339 timestamps as instants, to the nanosecond: JavaScript's Date keeps milliseconds only. */

/** An instant: whole seconds since the Unix epoch, and nanoseconds within that second (0 to 999,999,999). */
export interface Instant {
  readonly seconds: number;
  readonly nanos: number;
}

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Reads an RFC 3339 timestamp: any offset, up to nine fraction digits. Undefined for anything else, dates that do not
 * exist and leap seconds included (protobuf's Timestamp has no leap seconds either).
 */
export function parseInstant(text: string): Instant | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const offsetHours = Number(match[9] ?? 0);
  const offsetMinutes = Number(match[10] ?? 0);
  if (offsetHours > 23 || offsetMinutes > 59) return undefined;
  const offset = (offsetHours * 60 + offsetMinutes) * (match[8] === '-' ? -60 : 60);
  // `Date.UTC` takes years below 100 for 19xx: ask it for a year 400 years on, since the calendar repeats then.
  const seconds = Date.UTC(year + 400, month - 1, day, hour, minute, second) / 1000 - SECONDS_IN_400_YEARS;
  return { seconds: seconds - offset, nanos: Number((match[7] ?? '').padEnd(9, '0')) };
}

/** Compares two instants: negative where `a` is the earlier. */
export function compareInstants(a: Instant, b: Instant): number {
  return a.seconds - b.seconds || a.nanos - b.nanos;
}

/**
 * Writes a store's time as an RFC 3339 timestamp with six fraction digits. A time outside the years 1 to 9999, which
 * such a timestamp can't name, gives the nearest one that it can.
 */
export function formatMicros(micros: bigint): string {
  const within = micros < EARLIEST_MICROS ? EARLIEST_MICROS : micros > LATEST_MICROS ? LATEST_MICROS : micros;
  const rest = ((within % 1000n) + 1000n) % 1000n;
  const date = new Date(Number((within - rest) / 1000n));
  return `${date.toISOString().slice(0, -1)}${String(rest).padStart(3, '0')}Z`;
}

const SECONDS_IN_400_YEARS = 146_097 * 86_400;
const EARLIEST_MICROS = -62_135_596_800_000_000n;
const LATEST_MICROS = 253_402_300_799_999_999n;

function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : DAYS_IN_MONTH[month - 1]!;
}
