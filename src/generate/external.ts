/** What of a program A2A lets an external store expect: timestamps in UTC and of milliseconds, cancels at their own time. */
import { parseInstant } from '../../models/instant.ts';
import type { Content, Filter, Program, Step } from '../history/program.ts';

/**
 * Rewrites a program for a store that was written to A2A alone. Its §5.6.1 forbids offsets from UTC and asks for
 * milliseconds, so that a store may compare by Date; and no request of A2A says which status time a cancel writes.
 */
export function forExternalStore(program: Program): Program {
  return { ...program, clients: program.clients.map((steps) => steps.map(plainer)) };
}

function plainer(step: Step): Step {
  if (step.op === 'cancel') {
    const { timestamp: _, ...rest } = step;
    return rest;
  }
  const content: Content | undefined = 'content' in step ? step.content : undefined;
  const filter: Filter | undefined = 'filter' in step ? step.filter : undefined;
  return {
    ...step,
    ...(content?.timestamp === undefined
      ? {}
      : { content: { ...content, timestamp: inMilliseconds(content.timestamp) } }),
    ...(filter?.after === undefined ? {} : { filter: { ...filter, after: inMilliseconds(filter.after) } }),
  } as Step;
}

/** Keeps the spelling where it is one of A2A's already; else that of Date. */
function inMilliseconds(timestamp: string): string {
  const nanos = parseInstant(timestamp);
  if (nanos === undefined || /:\d\d(\.\d{1,3})?Z$/.test(timestamp)) return timestamp;
  return new Date(Number(nanos / 1_000_000n)).toISOString();
}
