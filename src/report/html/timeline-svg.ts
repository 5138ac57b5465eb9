/** Draws a timeline as SVG. Colours and fonts come from the page's style sheet. */
import { escapeHtml } from './escape.ts';
import { type Chip, chipBox, type Line } from './timeline-block.ts';
import { gutter, layoutTimeline, type PlacedPage, shownBefore, type TimelineLayout } from './timeline-layout.ts';
import { storyText, type TimelineStory } from './timeline-story.ts';

const barWidth = 8;
/** A picture that is wider than this is scrolled on a narrow screen, not made smaller. */
const fitsPhone = 410;

/** Renders the picture of a story; `id` tells it from others on the page. */
export function renderTimeline(story: TimelineStory, id: string, title: string): string {
  const layout = layoutTimeline(story);
  const { width, height } = layout;
  const wide = width > fitsPhone ? ' wide' : '';
  return `<svg class="timeline${wide}" role="img" aria-labelledby="${id}-title ${id}-text" viewBox="0 0 ${px(width)} ${px(height)}" width="${px(width)}" height="${px(height)}">
<title id="${id}-title">${escapeHtml(title)}</title><desc id="${id}-text">${escapeHtml(storyText(story))}</desc>
${[...axes(layout), ...spans(layout, story), ...rows(layout), ...boundaryArrows(layout), ...repeats(layout, story)].join('\n')}
</svg>`;
}

function axes({ clients, lanes, top, height }: TimelineLayout): string[] {
  return lanes.flatMap(({ x }, lane) => {
    const middle = px(x + barWidth / 2);
    const name = clients.length > 1 ? text(`client ${clients[lane]}`, x, 16, 'lane-name') : '';
    return [`<line class="axis" x1="${middle}" x2="${middle}" y1="${px(top)}" y2="${px(height)}"/>`, name];
  });
}

function spans({ spans: all, lanes }: TimelineLayout, story: TimelineStory): string[] {
  return all.map(({ event, lane, from, to }) => {
    const kind = event.op === 'list' ? ' page-span' : '';
    const proving = story.proves(event.entry) ? ' proving' : '';
    return `<rect class="span${kind}${proving}" x="${px(lanes[lane]!.x)}" y="${px(from)}" width="${barWidth}" height="${px(to - from)}" rx="3"/>`;
  });
}

function rows({ rows: all, lanes }: TimelineLayout): string[] {
  return all.flatMap(({ block, lane, y }) => {
    const x = lanes[lane]!.x + gutter;
    const words = block.lines.map((line) => lineText(line, x, y));
    const { page } = block;
    if (page === undefined) return words;
    const top = y + page.y;
    return [
      ...words,
      `<rect class="page${page.fault ? ' fault' : ''}" x="${px(x)}" y="${px(top)}" width="${px(page.width)}" height="${px(page.height)}" rx="5"/>`,
      ...page.chips.map((chip) => chipSvg(chip, x, top)),
      ...page.lines.map((line) => lineText(line, x + chipBox.padding, top)),
    ];
  });
}

function chipSvg({ text: words, tone, x, y, width }: Chip, left: number, top: number): string {
  const place = `x="${px(left + x)}" y="${px(top + y)}" width="${px(width)}" height="${chipBox.height}"`;
  const classes = `chip${tone === '' ? '' : ` ${tone}`}`;
  return `<rect class="${classes}" ${place} rx="4"/>${text(words, left + x + 7, top + y + 18, tone === 'lost' ? 'bad' : tone)}`;
}

/** From a page whose boundary is used to each page that starts from it, left of them. */
function boundaryArrows({ pages, lanes }: TimelineLayout): string[] {
  const used = new Map<number, number>();
  return [...pages.values()].map((target) => {
    const source = pages.get(target.event.page?.after ?? -1);
    if (source === undefined || source.lane !== target.lane) return '';
    const turn = used.get(source.event.entry) ?? 0;
    used.set(source.event.entry, turn + 1);
    const x = lanes[target.lane]!.x + gutter;
    const from = source.y + source.box.height - 14 - 4 * turn;
    const to = target.y + 12;
    const bend = x - 16 - 4 * Math.min(turn, 1);
    return `<path class="link" d="M${px(x)} ${px(from)}C${px(bend)} ${px(from)} ${px(bend)} ${px(from)} ${px(bend)} ${px(from + 14)}V${px(to - 14)}C${px(bend)} ${px(to)} ${px(bend)} ${px(to)} ${px(x - 6)} ${px(to)}"/><path class="arrow" d="M${px(x)} ${px(to)}l-8 -4.5v9z"/>`;
  });
}

/** From where a repeated task was shown before to where it is shown again, right of the pages. */
function repeats(layout: TimelineLayout, story: TimelineStory): string[] {
  return [...layout.pages.values()].flatMap((page) =>
    story.marks(page.event.entry).map(({ id, how }) => {
      const before = how === 'repeated' ? shownBefore(layout, page, id) : undefined;
      const again = page.box.chips.find((chip) => chip.id === id);
      if (before === undefined || again === undefined || before.page.lane !== page.lane) return '';
      const from = chipEnd(layout, before.page, before.chip);
      const to = chipEnd(layout, page, again);
      const bend = layout.lanes[page.lane]!.x + gutter + layout.lanes[page.lane]!.width + 18;
      return `<path class="again" d="M${px(from.x)} ${px(from.y)}C${px(bend)} ${px(from.y)} ${px(bend)} ${px(to.y)} ${px(to.x)} ${px(to.y)}"/>`;
    }),
  );
}

function chipEnd({ lanes }: TimelineLayout, page: PlacedPage, chip: Chip): { x: number; y: number } {
  return { x: lanes[page.lane]!.x + gutter + chip.x + chip.width, y: page.y + chip.y + chipBox.height / 2 };
}

function lineText({ text: words, tone, y }: Line, left: number, top: number): string {
  return text(words, left, top + y, tone);
}

function text(words: string, x: number, y: number, tone: string): string {
  return `<text x="${px(x)}" y="${px(y)}"${tone === '' ? '' : ` class="${tone}"`}>${escapeHtml(words)}</text>`;
}

/** A length with one digit at most after the point: enough for the eye. */
function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}
