/** One row of a timeline, laid out: where its words and its page stand. Units are pixels at natural size. */
import type { TaskMark } from '../../check/verdict.ts';
import type { TimelineEvent } from '../../suite/certificate.ts';
import { fillLines } from '../fill.ts';
import type { TimelineRow } from './timeline-rows.ts';
import { markWords, operationWords, type TimelineStory } from './timeline-story.ts';

/** Width of a character of the picture's font, and the height of a line. */
const charWidth = 7.85;
const lineHeight = 18;
const chipHeight = 26;
const padding = 8;
/** The widest that what stands in a lane may be, and the most tasks of a page that are drawn. */
const widest = 330;
const mostChips = 14;

export interface Line {
  readonly text: string;
  readonly tone: '' | 'soft' | 'bad' | 'boundary' | 'touched';
  readonly y: number;
}

export interface Chip {
  readonly text: string;
  readonly id: string;
  readonly tone: '' | 'boundary' | 'bad' | 'lost';
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** What a page looks like, relative to its row. */
export interface PageBox {
  readonly y: number;
  readonly height: number;
  readonly width: number;
  readonly chips: readonly Chip[];
  readonly lines: readonly Line[];
  readonly fault: boolean;
}

export interface Block {
  readonly lines: readonly Line[];
  readonly page?: PageBox;
  readonly width: number;
  readonly height: number;
}

/** The height of a chip, for who draws it. */
export const chipBox: { readonly height: number; readonly padding: number } = { height: chipHeight, padding };

/** Lays out a row. */
export function blockOf(row: TimelineRow, story: TimelineStory): Block {
  if (row.kind === 'gap') return wordsOnly([[`⋮ ${row.left} operations not drawn`, 'soft']]);
  if (row.kind === 'creates') {
    const names = row.events.map(({ task }) => story.name(task ?? ''));
    const shown = names.length > 8 ? [...names.slice(0, 7), `${names.length - 7} more`] : names;
    const first = row.events[0]!.entry;
    return wordsOnly([[`#${first}–${row.events.at(-1)!.entry} create ${shown.join(', ')}`, '']]);
  }
  const { event } = row;
  const head: [string, Line['tone']][] = [];
  if (row.kind !== 'return') {
    head.push([`#${event.entry} ${operationWords(event, story)}`, '']);
    if (event.page?.where !== undefined) head.push([event.page.where, 'soft']);
    if (event.detail !== undefined) head.push([event.detail, 'soft']);
    if (story.touchesBoundary(event)) head.push(['↑ writes the boundary task', 'touched']);
  } else if (event.page === undefined) head.push([`#${event.entry} done`, 'soft']);
  if (row.kind === 'call') return wordsOnly(head);
  if (event.error !== undefined)
    head.push([`→ error ${event.error}`, story.marks(event.entry).length > 0 ? 'bad' : 'soft']);
  for (const mark of event.page === undefined ? story.marks(event.entry) : [])
    head.push([markWords(mark, story), 'bad']);
  const words = wordsOnly(head);
  if (event.page === undefined) return words;
  const page = pageBox(event, event.page, story, words.height);
  return { lines: words.lines, page, width: Math.max(words.width, page.width), height: page.y + page.height };
}

function wordsOnly(texts: readonly (readonly [string, Line['tone']])[]): Block {
  const lines = stacked(texts, 0);
  const width = Math.max(0, ...lines.map(({ text }) => text.length * charWidth));
  return { lines, width, height: lines.length * lineHeight };
}

/** Breaks texts to the width of a lane and puts them below each other; `y` is each line's base. */
function stacked(texts: readonly (readonly [string, Line['tone']])[], from: number): Line[] {
  const characters = Math.floor(widest / charWidth);
  const broken = texts.flatMap(([text, tone]) => fillLines(text, characters).map((line) => ({ text: line, tone })));
  return broken.map(({ text, tone }, at) => ({ text, tone, y: from + 13 + at * lineHeight }));
}

function pageBox(
  { entry }: TimelineEvent,
  { items, ends }: NonNullable<TimelineEvent['page']>,
  story: TimelineStory,
  y: number,
): PageBox {
  const marks = story.marks(entry);
  const chips = placeChips(chipsOf(items, ends, marks, story));
  const below = chips.reduce((most, chip) => Math.max(most, chip.y + chipHeight), padding - 4);
  const boundary = items.at(-1);
  const texts: [string, Line['tone']][] = [
    ...(items.length === 0 ? [['no tasks', 'soft'] as [string, Line['tone']]] : []),
    ...marks.map((mark): [string, Line['tone']] => [markWords(mark, story), 'bad']),
    ends || boundary === undefined
      ? [ends ? 'end of the list' : 'more to come', 'soft']
      : [`boundary: ${story.name(boundary)}`, 'boundary'],
  ];
  const lines = stacked(texts, below + 3);
  const width = Math.max(
    120,
    ...chips.map((chip) => chip.x + chip.width + padding),
    ...lines.map(({ text }) => text.length * charWidth + 2 * padding),
  );
  return {
    y: y + 3,
    height: below + 3 + lines.length * lineHeight + padding - 2,
    width,
    chips,
    lines,
    fault: marks.length > 0,
  };
}

type Unplaced = Omit<Chip, 'x' | 'y'>;

function chipsOf(
  items: readonly string[],
  ends: boolean,
  marks: readonly TaskMark[],
  story: TimelineStory,
): Unplaced[] {
  const wrong = (id: string): boolean => marks.some((mark) => mark.id === id && mark.how !== 'lost');
  const shown = items.map((id, at): Unplaced => {
    const isBoundary = !ends && at === items.length - 1;
    return chip(story.name(id), id, wrong(id) ? 'bad' : isBoundary ? 'boundary' : '');
  });
  const lost = marks.filter(({ how }) => how === 'lost').map(({ id }) => chip(`✕ ${story.name(id)}`, id, 'lost'));
  const dull = shown.filter(({ tone }) => tone === '');
  const kept = new Set(dull.slice(0, mostChips));
  const left = dull.length - kept.size;
  const more = left > 0 ? [chip(`+${left} more`, '', '')] : [];
  return [...shown.filter((one) => one.tone !== '' || kept.has(one)), ...more, ...lost];
}

function chip(text: string, id: string, tone: Chip['tone']): Unplaced {
  return { text, id, tone, width: text.length * charWidth + 14 };
}

function placeChips(chips: readonly Unplaced[]): Chip[] {
  let x: number = padding;
  let y: number = padding;
  return chips.map((one) => {
    if (x > padding && x + one.width > widest) {
      x = padding;
      y += chipHeight + 6;
    }
    const placed = { ...one, x, y };
    x += one.width + 6;
    return placed;
  });
}
