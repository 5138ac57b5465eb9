/** What happened beneath a dispatcher during one list: the scan, then the final read. */
import type { BeneathCall, Entry } from '../history/history.ts';

export type ListCall = Extract<BeneathCall, { call: 'list' }>;
export type GetCall = Extract<BeneathCall, { call: 'get' }>;
export type AccessCall = Extract<BeneathCall, { call: 'access' }>;

/** The calls of one list, in order; the final read begins with the first single read. */
export interface Trace {
  readonly calls: readonly BeneathCall[];
  readonly batches: readonly ListCall[];
  /** Answers of the policy before the final read. */
  readonly scanned: readonly AccessCall[];
  /** Everything from the first single read on. */
  readonly final: readonly BeneathCall[];
  /** What was made unsound, where something was. */
  readonly broken: string | undefined;
}

/** Reads the calls that an entry carries; undefined where nobody watched. */
export function traceOf({ beneath }: Entry): Trace | undefined {
  if (beneath === undefined) return undefined;
  const start = beneath.findIndex(({ call }) => call === 'get');
  const scan = start < 0 ? beneath : beneath.slice(0, start);
  return {
    calls: beneath,
    batches: beneath.filter(isList),
    scanned: scan.filter(isAccess),
    final: start < 0 ? [] : beneath.slice(start),
    broken: beneath.find((call) => call.broken !== undefined)?.broken,
  };
}

export function isGet(call: BeneathCall): call is GetCall {
  return call.call === 'get';
}

export function isAccess(call: BeneathCall): call is AccessCall {
  return call.call === 'access';
}

function isList(call: BeneathCall): call is ListCall {
  return call.call === 'list';
}
