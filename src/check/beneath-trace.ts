/** What happened beneath a dispatcher during one list: its scan, and the second read of what it chose. */
import type { BeneathCall, Contents, Entry } from '../history/history.ts';

export type ListCall = Extract<BeneathCall, { call: 'list' }>;
export type GetCall = Extract<BeneathCall, { call: 'get' }>;
export type AccessCall = Extract<BeneathCall, { call: 'access' }>;

/** The calls of one list, in order. */
export interface Trace {
  readonly calls: readonly BeneathCall[];
  readonly batches: readonly ListCall[];
  /** What was made unsound, where something was. */
  readonly broken: string | undefined;
}

/** Reads the calls that an entry carries; undefined where nobody watched. */
export function traceOf({ beneath }: Entry): Trace | undefined {
  if (beneath === undefined) return undefined;
  return {
    calls: beneath,
    batches: beneath.filter(isList),
    broken: beneath.find((call) => call.broken !== undefined)?.broken,
  };
}

/** A read of a task that the policy had agreed to: the read that follows its choice. */
export interface Reread {
  readonly id: string;
  /** Undefined where the task was gone. */
  readonly contents: Contents | undefined;
  /** What the policy was asked about the task after the read. */
  readonly asked: readonly AccessCall[];
}

/** The second reads of a list, task by task; a read that no agreement precedes is something else. */
export function rereadsOf({ calls }: Trace): Reread[] {
  return calls.flatMap((call, at): Reread[] => {
    if (!isGet(call)) return [];
    const ofTask = (other: BeneathCall): other is AccessCall => isAccess(other) && other.contents.id === call.id;
    if (!calls.slice(0, at).some((other) => ofTask(other) && other.allowed === true)) return [];
    return [{ id: call.id, contents: call.contents, asked: calls.slice(at).filter(ofTask) }];
  });
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
