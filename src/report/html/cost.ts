/** Cost certificates as a page: verdicts, curves against the number of tasks and the depth, every counter, plans. */
import { ruleById } from '../../../spec/contract.ts';
import type { CostCertificate, CostCurve, CostRule } from '../../suite/cost-certificate.ts';
import { saySetting } from '../../suite/cost-settings.ts';
import { sayNumber } from '../../suite/growth.ts';
import { renderCostCount } from '../cost-text.ts';
import { renderDuration } from '../duration.ts';
import { costCharts } from './cost-charts.ts';
import { anchor, escapeHtml } from './escape.ts';
import { renderPage, type Section } from './page.ts';
import { renderFilters, renderTable, type Table } from './table.ts';

/** How severely a page judges: under `strict` a violated should-rule is a failure. */
export interface CostPageOptions {
  readonly strict?: boolean;
}

const tones: Readonly<Record<CostRule['status'], string>> = {
  pass: 'passed',
  fail: 'failed',
  vacuous: 'undecided',
  unknown: 'undecided',
  'not-applicable': 'skipped',
};

/** Renders cost certificates as one self-contained HTML page. */
export async function renderHtmlCosts(
  certificates: readonly CostCertificate[],
  options: CostPageOptions = {},
): Promise<string> {
  const names = certificates.map(({ subject }) => subject).join(', ');
  const count = renderCostCount(certificates, options).trim();
  const charts = await costCharts(certificates);
  const sections: Section[] = [
    {
      id: 'curves',
      title: 'Cost against the number of tasks and the depth',
      html: `<p class="soft">Lists of 50 tasks without total or filter, tasks saved in order of time. Both axes run in powers of ten; a flat line costs the same at any size. The word in brackets is the growth class that the figures keep.</p>
<div class="plots">${charts.join('\n')}</div>`,
    },
    ...certificates.flatMap(sectionsOf),
  ];
  const lead = `<header><p class="soft">pagecheck cost certificate: what lists and writes cost, by ${byWhat(certificates)}</p>
<h1>${escapeHtml(names)}</h1>
${certificates.map((certificate) => verdict(certificate, options)).join('\n')}
<p class="soft">${escapeHtml(count)}.</p></header>`;
  return renderPage({ title: `pagecheck cost: ${names}: ${count}`, lead, sections });
}

function byWhat(certificates: readonly CostCertificate[]): string {
  const clocks = certificates.some(({ curves }) => curves.some(({ by }) => by === 'clock'));
  return clocks ? 'counters, and by clocks where nothing can be counted' : 'counters, not clocks';
}

function verdict(
  { subject, rules, complete, curves, sizes, durationMs }: CostCertificate,
  { strict }: CostPageOptions,
): string {
  const broken = rules.filter(({ status, level }) => status === 'fail' && (level === 'M' || strict === true));
  const open = rules.filter(({ status }) => status === 'vacuous' || status === 'unknown');
  const held = rules.filter(({ status }) => status === 'pass').map(({ rule }) => rule);
  const tone =
    broken.length > 0 ? 'failed' : open.length > 0 || held.length === 0 || !complete ? 'undecided' : 'passed';
  const words =
    broken.length > 0
      ? `costs more than it may: ${broken.map(({ rule }) => rule).join(', ')} broken`
      : tone === 'passed'
        ? `keeps its bounds: ${held.join(', ')}`
        : `is not decided in full: ${held.length === 0 ? 'nothing was shown' : `${held.join(', ')} hold`}`;
  const measured = `${sayNumber(curves.length)} counters at ${sizes.map(sayNumber).join(', ')} tasks in ${renderDuration(durationMs)}${complete ? '' : '; ended before everything was measured'}`;
  return `<div class="verdict ${tone}"><strong>${escapeHtml(subject)} ${escapeHtml(words)}.</strong><br>${measured}.</div>`;
}

function sectionsOf(certificate: CostCertificate): Section[] {
  const { subject, notes, plans } = certificate;
  const id = anchor(`cost ${subject}`);
  const planList = plans.map(({ setting, n, lines, rows, removed, buffers }) => {
    const figures = `${rows} rows, ${removed} discarded, ${buffers} buffers`;
    const name = `${saySetting(setting)} (${setting.shape}) at ${sayNumber(n)} tasks: ${figures}`;
    const text = lines.map(escapeHtml).join('\n');
    return `<details><summary>${escapeHtml(name)}</summary><div class="scroll" role="region" tabindex="0" aria-label="${escapeHtml(`Plan of ${name}`)}"><pre>${text}</pre></div></details>`;
  });
  const parts: (Section | false)[] = [
    { id, title: `${subject}: rules`, html: `<ul class="verdicts">${certificate.rules.map(ruleItem).join('')}</ul>` },
    { id: `${id}-counters`, title: `${subject}: every counter`, html: curveTable(certificate, `${id}-table`) },
    plans.length > 0 && {
      id: `${id}-plans`,
      title: `${subject}: plans of its own statements`,
      html: planList.join('\n'),
    },
    notes.length > 0 && {
      id: `${id}-notes`,
      title: `${subject}: notes`,
      html: `<ul>${notes.map((note) => `<li>${escapeHtml(note)}</li>`).join('')}</ul>`,
    },
  ];
  return parts.filter((part) => part !== false);
}

function ruleItem({ rule, status, witnesses, reason }: CostRule): string {
  const more = reason === undefined ? '' : `<br><span class="soft">${escapeHtml(reason)}</span>`;
  return `<li><span class="badge ${tones[status]}">${status}</span> <strong>${escapeHtml(rule)}</strong> ${escapeHtml(ruleById(rule)?.title ?? '')}, ${sayNumber(witnesses)} measurements${more}</li>`;
}

const standings: Readonly<Record<CostCurve['standing'], string>> = {
  broken: 'failed',
  undecided: 'undecided',
  held: 'passed',
  reported: 'skipped',
};

function curveTable({ curves, sizes, subject }: CostCertificate, id: string): string {
  const table: Table = {
    id,
    caption: `What ${subject} costs`,
    columns: [
      { head: 'setting' },
      { head: 'shape' },
      { head: 'counter' },
      ...sizes.map((n) => ({ head: `n = ${sayNumber(n)}`, number: true })),
      { head: 'growth' },
      { head: 'verdict' },
      { head: 'decided by', rare: true },
    ],
    rows: curves.map((curve) => ({
      kind: curve.standing,
      cells: [
        { html: escapeHtml(saySetting(curve.setting)) },
        { html: curve.setting.shape },
        { html: escapeHtml(`${curve.counter}, ${curve.unit}`) },
        ...sizes.map((n) => {
          const value = curve.points.find((point) => point.n === n)?.value;
          return value === undefined ? { html: '–', value: -1 } : { html: sayNumber(value), value };
        }),
        { html: curve.growth },
        {
          html: `<span class="badge ${standings[curve.standing]}">${curve.standing}</span> ${escapeHtml(curve.rule ?? '')}`,
        },
        { html: escapeHtml(curve.decidedBy) },
      ],
    })),
  };
  const kinds = Object.keys(standings).map((kind) => ({ kind, name: kind }));
  return `${renderFilters(table, kinds)}\n${renderTable(table)}`;
}
