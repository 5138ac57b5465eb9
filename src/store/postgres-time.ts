/** Between signed 64-bit microseconds and PostgreSQL's `timestamptz`, exactly: never through a Date or a float. */
import { MAX_TIME_MICROS } from '../task/clock.ts';
import { InternalError } from '../task/errors.ts';

/** The first microsecond that `timestamptz` has: 4714-11-24 BC, midnight UTC. Its last lies beyond signed 64 bits. */
export const EARLIEST_TIMESTAMPTZ_MICROS = -210_866_803_200_000_000n;

const MICROS_A_DAY = 86_400_000_000n;
const DAYS_TO_EPOCH = 719_468n;
const DAYS_IN_400_YEARS = 146_097n;

/**
 * Spells a time as PostgreSQL reads it under every DateStyle and TimeZone, such as `2024-05-06 07:08:09.123456+00`.
 * Before the first time that PostgreSQL has it gives `-infinity`, which stands in the same order to every stored time.
 */
export function formatTimestamptz(micros: bigint): string {
  if (micros < EARLIEST_TIMESTAMPTZ_MICROS) return '-infinity';
  const day = floorDivide(micros, MICROS_A_DAY);
  const rest = micros - day * MICROS_A_DAY;
  const [year, month, dayOfMonth] = civilDate(day);
  const date = `${pad(year > 0n ? year : 1n - year, 4)}-${pad(month, 2)}-${pad(dayOfMonth, 2)}`;
  const seconds = rest / 1_000_000n;
  const time = `${pad(seconds / 3600n, 2)}:${pad((seconds / 60n) % 60n, 2)}:${pad(seconds % 60n, 2)}`;
  return `${date} ${time}.${pad(rest % 1_000_000n, 6)}+00${year > 0n ? '' : ' BC'}`;
}

/** The last time that a task can have, as PostgreSQL reads it. */
export const LATEST_TIMESTAMPTZ: string = formatTimestamptz(MAX_TIME_MICROS);

/**
 * Reads the whole microseconds that a statement answered. Throws `internal` for a time that no cursor can carry:
 * infinite, or beyond signed 64 bits. Only a foreign writer can have set one (SCHEMA-4).
 */
export function readMicros(text: string): bigint {
  const micros = /^-?\d+$/.test(text) ? BigInt(text) : undefined;
  if (micros === undefined || micros > MAX_TIME_MICROS) throw new InternalError('A stored time is out of range');
  return micros;
}

/** The proleptic Gregorian date of a day since 1970-01-01; the year 0 is 1 BC (Hinnant, "chrono-compatible date algorithms"). */
function civilDate(day: bigint): [bigint, bigint, bigint] {
  const shifted = day + DAYS_TO_EPOCH;
  const era = floorDivide(shifted, DAYS_IN_400_YEARS);
  const dayOfEra = shifted - era * DAYS_IN_400_YEARS;
  const yearOfEra = (dayOfEra - dayOfEra / 1460n + dayOfEra / 36_524n - dayOfEra / 146_096n) / 365n;
  const dayOfYear = dayOfEra - (365n * yearOfEra + yearOfEra / 4n - yearOfEra / 100n);
  // Years run from March here, so that the leap day is the last one.
  const marchMonth = (5n * dayOfYear + 2n) / 153n;
  const month = marchMonth < 10n ? marchMonth + 3n : marchMonth - 9n;
  const year = yearOfEra + era * 400n + (month <= 2n ? 1n : 0n);
  return [year, month, dayOfYear - (153n * marchMonth + 2n) / 5n + 1n];
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

function pad(value: bigint, width: number): string {
  return String(value).padStart(width, '0');
}
