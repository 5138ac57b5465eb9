/** The one-line notation of what is done to a database, and seen of it. */
import type { DatabaseAct, DatabaseSight, PlanNode } from './database.ts';

/** Writes an act. */
export function formatAct(act: DatabaseAct): string {
  switch (act.act) {
    case 'start': {
      const on = act.fixture === 'nothing' ? 'nothing' : `the table of ${act.fixture}.sql`;
      const applied = act.apply === undefined ? '' : `, after ${act.apply}.sql`;
      const who = act.starters === 1 ? 'a store starts' : `${act.starters} stores start at once`;
      return `${who} on ${on}${applied}, schema ${act.mode}${act.busy === true ? ', beside an open write' : ''}`;
    }
    case 'held-row': {
      const how = { advances: 'advances its time', future: 'sets it an hour ahead', 'rolls back': 'rolls back' };
      return `${act.writers} × ${act.write} while another session holds the row and ${how[act.holder]}`;
    }
    case 'pages': {
      const of = act.context ? 'one context of ' : '';
      return `pages of ${act.pageSize} without total of ${of}${act.tasks} tasks, ${act.shape}`;
    }
  }
}

/** Writes what was seen, shortly. */
export function formatSight(sight: DatabaseSight): string {
  switch (sight.seen) {
    case 'nothing':
      return `not possible here: ${sight.why}`;
    case 'start':
      return [...sight.starts, sight.again]
        .map(({ started, pieces, message }) => (started ? 'started' : `refused (${(pieces ?? [message]).join('; ')})`))
        .join(', ');
    case 'held-row': {
      const writes = sight.writes.map(({ micros, error }) => (micros === undefined ? `error ${error}` : `@${micros}`));
      return `created @${sight.created}, ${sight.waited} waited, holder left @${sight.held}, writes ${writes.join(' ')}, read @${sight.read}`;
    }
    case 'pages':
      return `${sight.pages.length} pages`;
  }
}

/** Writes a plan from its root inwards, with what its scans read. */
export function formatPlanNode(node: PlanNode): string {
  const where = node.index ?? node.relation;
  const rows = `${node.rows} rows${node.removed > 0 ? ` (${node.removed} discarded)` : ''}`;
  const own = `${node.node}${where === undefined ? '' : ` of ${where}`}, ${rows}`;
  const parts = node.parts.filter((part) => part.initial !== true).map(formatPlanNode);
  return parts.length === 0 ? own : `${own} < ${parts.length === 1 ? parts[0] : `[${parts.join('; ')}]`}`;
}
