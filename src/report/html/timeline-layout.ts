/** A whole timeline, laid out: clients as lanes side by side, time from top to bottom. */
import type { TimelineEvent } from '../../suite/certificate.ts';
import { type Block, blockOf, type Chip, type PageBox } from './timeline-block.ts';
import { type TimelineRow, timelineRows } from './timeline-rows.ts';
import type { TimelineStory } from './timeline-story.ts';

/** Left of what a lane says: the bar of an operation, and the arrows between pages. */
export const gutter = 34;
const laneGap = 26;
const rowGap = 11;
const margin = 6;

export interface PlacedRow {
  readonly row: TimelineRow;
  readonly block: Block;
  readonly lane: number;
  readonly y: number;
}

/** How long an operation lasted. */
export interface Span {
  readonly event: TimelineEvent;
  readonly lane: number;
  readonly from: number;
  readonly to: number;
}

/** A page with its place. */
export interface PlacedPage {
  readonly event: TimelineEvent;
  readonly lane: number;
  readonly y: number;
  readonly box: PageBox;
}

export interface TimelineLayout {
  readonly clients: readonly number[];
  /** Where each lane begins. */
  readonly lanes: readonly { readonly x: number; readonly width: number }[];
  readonly rows: readonly PlacedRow[];
  readonly spans: readonly Span[];
  readonly pages: ReadonlyMap<number, PlacedPage>;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Lays a story out. */
export function layoutTimeline(story: TimelineStory): TimelineLayout {
  const clients = [...new Set(story.events.map(({ client }) => client))].sort((a, b) => a - b);
  const top = clients.length > 1 ? 30 : 6;
  const rows: PlacedRow[] = [];
  let y = top;
  for (const row of timelineRows(story.events)) {
    const block = blockOf(row, story);
    rows.push({ row, block, lane: row.kind === 'gap' ? 0 : clients.indexOf(clientOf(row)), y });
    y += block.height + rowGap;
  }
  const widths = clients.map((client, lane) => {
    const blocks = rows.filter((row) => row.lane === lane).map(({ block }) => block.width);
    return Math.ceil(Math.max(`client ${client}`.length * 8, ...blocks));
  });
  const lanes = widths.map((width, lane) => {
    const before = widths.slice(0, lane).reduce((sum, each) => sum + gutter + each + laneGap, 0);
    return { x: margin + before, width };
  });
  const last = lanes.at(-1)!;
  return {
    clients,
    lanes,
    rows,
    spans: spansOf(rows),
    pages: pagesOf(rows),
    top,
    width: last.x + gutter + last.width + laneGap,
    height: y - rowGap + margin,
  };
}

function clientOf(row: Exclude<TimelineRow, { kind: 'gap' }>): number {
  return (row.kind === 'creates' ? row.events[0]! : row.event).client;
}

function spansOf(rows: readonly PlacedRow[]): Span[] {
  return rows.flatMap(({ row, block, lane, y }): Span[] => {
    const to = y + block.height;
    if (row.kind === 'creates') return [{ event: row.events[0]!, lane, from: y, to }];
    if (row.kind === 'whole') return [{ event: row.event, lane, from: y, to }];
    if (row.kind !== 'call') return [];
    const end = rows.find((other) => other.row.kind === 'return' && other.row.event === row.event);
    return [{ event: row.event, lane, from: y, to: end === undefined ? to : end.y + end.block.height }];
  });
}

function pagesOf(rows: readonly PlacedRow[]): ReadonlyMap<number, PlacedPage> {
  const pages = rows.flatMap(({ row, block, lane, y }): [number, PlacedPage][] => {
    if (block.page === undefined || row.kind === 'gap' || row.kind === 'creates') return [];
    return [[row.event.entry, { event: row.event, lane, y: y + block.page.y, box: block.page }]];
  });
  return new Map(pages);
}

/** The place where a repeated task was shown before: on an earlier page of the walk, else on any. */
export function shownBefore(
  layout: TimelineLayout,
  page: PlacedPage,
  id: string,
): { page: PlacedPage; chip: Chip } | undefined {
  const earlier = [...layout.pages.values()].filter(({ event }) => event.return < page.event.call);
  const walk = page.event.page?.walk;
  const ranked = [...earlier.filter(({ event }) => event.page?.walk === walk), ...earlier];
  for (const one of ranked) {
    const chip = one.box.chips.find((each) => each.id === id && each.tone !== 'lost');
    if (chip !== undefined) return { page: one, chip };
  }
  return undefined;
}
