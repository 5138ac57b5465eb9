/** What a report can do beyond being read: its tables sort and filter. Without it everything is shown, in order. */

/**
 * Every `table[data-sorts]` gets a button in each head cell; ties keep the order in which they stand. A form
 * `[data-filters=ID]` hides the rows of table ID whose `data-kind` is unchecked or which do not hold the text. On
 * paper everything is unfolded.
 */
export const script: string = `
'use strict';
(() => {
  const value = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.value ?? cell.textContent.trim();
  };
  const compare = (a, b) => {
    const [x, y] = [Number(a), Number(b)];
    if (a !== '' && b !== '' && !Number.isNaN(x) && !Number.isNaN(y)) return x - y;
    return a.localeCompare(b, 'en', { numeric: true });
  };
  for (const table of document.querySelectorAll('table[data-sorts]')) {
    const heads = [...table.tHead.rows[0].cells];
    const rows = [...table.tBodies[0].rows];
    for (const [column, head] of heads.entries()) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = head.textContent;
      head.replaceChildren(button);
      head.setAttribute('aria-sort', 'none');
      button.addEventListener('click', () => {
        const before = head.getAttribute('aria-sort');
        const first = head.classList.contains('number') ? 'descending' : 'ascending';
        const other = first === 'ascending' ? 'descending' : 'ascending';
        const now = before === 'none' ? first : before === first ? other : 'none';
        for (const one of heads) one.setAttribute('aria-sort', 'none');
        head.setAttribute('aria-sort', now);
        const sign = now === 'descending' ? -1 : 1;
        const sorted = now === 'none' ? rows : [...rows].sort((a, b) => sign * compare(value(a, column), value(b, column)));
        table.tBodies[0].append(...sorted);
      });
    }
  }
  for (const form of document.querySelectorAll('[data-filters]')) {
    const table = document.getElementById(form.dataset.filters);
    const rows = [...table.tBodies[0].rows];
    const told = form.querySelector('[aria-live]');
    const text = form.querySelector('input[type=search]');
    const apply = () => {
      const kinds = new Set([...form.querySelectorAll('input:checked')].map((box) => box.value));
      const wanted = text.value.trim().toLowerCase();
      let shown = 0;
      for (const row of rows) {
        const fits = kinds.has(row.dataset.kind) && row.textContent.toLowerCase().includes(wanted);
        row.hidden = !fits;
        if (fits) shown++;
      }
      told.textContent = 'showing ' + shown + ' of ' + rows.length;
    };
    form.hidden = false;
    form.addEventListener('input', apply);
    form.addEventListener('submit', (event) => event.preventDefault());
    apply();
  }
  addEventListener('beforeprint', () => {
    for (const one of document.querySelectorAll('details')) one.open = true;
  });
})();
`.trim();
