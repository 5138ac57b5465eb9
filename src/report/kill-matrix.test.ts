import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Kill } from '../mutants/kill.ts';
import {
  formatKillMatrix,
  isSound,
  type KillMatrix,
  killSummary,
  parseKillMatrix,
  renderKillMarkdown,
  renderKillTable,
  withKillSummary,
} from './kill-matrix.ts';
import { loneKillers, renderLoneKillers } from './lone-killers.ts';

function row(id: string, breaks: readonly string[], killers: readonly string[], more: Partial<Kill> = {}): Kill {
  const fired = killers.map((rule, run) => ({ rule, run, ms: 10 * run + 5 }));
  const kill = fired.find(({ rule }) => breaks.includes(rule));
  return {
    id,
    area: 'memory',
    fault: `the fault of ${id}`,
    breaks,
    fired,
    outcome: kill === undefined ? 'survived' : 'killed',
    stray: killers.filter((rule) => !breaks.includes(rule)),
    programs: 600,
    triedMs: 1_500,
    ...(kill === undefined ? {} : { kill, steps: 3 }),
    ...more,
  };
}

const rows: readonly Kill[] = [
  row('ONE', ['TIME-1'], ['TIME-1']),
  row('TWO', ['WALK-1', 'WALK-2'], ['WALK-1', 'WALK-2']),
  row('STRAY', ['TIME-2'], ['TOKEN-5', 'TIME-2']),
  row('ALIVE', ['WALK-5'], []),
  row('SAME', [], [], { outcome: 'equivalent', equivalent: 'nobody can tell' }),
  row('DEAD', ['TIME-4'], [], { outcome: 'crashed', crash: 'its process ended with SIGKILL' }),
];
const matrix: KillMatrix = { format: 'pagecheck-kill-matrix', version: 1, pagecheck: '9', seed: 1, runs: 6000, rows };

describe('a row of the kill matrix', () => {
  it('is sound where a rule that the fault breaks fired and no other, or where nobody can tell', () => {
    expect(rows.filter(isSound).map(({ id }) => id)).toEqual(['ONE', 'TWO', 'SAME']);
  });

  it('that is not sound tells its fault below itself, and what ended it', () => {
    const table = renderKillTable(rows);
    expect(table).toContain('the fault: the fault of STRAY; it breaks TIME-2');
    expect(table).toContain('it breaks TIME-4; ended by: its process ended with SIGKILL');
    expect(table).not.toContain('the fault of ONE');
  });
});

describe('the only killers', () => {
  it('are the must-rules that killed some mutant by themselves', () => {
    const alone = loneKillers(rows);
    expect(alone.find(({ rule }) => rule === 'TIME-1')).toEqual({ rule: 'TIME-1', mutants: ['ONE'] });
    // What fired although the fault does not break it is no killer.
    expect(alone.find(({ rule }) => rule === 'TIME-2')).toEqual({ rule: 'TIME-2', mutants: ['STRAY'] });
    expect(alone.find(({ rule }) => rule === 'WALK-1')).toEqual({ rule: 'WALK-1', mutants: [] });
    expect(alone.map(({ rule }) => rule)).not.toContain('TOKEN-5');
  });

  it('are counted, and the others have their reason told or are named', () => {
    const lines = renderLoneKillers(rows);
    expect(lines[0]).toBe('must-rules that are the only killer of some mutant: 2 of 6');
    expect(lines[1]).toMatch(/^WALK-5 never is: an empty page with a token/);
    expect(lines[2]).toBe('no mutant died by them alone: TIME-4 WALK-1 WALK-2');
  });
});

describe('the kill matrix', () => {
  it('is read back as it was written, a row a line', () => {
    const text = formatKillMatrix(matrix);
    expect(parseKillMatrix(text)?.rows).toEqual(rows);
    expect(parseKillMatrix(text)?.alone).toEqual(loneKillers(rows));
    expect(text.split('\n').filter((line) => line.includes('"id":"ONE"'))).toHaveLength(1);
  });

  it.each(['', '{}', '[1', 'null', '{"format":"pagecheck-kill-matrix","version":2,"rows":[]}'])(
    'that is none, %j, is not read',
    (text) => {
      expect(parseKillMatrix(text)).toBeUndefined();
    },
  );

  it('is summed up by outcome and area', () => {
    const [first, area, tried] = killSummary(rows);
    expect(first).toBe('6 mutants: 3 killed, 1 equivalent, 1 survived, 1 crashed; 1 with stray rules');
    expect(area).toBe('memory: 3 of 6 killed; first kill after 5 ms (median), 15 ms at most; 3 steps (median)');
    expect(tried).toBe('tried for 9 s, all mutants together');
  });

  it('as Markdown has a row for each mutant and one for each must-rule', () => {
    const text = renderKillMarkdown(matrix);
    expect(text).toContain('| TWO | the fault of TWO | killed | WALK-1 WALK-2 | 5 | 0 | 3 |  |');
    expect(text).toContain('| SAME | the fault of SAME; nobody can tell | equivalent |');
    expect(text).toContain('| TIME-1 | ONE |');
    expect(text).toContain('| WALK-1 | none: no mutant of this run died by it alone |');
  });
});

describe('the summary in the README', () => {
  const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

  it('is that of the committed sample; `npm run -s rules-table` writes it', () => {
    const sample = parseKillMatrix(read('reports/sample-kill-matrix.json'));
    const readme = read('README.md');
    expect(readme === withKillSummary(readme, sample!), 'README.md drifted: run `npm run -s rules-table`').toBe(true);
    expect(read('reports/sample-kill-matrix.md') === renderKillMarkdown(sample!), 'the two samples differ').toBe(true);
  });

  it.each(['', '<!-- kill matrix -->', '<!-- /kill matrix --><!-- kill matrix -->'])(
    'needs its markers, not %j',
    (document) => {
      expect(() => withKillSummary(document, matrix)).toThrow('needs one <!-- kill matrix -->');
    },
  );
});
