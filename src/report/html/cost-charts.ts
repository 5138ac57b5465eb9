/** Which curves of cost certificates are drawn, and beside which. */
import type { CostCertificate, CostCurve } from '../../suite/cost-certificate.ts';
import { sayNumber } from '../../suite/growth.ts';
import { type Chart, renderChart, type Series } from './chart.ts';

/** Counters that tell most, in the order in which they are drawn. */
const telling: readonly string[] = [
  'visits',
  'comparisons',
  'buffers',
  'rows',
  'policyCalls',
  'peakHeld',
  'bytes',
  'time',
];
/** The most that one chart can hold and still be read. */
const mostSeries = 5;

interface Drawn {
  readonly subject: string;
  readonly curve: CostCurve;
}

/** Draws each telling counter against the number of tasks and against the depth, the subjects beside each other. */
export async function costCharts(certificates: readonly CostCertificate[]): Promise<string[]> {
  const charts = telling.flatMap((counter) => {
    const drawn = certificates.flatMap(({ subject, curves }) =>
      curves.filter((curve) => curve.counter === counter && isPlainPage(curve)).map((curve) => ({ subject, curve })),
    );
    return drawn.length === 0 ? [] : [bySize(counter, drawn), ...byDepth(counter, drawn)];
  });
  const figures: string[] = [];
  for (const chart of charts) figures.push(await renderChart(chart));
  return figures;
}

function isPlainPage({
  setting: { operation, shape, pageSize, filter, total, access, transport },
}: CostCurve): boolean {
  const plain = filter === undefined && total !== true && access === undefined && transport === undefined;
  return operation === 'list' && shape === 'in order' && pageSize === 50 && plain;
}

/** Of many curves the first page and the deepest are drawn. */
function bySize(counter: string, drawn: readonly Drawn[]): Chart {
  const unit = drawn[0]!.curve.unit;
  const ends = drawn.length <= mostSeries ? drawn : drawn.filter(({ curve }) => curve.setting.depth !== 0.5);
  const limits = [...new Set(ends.flatMap(({ curve: { limit } }) => limit ?? []))];
  const series = ends.slice(0, mostSeries).map(({ subject, curve }): Series => {
    const { depth = 0 } = curve.setting;
    const where = depth === 0 ? 'first page' : `${depth * 100} % deep`;
    return {
      name: `${subject}, ${where} (${curve.growth})`,
      points: curve.points.map(({ n, value }) => ({ x: n, y: value })),
    };
  });
  const sizes = ends.flatMap(({ curve }) => curve.points.map(({ n }) => n));
  const [limit] = limits;
  const bound: Series[] =
    limit === undefined || limits.length > 1 || series.length >= mostSeries
      ? []
      : [
          {
            name: `allowed: ${sayNumber(limit)}`,
            bound: true,
            points: [Math.min(...sizes), Math.max(...sizes)].map((x) => ({ x, y: limit })),
          },
        ];
  return {
    title: `${counter} a page, against the number of tasks`,
    x: { title: 'tasks', log: true },
    y: { title: `${unit} a page` },
    series: [...series, ...bound],
  };
}

/** At the greatest number of tasks that was measured; nothing where there is only one depth. */
function byDepth(counter: string, drawn: readonly Drawn[]): Chart[] {
  const most = Math.max(...drawn.flatMap(({ curve }) => curve.points.map(({ n }) => n)));
  const subjects = [...new Set(drawn.map(({ subject }) => subject))];
  const series = subjects.map((name): Series => {
    const own = drawn.filter(({ subject }) => subject === name);
    const points = own.flatMap(({ curve }) => {
      const point = curve.points.find(({ n }) => n === most);
      return point === undefined ? [] : [{ x: curve.setting.depth ?? 0, y: point.value }];
    });
    return { name, points: points.sort((a, b) => a.x - b.x) };
  });
  const shown = series.filter(({ points }) => points.length > 1).slice(0, mostSeries);
  if (shown.length === 0) return [];
  return [
    {
      title: `${counter} a page, against the depth at ${sayNumber(most)} tasks`,
      x: { title: 'depth: the share of the list before the page', percent: true },
      y: { title: `${drawn[0]!.curve.unit} a page` },
      series: shown,
    },
  ];
}
