/** The rows of a timeline: what stands below what. */
import type { TimelineEvent } from '../../suite/certificate.ts';

/**
 * A row: an operation that nothing interrupts (`whole`), the beginning or the end of another one, several creates in
 * turn (`creates`), or a place where operations are left out (`gap`).
 */
export type TimelineRow =
  | { readonly kind: 'whole' | 'call' | 'return'; readonly event: TimelineEvent }
  | { readonly kind: 'creates'; readonly events: readonly TimelineEvent[] }
  | { readonly kind: 'gap'; readonly left: number };

/** Creates in turn that are told in one row, from so many on. */
const together = 3;

/** Puts the events in the order of their instants. */
export function timelineRows(events: readonly TimelineEvent[]): TimelineRow[] {
  const left = leftOut(events);
  const instants = events
    .flatMap((event) => [
      { at: event.call, event, call: true },
      { at: event.return, event, call: false },
    ])
    .sort((a, b) => a.at - b.at);
  const rows: TimelineRow[] = [];
  for (let at = 0; at < instants.length; at++) {
    const { event, call } = instants[at]!;
    const gap = left.get(event.entry);
    if (call && gap !== undefined) rows.push({ kind: 'gap', left: gap });
    if (call && instants[at + 1]?.event === event) {
      rows.push({ kind: 'whole', event });
      at++;
    } else rows.push({ kind: call ? 'call' : 'return', event });
  }
  return withCreatesTogether(rows);
}

/** How many operations before an event are not among the events. */
function leftOut(events: readonly TimelineEvent[]): ReadonlyMap<number, number> {
  const entries = events.map(({ entry }) => entry).sort((a, b) => a - b);
  const gaps = entries.map((entry, at) => [entry, entry - (entries[at - 1] ?? -1) - 1] as const);
  return new Map(gaps.filter(([, left]) => left > 0));
}

function withCreatesTogether(rows: readonly TimelineRow[]): TimelineRow[] {
  const out: TimelineRow[] = [];
  let creates: TimelineEvent[] = [];
  const flush = (): void => {
    if (creates.length < together) out.push(...creates.map((event) => ({ kind: 'whole' as const, event })));
    else out.push({ kind: 'creates', events: creates });
    creates = [];
  };
  for (const row of rows) {
    const plain = row.kind === 'whole' && row.event.op === 'create' && row.event.error === undefined;
    const event = plain && row.event.detail === undefined ? row.event : undefined;
    if (event === undefined || (creates.length > 0 && creates[0]!.client !== event.client)) flush();
    if (event === undefined) out.push(row);
    else creates.push(event);
  }
  flush();
  return out;
}
