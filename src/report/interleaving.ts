/** How operations overlapped, as a table: one column a client, one row an event. */
import type { LaneEvent } from '../suite/certificate.ts';
import { visible } from './quote.ts';

/** The widest that a column may be; what does not fit is cut. */
const widest = 44;

interface Row {
  readonly client: number;
  readonly text: string;
  /** Clients whose operation is under way beside this event. */
  readonly open: ReadonlySet<number>;
}

/**
 * Renders the operations in the order of their events, under a head of clients. An operation that nothing interrupts is
 * one row, `operation → result`; another one begins with `┌`, ends with `└`, and is under way at every `│` between.
 * Empty where there is nothing to show.
 */
export function renderInterleaving(lanes: readonly LaneEvent[]): string[] {
  if (lanes.length === 0) return [];
  const clients = [...new Set(lanes.map(({ client }) => client))].sort((a, b) => a - b);
  const rows = rowsOf(lanes);
  const widths = clients.map((client) => {
    const texts = rows.filter((row) => row.client === client).map(({ text }) => text.length);
    return Math.min(widest, Math.max(`client ${client}`.length, ...texts));
  });
  const line = (cell: (client: number) => string) =>
    clients
      .map((client, column) => cut(cell(client), widths[column] as number).padEnd(widths[column] as number))
      .join('  ')
      .trimEnd();
  return [
    line((client) => `client ${client}`),
    ...rows.map((row) => line((client) => (client === row.client ? row.text : row.open.has(client) ? '│' : ''))),
  ];
}

function rowsOf(lanes: readonly LaneEvent[]): Row[] {
  const events = lanes
    .flatMap((lane) => [
      { at: lane.call, lane, call: true },
      { at: lane.return, lane, call: false },
    ])
    .sort((a, b) => a.at - b.at);
  const open = new Set<number>();
  const rows: Row[] = [];
  for (let at = 0; at < events.length; at++) {
    const { lane, call } = events[at] as (typeof events)[number];
    const { client } = lane;
    open.delete(client);
    if (call && events[at + 1]?.lane === lane) {
      rows.push({ client, text: visible(`${lane.operation} → ${lane.result}`), open: new Set(open) });
      at++;
    } else {
      rows.push({
        client,
        text: call ? `┌ ${visible(lane.operation)}` : `└ ${visible(lane.result)}`,
        open: new Set(open),
      });
      if (call) open.add(client);
    }
  }
  return rows;
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}
