/** The kill matrix as a page: which faulty stores were caught, by which rules, and how fast. */
import { ruleById } from '../../../spec/contract.ts';
import type { Kill } from '../../mutants/kill.ts';
import { isSound, type KillMatrix, killSummary } from '../kill-matrix.ts';
import { escapeHtml, groupDigits } from './escape.ts';
import { renderPage } from './page.ts';
import { renderFilters, renderTable, type Table } from './table.ts';

/** Renders a kill matrix as one self-contained HTML page: the verdict, every mutant, and what each rule kills. */
export function renderHtmlKillMatrix(matrix: KillMatrix): string {
  const { pagecheck, seed, runs, rows } = matrix;
  const sound = rows.filter(isSound).length;
  const good = rows.length > 0 && sound === rows.length;
  const words = good
    ? `All ${rows.length} faulty stores are caught, each by a rule that it breaks and by no other.`
    : `${rows.length - sound} of ${rows.length} faulty stores are not caught as they should be.`;
  const facts = [
    ['seed', String(seed)],
    ['programs a mutant, at most', groupDigits(runs)],
    ['pagecheck', pagecheck],
  ];
  const lead = `<header><p class="soft">pagecheck mutants: would the harness notice? Each row is a store that is right but for one fault.</p>
<h1>Kill matrix</h1>
<div class="verdict ${good ? 'passed' : 'failed'}"><strong>${words}</strong></div>
<ul>${killSummary(rows)
    .map((line) => `<li>${escapeHtml(line)}</li>`)
    .join('')}</ul>
<dl class="facts">${facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${escapeHtml(value!)}</dd></div>`).join('')}</dl></header>`;
  return renderPage({
    title: `pagecheck mutants: ${sound} of ${rows.length} caught`,
    lead,
    sections: [
      { id: 'mutants', title: 'Mutants', html: mutantTable(rows) },
      { id: 'killers', title: 'What each rule kills', html: killerTable(rows) },
    ],
  });
}

const tones: Readonly<Record<string, string>> = { killed: 'passed', equivalent: 'skipped', survived: 'failed' };

function mutantTable(rows: readonly Kill[]): string {
  const table: Table = {
    id: 'mutant-table',
    caption: 'Faulty stores, and the first violation of a rule that the fault breaks',
    columns: [
      { head: 'mutant' },
      { head: 'outcome' },
      { head: 'the one fault' },
      { head: 'killed by' },
      { head: 'after ms', number: true },
      { head: 'run', number: true, rare: true },
      { head: 'steps', number: true, rare: true },
    ],
    rows: rows.map((row) => ({
      kind: isSound(row) ? row.outcome : 'not as it should be',
      cells: [
        { html: escapeHtml(row.id) },
        { html: `<span class="badge ${isSound(row) ? tones[row.outcome] : 'failed'}">${row.outcome}</span>` },
        { html: faultCell(row) },
        { html: escapeHtml(killersOf(row).join(' ')) },
        row.kill === undefined ? { html: '–', value: -1 } : { html: row.kill.ms.toFixed(0), value: row.kill.ms },
        row.kill === undefined
          ? { html: '–', value: -2 }
          : { html: row.kill.run < 0 ? 'cost' : groupDigits(row.kill.run), value: row.kill.run },
        row.steps === undefined ? { html: '–', value: -1 } : { html: String(row.steps), value: row.steps },
      ],
    })),
  };
  const kinds = ['not as it should be', 'killed', 'equivalent'].map((kind) => ({ kind, name: kind }));
  return `${renderFilters(table, kinds)}\n${renderTable(table)}`;
}

function faultCell({ fault, equivalent, breaks, stray, crash }: Kill): string {
  const more = [
    equivalent ?? '',
    stray.length === 0 ? '' : `also fired, which the fault does not explain: ${stray.join(' ')}`,
    crash === undefined ? '' : `ended by: ${crash}`,
    breaks.length === 0 ? '' : `breaks ${breaks.join(' ')}`,
  ].filter((text) => text !== '');
  return `${escapeHtml(fault)}<br><span class="soft">${escapeHtml(more.join('; '))}</span>`;
}

function killersOf({ fired, breaks }: Kill): readonly string[] {
  return fired.filter(({ rule }) => breaks.includes(rule)).map(({ rule }) => rule);
}

function killerTable(rows: readonly Kill[]): string {
  const kills = rows.map(killersOf);
  const rules = [...new Set(kills.flat())].sort();
  const table: Table = {
    id: 'killer-table',
    caption: 'Rules, with how many mutants each kills, and how many would live without it',
    columns: [
      { head: 'rule' },
      { head: 'what holds' },
      { head: 'kills', number: true },
      { head: 'alone', number: true },
    ],
    rows: rules.map((rule) => {
      const mine = kills.filter((killers) => killers.includes(rule));
      const alone = mine.filter(({ length }) => length === 1).length;
      return {
        kind: 'rule',
        cells: [
          { html: escapeHtml(rule) },
          { html: escapeHtml(ruleById(rule)?.title ?? 'not a rule of this version') },
          { html: String(mine.length), value: mine.length },
          { html: String(alone), value: alone },
        ],
      };
    }),
  };
  return renderTable(table);
}
