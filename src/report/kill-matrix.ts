/** The kill matrix: which faulty stores were caught, by which rules, and how fast; as data, as text and as Markdown. */
import type { Kill } from '../mutants/kill.ts';
import { killersOf, type LoneKiller, loneKillers, loneKillerTable, renderLoneKillers } from './lone-killers.ts';

/** What `pagecheck mutants` writes. */
export interface KillMatrix {
  readonly format: 'pagecheck-kill-matrix';
  readonly version: 1;
  readonly pagecheck: string;
  readonly seed: number;
  readonly runs: number;
  readonly rows: readonly Kill[];
  /** Of each must-rule the mutants that it alone killed; computed from the rows when the matrix is written. */
  readonly alone?: readonly LoneKiller[];
}

/** Tells whether a row is as it should be: killed by a rule that the fault breaks and by no other, or equivalent. */
export function isSound({ outcome, stray }: Kill): boolean {
  return (outcome === 'killed' || outcome === 'equivalent') && stray.length === 0;
}

/** Parses a matrix that an earlier run wrote; undefined where the text is none, or of another version of this format. */
export function parseKillMatrix(text: string): KillMatrix | undefined {
  try {
    const value = JSON.parse(text) as Partial<KillMatrix> | null;
    const isMatrix = value?.format === 'pagecheck-kill-matrix' && value.version === 1 && Array.isArray(value.rows);
    return isMatrix ? (value as KillMatrix) : undefined;
  } catch {
    return undefined;
  }
}

/** Formats a matrix as JSON with a row a line, so that two of them can be compared; it ends with a newline. */
export function formatKillMatrix({ rows, alone: _, ...head }: KillMatrix): string {
  const listed = (name: string, items: readonly unknown[]): string =>
    `  "${name}": [\n${items.map((item) => `    ${JSON.stringify(item)}`).join(',\n')}\n  ]`;
  const parts = [listed('rows', rows), listed('alone', loneKillers(rows))];
  return `${JSON.stringify(head, undefined, 2).slice(0, -2)},\n${parts.join(',\n')}\n}\n`;
}

const columns = ['mutant', 'outcome', 'killed by', 'ms', 'run', 'steps', 'stray'] as const;

/** The cells of a row, under `columns`. */
function cells({ id, outcome, kill, steps, stray }: Kill): readonly string[] {
  return [
    id,
    outcome,
    kill?.rule ?? '',
    kill === undefined ? '' : kill.ms.toFixed(0),
    kill === undefined ? '' : kill.run < 0 ? 'cost' : String(kill.run),
    steps === undefined ? '' : String(steps),
    stray.join(' '),
  ];
}

/** Renders rows as a table of fixed width; a row that is not sound says below itself what the fault is. */
export function renderKillTable(rows: readonly Kill[]): string {
  const table = [columns, ...rows.map(cells)];
  const widths = columns.map((_, at) => Math.max(...table.map((row) => row[at]!.length)));
  const line = (row: readonly string[]): string => `  ${row.map((cell, at) => cell.padEnd(widths[at]!)).join('  ')}`;
  const body = rows.flatMap((row) => [line(cells(row)), ...(isSound(row) ? [] : [`    ${remark(row)}`])]);
  return `${[line(columns), ...body].map((text) => text.trimEnd()).join('\n')}\n`;
}

function remark({ fault, breaks, crash }: Kill): string {
  const ended = crash === undefined ? '' : `; ended by: ${crash}`;
  return `the fault: ${fault}; it breaks ${breaks.join(' ') || 'nothing'}${ended}`;
}

/** Renders what all rows say together, a line each. */
export function killSummary(rows: readonly Kill[]): readonly string[] {
  const triedMs = rows.reduce((sum, row) => sum + (row.triedMs ?? 0), 0);
  return [
    ...outcomeLines(rows),
    `tried for ${(triedMs / 1000).toFixed(0)} s, all mutants together`,
    ...renderLoneKillers(rows),
  ];
}

/** How many mutants met which end, in all and by area. */
function outcomeLines(rows: readonly Kill[]): readonly string[] {
  const killed = rows.filter(({ outcome }) => outcome === 'killed');
  const areas = [...new Set(rows.map(({ area }) => area))];
  const outcomes = ['equivalent', 'survived', 'misattributed', 'crashed'] as const;
  const others = outcomes
    .map((outcome) => ({ outcome, count: rows.filter((row) => row.outcome === outcome).length }))
    .filter(({ count }) => count > 0)
    .map(({ outcome, count }) => `, ${count} ${outcome}`);
  const strays = rows.filter(({ stray }) => stray.length > 0).length;
  return [
    `${rows.length} mutants: ${killed.length} killed${others.join('')}; ${strays} with stray rules`,
    ...areas.map((area) => areaLine(area, rows)),
  ];
}

function areaLine(area: string, rows: readonly Kill[]): string {
  const ours = rows.filter((row) => row.area === area);
  const killed = ours.filter(({ outcome }) => outcome === 'killed');
  const ms = median(killed.map(({ kill }) => kill?.ms ?? 0));
  const steps = median(killed.map((row) => row.steps ?? 0));
  const slowest = Math.max(0, ...killed.map(({ kill }) => kill?.ms ?? 0));
  return `${area}: ${killed.length} of ${ours.length} killed; first kill after ${ms.toFixed(0)} ms (median), ${slowest.toFixed(0)} ms at most; ${steps} steps (median)`;
}

/** The middle value, the mean of the two in the middle; 0 of none. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  if (sorted.length === 0) return 0;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** Renders a matrix as Markdown: what was run, the summary, and every row with its fault. */
export function renderKillMarkdown({ pagecheck, seed, runs, rows }: KillMatrix): string {
  const table = rows.map((row) => {
    const [id, outcome, , ms, run, steps, stray] = cells(row);
    const why = row.equivalent === undefined ? row.fault : `${row.fault}; ${row.equivalent}`;
    const texts = [id, why.replaceAll('|', '\\|'), outcome, killersOf(row).join(' '), ms, run, steps, stray];
    return `| ${texts.join(' | ')} |`;
  });
  return `# Kill matrix

Written by \`pagecheck mutants\`, pagecheck ${pagecheck}, seed ${seed}, at most ${runs} programs a mutant. Each row is a
store that is right but for one fault. Times run from the opening of the store to the first violation of a rule that the
fault breaks; steps are those of the shrunk program.

${killSummary(rows)
  .map((line) => `- ${line}`)
  .join('\n')}

| mutant | the one fault | outcome | killed by | ms | run | steps | stray |
|---|---|---|---|---|---|---|---|
${table.join('\n')}

${loneKillerTable(rows)}
`;
}

const OPEN = '<!-- kill matrix -->';
const CLOSE = '<!-- /kill matrix -->';

/**
 * Replaces what stands between the markers `<!-- kill matrix -->` and `<!-- /kill matrix -->` by what a matrix says in
 * short. Throws a plain `Error` where the document has not exactly one pair of them in order.
 */
export function withKillSummary(document: string, { rows, seed }: KillMatrix): string {
  const start = document.indexOf(OPEN);
  const end = document.indexOf(CLOSE);
  const single = start === document.lastIndexOf(OPEN) && end === document.lastIndexOf(CLOSE);
  if (start < 0 || end < start || !single) throw new Error(`The document needs one ${OPEN} and then one ${CLOSE}`);
  const lines = [`\`pagecheck mutants\`, seed ${seed}:`, '', ...outcomeLines(rows), renderLoneKillers(rows)[0]].map(
    (line, at) => (at < 2 ? line : `- ${line}`),
  );
  return `${document.slice(0, start + OPEN.length)}\n\n${lines.join('\n')}\n\n${document.slice(end)}`;
}
