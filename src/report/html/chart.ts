/** Curves: a quantity against another, on axes that suit powers of ten. */
import { visible } from '../quote.ts';
import { escapeHtml } from './escape.ts';
import { drawVega } from './vega.ts';

export interface Series {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** A bound, not a measurement: a dashed line without marks. */
  readonly bound?: boolean;
}

export interface Chart {
  readonly title: string;
  /** With its unit. */
  readonly x: { readonly title: string; readonly log?: boolean; readonly percent?: boolean };
  readonly y: { readonly title: string };
  readonly series: readonly Series[];
}

const width = 300;
const height = 220;
/** Series are told apart by colour and by mark, so that no colour need be seen. */
const colours = [1, 2, 3, 4, 5].map((each) => `var(--series-${each})`);
const shapes = ['circle', 'square', 'triangle-up', 'diamond', 'cross'];

/** Renders a chart as a figure. Values of 0 stand on the lowest line, which a logarithm has no place for. */
export async function renderChart(chart: Chart): Promise<string> {
  const ends = chart.series.map(({ name, points }) => {
    const [first, last] = [points[0], points.at(-1)];
    return `${visible(name)} from ${first?.y ?? '–'} to ${last?.y ?? '–'}`;
  });
  const label = escapeHtml(`${chart.title}. ${chart.y.title} against ${chart.x.title}: ${ends.join('; ')}`);
  const svg = await drawVega(specOf(chart), label);
  return `<figure class="plot"><figcaption>${escapeHtml(chart.title)}</figcaption>
<div class="scroll" role="region" tabindex="0" aria-label="${escapeHtml(`Chart: ${chart.title}`)}">${svg}</div></figure>`;
}

function specOf({ x, y, series }: Chart): object {
  const lowest = Math.min(
    ...series.flatMap(({ points }) => points.map((point) => point.y)).filter((value) => value > 0),
    1,
  );
  const names = series.map(({ name }) => visible(name));
  const values = series.flatMap(({ points, bound }, at) =>
    points.map((point) => ({ x: point.x, y: Math.max(point.y, lowest), name: names[at]!, bound: bound === true })),
  );
  const text = {
    labelColor: 'var(--ink)',
    titleColor: 'var(--ink)',
    labelFontSize: 12,
    titleFontSize: 12,
    titleFontWeight: 400,
  };
  const lines = { gridColor: 'var(--line)', domainColor: 'var(--lane)', tickColor: 'var(--lane)', grid: true };
  const xFormat = x.percent === true ? { format: '%' } : x.log === true ? { format: '~s' } : {};
  return {
    width,
    height,
    padding: 6,
    autosize: 'pad',
    data: [{ name: 'points', values }],
    scales: [
      {
        name: 'x',
        type: x.log === true ? 'log' : 'linear',
        domain: { data: 'points', field: 'x' },
        range: 'width',
        nice: true,
      },
      { name: 'y', type: 'log', domain: { data: 'points', field: 'y' }, range: 'height', nice: true },
      { name: 'colour', type: 'ordinal', domain: names, range: colours },
      { name: 'shape', type: 'ordinal', domain: names, range: shapes },
    ],
    axes: [
      { ...text, ...lines, scale: 'x', orient: 'bottom', title: x.title, tickCount: 4, ...xFormat },
      { ...text, ...lines, scale: 'y', orient: 'left', title: y.title, tickCount: 4, format: '~s' },
    ],
    legends: [
      {
        stroke: 'colour',
        shape: 'shape',
        orient: 'bottom',
        direction: 'vertical',
        labelColor: 'var(--ink)',
        labelFontSize: 12,
        labelLimit: 0,
        symbolFillColor: 'transparent',
      },
    ],
    marks: [
      {
        type: 'group',
        from: { facet: { name: 'line', data: 'points', groupby: 'name' } },
        marks: [
          {
            type: 'line',
            from: { data: 'line' },
            encode: {
              enter: {
                x: { scale: 'x', field: 'x' },
                y: { scale: 'y', field: 'y' },
                stroke: { scale: 'colour', field: 'name' },
                strokeWidth: { value: 2 },
                strokeDash: [{ test: 'datum.bound', value: [5, 4] }, { value: [] }],
              },
            },
          },
          {
            type: 'symbol',
            from: { data: 'line' },
            encode: {
              enter: {
                x: { scale: 'x', field: 'x' },
                y: { scale: 'y', field: 'y' },
                shape: { scale: 'shape', field: 'name' },
                stroke: { scale: 'colour', field: 'name' },
                strokeWidth: { value: 2 },
                fill: { value: 'var(--ground)' },
                size: { signal: 'datum.bound ? 0 : 60' },
              },
            },
          },
        ],
      },
    ],
  };
}
