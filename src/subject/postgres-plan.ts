/** Reads an executed plan as `auto_explain` and EXPLAIN tell it. */
import type { PlanNode, StatementPlan } from '../history/database.ts';

interface JsonNode {
  readonly 'Node Type': string;
  readonly 'Parent Relationship'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Filter?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly JsonNode[];
}

/**
 * Gives the plan of a notice; undefined for a notice of something else, or of a statement that reads no such table: no
 * table but the catalog's, where none is named.
 */
export function noticedPlan(notice: string, table?: string): StatementPlan | undefined {
  const json = /^duration: .* plan:\n(\{[\s\S]*\})\s*$/.exec(notice)?.[1];
  return json === undefined ? undefined : planOf(JSON.parse(json), table);
}

/** Gives the plan of an answer to EXPLAIN; undefined for a statement that reads no such table. */
export function explainedPlan(answer: unknown, table: string): StatementPlan | undefined {
  return Array.isArray(answer) ? planOf(answer[0], table) : undefined;
}

function planOf({ Plan: root }: { readonly Plan: JsonNode }, table: string | undefined): StatementPlan | undefined {
  if (!reads(root, table)) return undefined;
  return { buffers: (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0), root: nodeOf(root) };
}

function reads(node: JsonNode, table: string | undefined): boolean {
  const relation = node['Relation Name'];
  const isIt = table === undefined ? relation !== undefined && !relation.startsWith('pg_') : relation === table;
  return isIt || (node.Plans ?? []).some((part) => reads(part, table));
}

/** Counts of a node are means over its loops. */
function nodeOf(node: JsonNode): PlanNode {
  const loops = node['Actual Loops'] ?? 0;
  const all = (mean: number | undefined): number => Math.round((mean ?? 0) * loops);
  return {
    node: node['Node Type'],
    ...(node['Relation Name'] === undefined ? {} : { relation: node['Relation Name'] }),
    ...(node['Index Name'] === undefined ? {} : { index: node['Index Name'] }),
    ...(node['Index Cond'] === undefined ? {} : { condition: node['Index Cond'] }),
    ...(node.Filter === undefined ? {} : { filter: node.Filter }),
    rows: all(node['Actual Rows']),
    removed: all(node['Rows Removed by Filter']) + all(node['Rows Removed by Index Recheck']),
    ...(node['Parent Relationship'] === 'InitPlan' ? { initial: true } : {}),
    parts: (node.Plans ?? []).map(nodeOf),
  };
}
