import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rules } from '../../spec/contract.ts';
import { renderRulesTable, withRulesTable } from './rules-table.ts';

describe('the table of rules', () => {
  it('has a row of five cells for every rule', () => {
    const rows = renderRulesTable()
      .split('\n')
      .filter((line) => /^\| [A-Z]+-\d+ \|/.test(line));
    expect(rows.map((row) => row.split(' | ')[0]!.slice(2))).toEqual(rules.map((rule) => rule.id));
    for (const row of rows) expect(row.match(/(?<!\\)\|/g), row).toHaveLength(6);
  });

  it('names the scopes where a must is only a should', () => {
    expect(renderRulesTable()).toContain('| WALK-6 | M; S for X | I P X | ours |');
  });

  it('stands in the README as it is generated; `npm run -s rules-table` writes it', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    expect(readme === withRulesTable(readme), 'README.md drifted: run `npm run -s rules-table`').toBe(true);
  });

  it('replaces what stands between the markers and nothing else', () => {
    const document = withRulesTable('above\n<!-- rules -->old<!-- /rules -->\nbelow\n');
    expect(document).toBe(`above\n<!-- rules -->\n\n${renderRulesTable()}\n\n<!-- /rules -->\nbelow\n`);
    expect(withRulesTable(document)).toBe(document);
  });

  it.each(['', '<!-- rules -->', '<!-- /rules --><!-- rules -->', '<!-- rules --><!-- rules --><!-- /rules -->'])(
    'refuses a document whose markers are %j',
    (document) => {
      expect(() => withRulesTable(document)).toThrow('needs one <!-- rules --> and then one <!-- /rules -->');
    },
  );
});
