/** ISO 8601 timestamps as exact instants. */

const shape = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|z|[+-]\d{2}:?\d{2})$/;

/** Gives nanoseconds since the Unix epoch, undefined where the text is no timestamp. Digits beyond 9 are not taken. */
export function parseInstant(text: string): bigint | undefined {
  const parts = shape.exec(text);
  if (parts === null) return undefined;
  const [, date, time, fraction = '', zone = 'Z'] = parts;
  const offset = /^z$/i.test(zone) ? 'Z' : zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone;
  const millis = Date.parse(`${date}T${time}${offset}`);
  if (Number.isNaN(millis)) return undefined;
  return BigInt(millis) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}

/** Tells whether two timestamps are one instant, in whatever spelling; texts that are none are compared as texts. */
export function sameInstant(a: string | undefined, b: string | undefined): boolean {
  if (a === b || a === undefined || b === undefined) return a === b;
  const instant = parseInstant(a);
  return instant !== undefined && instant === parseInstant(b);
}
