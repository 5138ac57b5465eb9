/** Errors as texts that can be compared: what the caller itself sent is masked. */
import type { Entry, Result } from '../history/history.ts';

export type ErrorResult = Extract<Result, { kind: 'error' }>;

/** What a request itself varies besides: its id and its date. */
const varying: RegExp =
  /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|\d{4}-\d{2}-\d{2}[T ][\d:.]+(?:Z|[+-]\d{2}:?\d{2})?/gi;

/** An error with what its caller sent, such as the id of a task. */
export interface Told {
  readonly text: string;
  readonly sent: readonly string[];
}

/** Gives code, message and detail of an error. */
export function errorText({ code, message, detail = '' }: ErrorResult): string {
  return `${code}: ${message}${detail === '' ? '' : ` ${detail}`}`;
}

/**
 * Tells whether two errors are the same apart from what each caller sent and what every request varies. Where a sent text
 * is so short or so odd that it can't be found in the words of an error for certain, they count as the same.
 */
export function saysTheSame(a: Told, b: Told): boolean {
  if (a.text === b.text || mask(a) === mask(b)) return true;
  return [...a.sent, ...b.sent].some((value) => !/^[\p{L}\p{N}][\p{L}\p{N}_-]{3,}$/u.test(value));
}

function mask({ text, sent }: Told): string {
  const masked = sent.reduce((rest, value) => (value === '' ? rest : rest.replaceAll(value, '<sent>')), text);
  return masked.replace(varying, '<varies>');
}

/** The transport of an error; empty where there is only one way. */
export function transportOf({ result }: Entry): string {
  return result.kind === 'error' || result.kind === 'page' ? (result.via ?? '') : '';
}
