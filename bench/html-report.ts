/** A benchmark as a page: each part's table beside its curves. */
import { type Chart, renderChart } from '../src/report/html/chart.ts';
import { escapeHtml } from '../src/report/html/escape.ts';
import { renderPage, type Section } from '../src/report/html/page.ts';
import { type Row, renderTable } from '../src/report/html/table.ts';
import type { BenchEnvironment } from './environment.ts';
import { type BenchRow, type BenchTable, type Measure, readable } from './table.ts';

/** What `npm run bench` writes. */
export interface BenchReport {
  readonly format: 'pagecheck-bench';
  readonly version: 1;
  readonly startedAt: string;
  readonly quick: boolean;
  readonly environment: BenchEnvironment;
  readonly tables: readonly BenchTable[];
}

/** Renders a report as one self-contained HTML page: targets first, then a section a part. */
export async function renderHtmlBench(report: BenchReport): Promise<string> {
  const { environment, quick, startedAt, tables } = report;
  const targets = tables.flatMap(({ rows }) => rows).flatMap(({ target }) => target ?? []);
  const met = targets.filter((target) => target.met).length;
  const tone = quick ? 'undecided' : met === targets.length ? 'passed' : 'failed';
  const words = quick
    ? 'A quick run on small data: it shows that everything runs, and its figures decide nothing.'
    : `${met} of ${targets.length} targets are met.`;
  const facts: readonly (readonly [string, string])[] = [
    ['run on', startedAt.slice(0, 10)],
    ['processor', `${environment.cpu}, ${environment.cores} cores, ${environment.memoryGiB} GiB`],
    ['Node.js', `${environment.node}, ${environment.platform}`],
    ...Object.entries(environment.packages),
  ];
  const lead = `<header><p class="soft">pagecheck bench: side by side, in turns, in one run</p>
<h1>Benchmark</h1>
<div class="verdict ${tone}"><strong>${words}</strong></div>
<p>Trust ratios and counts: absolute times move by 20 to 40 % from run to run.</p>
<dl class="facts">${facts.map(([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`).join('')}</dl></header>`;
  const sections: Section[] = [];
  for (const table of tables) sections.push(await sectionOf(table));
  return renderPage({ title: `pagecheck bench: ${words}`, lead, sections });
}

async function sectionOf({ name, title, rows, notes = [] }: BenchTable): Promise<Section> {
  const figures: string[] = [];
  for (const chart of chartsOf(rows)) figures.push(await renderChart(chart));
  const table = renderTable({
    id: `${name}-table`,
    caption: title,
    columns: [
      { head: 'measured' },
      { head: 'n', number: true },
      { head: 'median', number: true },
      { head: 'range', rare: true },
      { head: 'beside' },
      { head: 'median', number: true },
      { head: 'ratio', number: true },
      { head: 'target' },
    ],
    rows: rows.map(rowOf),
  });
  return {
    id: name,
    title,
    html: `<div class="plots">${figures.join('\n')}</div>\n${table}\n${notes.map((note) => `<p class="soft">${escapeHtml(note)}</p>`).join('\n')}`,
  };
}

function rowOf({ n, measure, reference, ratio, target }: BenchRow): Row {
  const tone = target?.met === true ? 'passed' : 'failed';
  const verdict =
    target === undefined
      ? ''
      : `<span class="badge ${tone}">${target.met ? 'met' : 'not met'}</span> ${escapeHtml(target.text)}`;
  return {
    kind: target === undefined ? 'none' : tone,
    cells: [
      { html: escapeHtml(measure.what) },
      n === undefined ? { html: '', value: -1 } : { html: readable(n), value: n },
      { html: `${readable(measure.median)} ${unitOf(measure)}`, value: measure.median },
      {
        html: measure.low === measure.high ? '' : `${readable(measure.low)}–${readable(measure.high)}`,
        value: measure.low,
      },
      { html: reference === undefined ? '' : escapeHtml(reference.what) },
      reference === undefined
        ? { html: '', value: -1 }
        : { html: `${readable(reference.median)} ${unitOf(reference)}`, value: reference.median },
      ratio === undefined ? { html: '', value: -1 } : { html: readable(ratio), value: ratio },
      { html: verdict },
    ],
  };
}

function unitOf({ unit }: Measure): string {
  return unit === 'count' ? '' : unit;
}

/** A chart a unit, for what was measured at several sizes: ours and what stands beside it. */
function chartsOf(rows: readonly BenchRow[]): Chart[] {
  const points = rows.flatMap(({ n, measure, reference }) =>
    n === undefined ? [] : [measure, ...(reference === undefined ? [] : [reference])].map((one) => ({ n, ...one })),
  );
  const units = [...new Set(points.map(({ unit }) => unit))];
  return units.flatMap((unit): Chart[] => {
    const mine = points.filter((point) => point.unit === unit);
    const series = [...new Set(mine.map(({ what }) => what))]
      .map((name) => {
        const own = mine.filter(({ what }) => what === name).map(({ n, median }) => ({ x: n, y: median }));
        const once = own.filter(({ x }, at) => own.findIndex((point) => point.x === x) === at);
        return { name, points: once.sort((a, b) => a.x - b.x) };
      })
      .filter((one) => one.points.length > 1);
    return inFives(series).map((few) => ({
      title: unit === 'count' ? 'Counts against n' : `In ${unit}, against n`,
      x: { title: 'n', log: true },
      y: { title: unit === 'count' ? 'count' : unit },
      series: few,
    }));
  });
}

/** No chart holds more curves than can be told apart. */
function inFives<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / 5) }, (_, at) => all.slice(5 * at, 5 * at + 5));
}
