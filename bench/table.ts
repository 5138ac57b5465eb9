/** What a part of the benchmark gives: rows of measurements beside their references and targets, as plain data. */

/** What a part is told. */
export interface BenchOptions {
  /** A short run on small data: a look, whose figures decide nothing. */
  readonly quick: boolean;
  /** Tells a line of progress. */
  readonly progress: (line: string) => void;
}

/** A part of the benchmark. */
export interface BenchPart {
  /** What the command line calls it. */
  readonly name: string;
  run(options: BenchOptions): Promise<BenchTable>;
}

/** One quantity, measured over several rounds. */
export interface Measure {
  /** What was measured. */
  readonly what: string;
  readonly unit: 'ns' | 'µs' | 'ms' | 'ops/s' | 'events/s' | 'count' | 'bytes';
  readonly median: number;
  /** The least and the greatest round; equal to the median where a count has no spread. */
  readonly low: number;
  readonly high: number;
  readonly rounds: number;
}

/** What `limits.md` of the project's brief asks of a row, in words, and whether this run showed it. */
export interface Target {
  readonly text: string;
  readonly met: boolean;
}

/** A measure, what it stands beside, and how they relate. */
export interface BenchRow {
  /** The size of what was measured, such as the number of tasks; absent where it has none. */
  readonly n?: number;
  readonly measure: Measure;
  readonly reference?: Measure;
  /** Median over the rounds of `measure / reference` within one round. */
  readonly ratio?: number;
  readonly target?: Target;
}

/** The rows of one part. */
export interface BenchTable {
  readonly name: string;
  readonly title: string;
  readonly rows: readonly BenchRow[];
  /** What a reader must know to read the figures. */
  readonly notes?: readonly string[];
}

/** A measure of something that is counted, not timed: the same in every round. */
export function counted(what: string, count: number): Measure {
  return { what, unit: 'count', median: count, low: count, high: count, rounds: 1 };
}

const HEADINGS = ['n', 'measured', 'median', 'range', 'reference', 'median', 'range', 'ratio', 'target', 'met'];

/** Lays a table out as aligned plain text, ending in a newline. */
export function renderTable(table: BenchTable): string {
  const lines = [HEADINGS, ...table.rows.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((cells) => cells[column]!.length)));
  const text = lines.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
  const notes = (table.notes ?? []).map((note) => `  ${note}`);
  return `${[table.title, ...text, ...notes].join('\n')}\n`;
}

function cellsOf({ n, measure, reference, ratio, target }: BenchRow): string[] {
  return [
    n === undefined ? '' : n.toLocaleString('en'),
    ...measureCells(measure),
    ...(reference === undefined ? ['', '', ''] : measureCells(reference)),
    ratio === undefined ? '' : ratio < 0.1 ? `1/${readable(1 / ratio)}` : `${readable(ratio)}`,
    target?.text ?? '',
    target === undefined ? '' : target.met ? 'met' : 'NOT MET',
  ];
}

function measureCells({ what, unit, median, low, high }: Measure): string[] {
  const suffix = unit === 'count' ? '' : ` ${unit}`;
  return [what, `${readable(median)}${suffix}`, low === high ? '' : `${readable(low)}–${readable(high)}`];
}

/** Renders a figure with three digits or more, thousands grouped. */
export function readable(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}
