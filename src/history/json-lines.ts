/**
 * Histories as JSON Lines: a header, one entry a line, and a last line that counts the entries, so that a file that was
 * cut is told from a whole one. Times are decimal texts, since JSON numbers are not exact.
 */
import type { Entry, History } from './history.ts';

/** What a file says of its history beside the entries; plain JSON. */
export type HistoryHeader = Readonly<Record<string, unknown>>;

/** Why a text is no history. `line` counts from 1. */
export class HistoryFormatError extends Error {
  readonly line: number;
  readonly problem: string;

  constructor(line: number, problem: string) {
    super(`line ${line} ${problem}`);
    this.name = 'HistoryFormatError';
    this.line = line;
    this.problem = problem;
  }
}

const format = 'pagecheck-history';

/** Gives the lines of a history's file, each without its line end. `header` may not name `format`, `version` or `tampered`. */
export function* encodeHistory(history: History, header: HistoryHeader = {}): Generator<string> {
  const tampered = history.tampered === true ? { tampered: true } : {};
  yield JSON.stringify({ format, version: 1, ...tampered, ...header });
  for (const entry of history.entries) yield encodeEntry(entry);
  yield JSON.stringify({ end: history.entries.length });
}

/** Writes one entry as one line. */
export function encodeEntry(entry: Entry): string {
  return JSON.stringify(entry, (_, value) => (typeof value === 'bigint' ? value.toString() : value));
}

/** Tells whether a text begins as a history's file does. */
export function isHistoryText(text: string): boolean {
  return text.slice(0, 200).includes(`"${format}"`) && text.trimStart().startsWith('{"');
}

/**
 * Reads the lines of a history's file, one at a time. Throws a `HistoryFormatError` that names the line where the text
 * is none of ours, is cut, or tells of instants that no run gives.
 */
export function decodeHistory(lines: Iterable<string>): { readonly header: HistoryHeader; readonly history: History } {
  const entries: Entry[] = [];
  const busyUntil = new Map<number, number>();
  let header: HistoryHeader | undefined;
  let end: number | undefined;
  let number = 0;
  for (const line of lines) {
    number++;
    if (line.trim() === '') continue;
    if (end !== undefined) throw new HistoryFormatError(number, 'follows the end of the history');
    const value = parseLine(line, number);
    if (header === undefined) {
      header = headerOf(value, number);
    } else if ('end' in value) {
      end = value.end as number;
      if (end !== entries.length)
        throw new HistoryFormatError(number, `counts ${String(end)} entries, but ${entries.length} stand above it`);
    } else {
      const entry = entryOf(value, number);
      checkInstants(entry, entries, busyUntil, number);
      entries.push(entry);
    }
  }
  if (header === undefined) throw new HistoryFormatError(1, 'is missing: the file is empty');
  if (end === undefined)
    throw new HistoryFormatError(
      number,
      `is the last one, and not the history's end: the file is cut after ${entries.length} entries`,
    );
  const { format: _, version: __, tampered, ...rest } = header;
  return { header: rest, history: { entries, ...(tampered === true ? { tampered: true } : {}) } };
}

type Fields = Readonly<Record<string, unknown>>;

function parseLine(line: string, number: number): Fields {
  let value: unknown;
  try {
    value = JSON.parse(number === 1 && line.startsWith('\uFEFF') ? line.slice(1) : line);
  } catch {
    throw new HistoryFormatError(number, 'is not valid JSON: the file is cut, or no history');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new HistoryFormatError(number, 'is no JSON object');
  return value as Fields;
}

function headerOf(value: Fields, number: number): HistoryHeader {
  if (value.format !== format) throw new HistoryFormatError(number, `has no "format": "${format}": this is no history`);
  if (value.version !== 1)
    throw new HistoryFormatError(
      number,
      `is of version ${JSON.stringify(value.version)}; this program reads version 1`,
    );
  return value;
}

function entryOf(value: Fields, number: number): Entry {
  for (const name of ['index', 'client', 'step', 'call', 'return'] as const) {
    if (!Number.isSafeInteger(value[name]) || (value[name] as number) < 0)
      throw new HistoryFormatError(number, `has no whole number "${name}"`);
  }
  const { operation, result } = value as { operation?: Fields; result?: Fields };
  if (typeof operation !== 'object' || operation === null || !operations.has(operation.op as string))
    throw new HistoryFormatError(number, `has no known operation`);
  if (typeof result !== 'object' || result === null || !results.has(result.kind as string))
    throw new HistoryFormatError(number, `has no known result`);
  const { cursors } = result as { cursors?: readonly Fields[] };
  return {
    ...value,
    operation: operationOf(operation, number),
    result: {
      ...withMicros(result, number),
      ...(cursors === undefined ? {} : { cursors: cursors.map((cursor) => withMicros(cursor, number)) }),
    },
  } as unknown as Entry;
}

const operations: ReadonlySet<string> = new Set(
  'create replace append cancel delete get list clock tick access restart scope beneath push push-list raw database'.split(
    ' ',
  ),
);
const results: ReadonlySet<string> = new Set(
  'written read page done error push-page raw database unknown malformed'.split(' '),
);

function operationOf(operation: Fields, number: number): Fields {
  if (operation.op === 'clock') return withMicros(operation, number);
  // JSON has no NaN; a page size that was one is null.
  return operation.op === 'list' && operation.pageSize === null ? { ...operation, pageSize: Number.NaN } : operation;
}

function withMicros(value: Fields, number: number): Fields {
  if (value.micros === undefined) return value;
  if (typeof value.micros !== 'string' || !/^-?[0-9]+$/.test(value.micros))
    throw new HistoryFormatError(number, 'has a "micros" that is no whole number in a text');
  return { ...value, micros: BigInt(value.micros) };
}

/** Entries stand in order of return on one clock, and a client does one thing at a time. */
function checkInstants(entry: Entry, before: readonly Entry[], busyUntil: Map<number, number>, number: number): void {
  const previous = before.at(-1);
  if (entry.index !== before.length)
    throw new HistoryFormatError(
      number,
      `is entry ${entry.index} where entry ${before.length} is due: lines are missing or out of order`,
    );
  if (entry.call >= entry.return)
    throw new HistoryFormatError(number, `returns at ${entry.return}, before its call at ${entry.call}`);
  if (previous !== undefined && entry.return <= previous.return)
    throw new HistoryFormatError(
      number,
      `returns at ${entry.return}, not after the entry above it, at ${previous.return}: the clock went backwards between clients`,
    );
  const busy = busyUntil.get(entry.client);
  if (busy !== undefined && entry.call <= busy)
    throw new HistoryFormatError(
      number,
      `is called at ${entry.call}, while client ${entry.client} is busy until ${busy}`,
    );
  busyUntil.set(entry.client, entry.return);
  const { operation } = entry;
  if (operation.op === 'list' && operation.tokenFrom !== undefined && operation.tokenFrom >= entry.index)
    throw new HistoryFormatError(number, `uses the token of entry ${operation.tokenFrom}, which comes later`);
}
