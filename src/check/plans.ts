/** COST-3: a page is one short range scan of the matching index, by the plan with which it really ran. Never by a clock. */
import type { IndexSight, PagesAct, PlanNode, PlannedPage, StatementPlan } from '../history/database.ts';
import { formatPlanNode } from '../history/database-notation.ts';
import type { Check } from './check.ts';
import { Tally } from './tally.ts';
import { finding } from './witness.ts';

/** The size from which on the rule holds: below it the planner may rightly read the whole table. */
const LEAST_TASKS = 10_000;
/** Buffers beyond one a row: the index's own pages (measured: 4, and 3 more are allowed). */
const MORE_BUFFERS = 6;

const keys = {
  all: ['updated_at DESC, id COLLATE C DESC', 'updated_at, id COLLATE C'],
  context: ['context_id, updated_at DESC, id COLLATE C DESC', 'context_id DESC, updated_at, id COLLATE C'],
} as const;

/** Nodes that only pass rows on. */
const passing: ReadonlySet<string> = new Set(['Limit', 'Subquery Scan', 'Result', 'LockRows']);
const scans: ReadonlySet<string> = new Set(['Index Scan', 'Index Only Scan']);

/** Judges every page whose plans are known. Linear in their nodes. */
export const plans: Check = {
  rules: ['COST-3'],
  judge(world) {
    const tally = new Tally();
    for (const entry of world.entries) {
      if (entry.operation.op !== 'database' || entry.operation.do.act !== 'pages') continue;
      if (entry.result.kind !== 'database' || entry.result.sight.seen !== 'pages') continue;
      const act = entry.operation.do;
      const { indexes, pages } = entry.result.sight;
      if (act.tasks < LEAST_TASKS) continue;
      for (const page of pages) {
        if (page.error !== undefined || page.plans.length === 0) continue;
        tally.witness('COST-3');
        const fault = pageFault(act, page, indexes);
        if (fault === undefined) continue;
        const depth = page.place === 0 ? 'the first page' : `page ${page.place}`;
        tally.fail(
          finding(world, {
            rule: 'COST-3',
            let: [],
            then: [entry.index],
            saw: `${depth} of ${act.pageSize} of ${act.context ? 'one context of ' : ''}${act.tasks} tasks (${act.shape}): ${fault}`,
            allowed: `one range scan of the matching index, of at most ${act.pageSize + 1} rows and ${act.pageSize + 1 + MORE_BUFFERS} buffers, that discards and sorts nothing`,
          }),
        );
      }
    }
    return tally.reports();
  },
};

/** What is wrong with how a page was read; undefined where nothing is, or where the rule does not hold yet. */
export function pageFault(
  act: Pick<PagesAct, 'tasks' | 'pageSize' | 'context'>,
  page: Pick<PlannedPage, 'place' | 'plans'>,
  indexes: readonly IndexSight[],
): string | undefined {
  if (act.tasks < LEAST_TASKS) return undefined;
  if (page.plans.length > 1) return `${page.plans.length} statements read the table`;
  const { buffers, root } = page.plans[0] as StatementPlan;
  const shown = `${formatPlanNode(root)}; ${buffers} buffers`;
  const nodes = flatten(root).filter(({ node }) => !passing.has(node));
  const [scan] = nodes;
  if (nodes.length !== 1 || scan === undefined || !scans.has(scan.node)) return `it is no single range scan: ${shown}`;
  const index = indexes.find(({ name }) => name === scan.index);
  const matching: readonly string[] = keys[act.context ? 'context' : 'all'];
  if (index === undefined || !matching.includes(index.keys.join(', ')))
    return `it scans ${scan.index} (${index?.keys.join(', ') ?? 'unknown'}), not the index on (${matching[0]}): ${shown}`;
  if (flatten(root).some(({ removed }) => removed > 0)) return `it discards rows: ${shown}`;
  if (page.place > 0 && !/ROW\(/.test(scan.condition ?? ''))
    return `the row comparison is no index condition (${scan.condition ?? 'none'}): ${shown}`;
  if (act.context && !/context_id/.test(scan.condition ?? ''))
    return `the context is no index condition (${scan.condition ?? 'none'}): ${shown}`;
  if (scan.rows > act.pageSize + 1) return `it reads ${scan.rows} rows: ${shown}`;
  if (buffers > act.pageSize + 1 + MORE_BUFFERS) return `it reads ${buffers} buffers: ${shown}`;
  return undefined;
}

/** Parts that are computed once before the rest only bring values in. */
function flatten(node: PlanNode): PlanNode[] {
  return [node, ...node.parts.filter(({ initial }) => initial !== true).flatMap(flatten)];
}
