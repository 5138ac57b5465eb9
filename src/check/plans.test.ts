import { describe, expect, it } from 'vitest';
import type { IndexSight, PagesAct, PlanNode, PlannedPage } from '../history/database.ts';
import { judgeAct } from './database.sample.ts';
import { plans } from './plans.ts';

const index = (name: string, ...keys: string[]): IndexSight => ({
  name,
  method: 'btree',
  valid: true,
  partial: false,
  unique: false,
  keys,
});
const indexes = [
  index('all', 'updated_at DESC', 'id COLLATE C DESC'),
  index('context', 'context_id', 'updated_at DESC', 'id COLLATE C DESC'),
];
const scan = (more: Partial<PlanNode> = {}): PlanNode => ({
  node: 'Index Scan',
  relation: 'a2a_tasks',
  index: 'all',
  condition: '(ROW(updated_at, id) < ROW($1, $2))',
  rows: 51,
  removed: 0,
  parts: [],
  ...more,
});
const over = (node: string, part: PlanNode, more: Partial<PlanNode> = {}): PlanNode => ({
  node,
  rows: part.rows,
  removed: 0,
  parts: [part],
  ...more,
});
const page = (root: PlanNode, more: Partial<PlannedPage> = {}, buffers = 55): PlannedPage => ({
  place: 3,
  tasks: 50,
  plans: [{ buffers, root }],
  ...more,
});
const judge = (one: PlannedPage, act: Partial<PagesAct> = {}) =>
  judgeAct(
    plans,
    { act: 'pages', shape: 'one time', tasks: 10_000, pageSize: 50, context: false, pages: 1, ...act },
    { seen: 'pages', indexes, pages: [one] },
  );

describe('the plan of a page', () => {
  it('passes as one range scan that starts at the boundary and stops', () => {
    const value: PlanNode = { node: 'Result', rows: 1, removed: 0, initial: true, parts: [] };
    const root = over('Limit', over('Subquery Scan', scan({ parts: [value] })));
    expect(judge(page(root))).toStrictEqual({ findings: [], witnesses: { 'COST-3': 1 } });
    const { condition: _, ...first } = scan();
    expect(judge(page(over('Limit', first), { place: 0 })).findings).toStrictEqual([]);
    const inContext = scan({
      index: 'context',
      condition: '(context_id = $1) AND (ROW(updated_at, id) < ROW($2, $3))',
    });
    expect(judge(page(inContext), { context: true }).findings).toStrictEqual([]);
  });

  const faults: [string, PlannedPage, RegExp][] = [
    ['a sort', page(over('Sort', scan())), /no single range scan: Sort, 51 rows < Index Scan of all/],
    ['a scan of the table', page(scan({ node: 'Seq Scan' })), /no single range scan/],
    ['a bitmap', page(over('Bitmap Heap Scan', scan({ node: 'Bitmap Index Scan' }))), /no single range scan/],
    ['discarded rows', page(scan({ removed: 4000 })), /discards rows: Index Scan of all, 51 rows \(4000 discarded\)/],
    ['an OR for the row comparison', page(scan({ condition: '(updated_at <= $1)' })), /no index condition/],
    ['another index', page(scan({ index: 'context' })), /it scans context/],
    ['more rows than the page', page(scan({ rows: 52 })), /it reads 52 rows/],
    ['more buffers than rows', page(scan(), {}, 58), /it reads 58 buffers/],
    ['a second statement', page(scan(), { plans: [1, 2].map(() => ({ buffers: 55, root: scan() })) }), /2 statements/],
  ];
  it.each(faults)('fails with %s', (_, one, saw) => {
    expect(judge(one).findings).toStrictEqual([expect.stringMatching(saw)]);
  });

  it('fails where a context is only a filter', () => {
    expect(judge(page(scan({ index: 'context' })), { context: true }).findings).toHaveLength(1);
  });

  it('says nothing of small tables, of pages that failed, and of plans that nobody saw', () => {
    const bad = page(scan({ node: 'Seq Scan' }));
    expect(judge(bad, { tasks: 1_000 }).witnesses).toStrictEqual({});
    expect(judge({ ...bad, error: 'no' }).witnesses).toStrictEqual({});
    expect(judge({ ...bad, plans: [] }).witnesses).toStrictEqual({});
  });
});
