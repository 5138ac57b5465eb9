/** Tables that sort, and the forms that filter them. */
import { escapeHtml } from './escape.ts';

export interface Column {
  readonly head: string;
  /** Figures: to the right, and sorted from the greatest down. */
  readonly number?: boolean;
  /** Left out on a narrow screen. */
  readonly rare?: boolean;
}

export interface Cell {
  readonly html: string;
  /** What it is sorted by, where that is not its text. */
  readonly value?: number | string;
}

export interface Row {
  /** What a form shows or hides it by. */
  readonly kind: string;
  /** The first one names the row. */
  readonly cells: readonly Cell[];
  readonly id?: string;
}

export interface Table {
  readonly id: string;
  /** What the table holds, said above it. */
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** Renders a table with a head cell a row; on a narrow screen it may be scrolled by itself. */
export function renderTable({ id, caption, columns, rows }: Table): string {
  const classOf = ({ number, rare }: Column): string => {
    const names = [number === true ? 'number' : '', rare === true ? 'rare' : ''].filter((name) => name !== '');
    return names.length === 0 ? '' : ` class="${names.join(' ')}"`;
  };
  const heads = columns.map((column) => `<th scope="col"${classOf(column)}>${escapeHtml(column.head)}</th>`).join('');
  const body = rows.map(({ kind, cells, id: rowId }) => {
    const html = cells.map((cell, at) => {
      const value = cell.value === undefined ? '' : ` data-value="${escapeHtml(String(cell.value))}"`;
      const tag = at === 0 ? 'th scope="row"' : 'td';
      return `<${tag}${classOf(columns[at]!)}${value}>${cell.html}</${at === 0 ? 'th' : 'td'}>`;
    });
    return `<tr data-kind="${escapeHtml(kind)}"${rowId === undefined ? '' : ` id="${rowId}"`}>${html.join('')}</tr>`;
  });
  return `<div class="scroll" role="region" tabindex="0" aria-label="${escapeHtml(caption)}"><table id="${id}" data-sorts>
<caption>${escapeHtml(caption)}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>
${body.join('\n')}
</tbody>
</table></div>`;
}

/** Renders the form that filters a table by kind and by text; `kinds` are the kinds of its rows with what they are called. */
export function renderFilters(
  table: Table,
  kinds: readonly { readonly kind: string; readonly name: string }[],
): string {
  const boxes = kinds
    .map(({ kind, name }) => ({ kind, name, count: table.rows.filter((row) => row.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, name, count }) => {
      return `<label><input type="checkbox" value="${escapeHtml(kind)}" checked> ${escapeHtml(name)} (${count})</label>`;
    });
  return `<form class="filters" data-filters="${table.id}" hidden>
<label>Find <input type="search" autocomplete="off"></label>
${boxes.join('\n')}
<span aria-live="polite" class="soft"></span>
</form>`;
}
