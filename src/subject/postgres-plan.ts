/** Reads an executed plan as `auto_explain` tells it. */
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

/** Gives the plan of a notice; undefined for a notice of something else, or of a statement that reads no such table. */
export function readPlan(notice: string, table: string): StatementPlan | undefined {
  const json = /^duration: .* plan:\n(\{[\s\S]*\})\s*$/.exec(notice)?.[1];
  if (json === undefined) return undefined;
  const { Plan: root } = JSON.parse(json) as { Plan: JsonNode };
  if (!reads(root, table)) return undefined;
  return { buffers: (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0), root: nodeOf(root) };
}

function reads(node: JsonNode, table: string): boolean {
  return node['Relation Name'] === table || (node.Plans ?? []).some((part) => reads(part, table));
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
