/** A store that holds a number of tasks, ready to be measured, however they came to be there. */
import type { StatementPlan } from '../history/database.ts';
import { contentsFor, taskOf } from '../run/content.ts';
import type { CallContext, Counters, SubjectStore } from '../subject/subject.ts';
import { type StoreListRequest, type Task, TaskState } from '../task/task.ts';
import type { CostShape } from './cost-certificate.ts';
import type { ListSetting } from './cost-settings.ts';

/** What one operation moved: counters by name, and the plans of its statements where there are any. */
export interface Reading {
  readonly counters: Counters;
  readonly plans: readonly StatementPlan[];
}

/** The store, and how to ask what an operation costs it. */
export interface CostStage {
  readonly shape: CostShape;
  /** Tasks that stand, but for those that measuring creates. */
  readonly n: number;
  readonly store: Pick<SubjectStore, 'create' | 'list' | 'replace' | 'append' | 'raw'>;
  /** Does one thing and reads what it cost. */
  cost(work: () => Promise<unknown>): Promise<Reading>;
  /** A token at the setting's depth, empty for the first page; undefined where none was reached in time. */
  tokenAt(setting: ListSetting): Promise<string | undefined>;
  /** The id of a standing task, from 0, the oldest, to `n` - 1. */
  idAt(place: number): string;
  /** What is wrong with how a page was read, in words; absent where plans are not judged. */
  planFault?(setting: ListSetting, plans: readonly StatementPlan[]): string | undefined;
}

/** The context of every second task, and the state of every tenth. */
export const HALF_CONTEXT = 'half';
const TENTH_STATE = TaskState.TASK_STATE_COMPLETED;

/** Whoever measures. */
export const CALL: CallContext = { client: 0 };

const START_MS = Date.UTC(2024, 0, 1);

/** Builds the task of a place: its status time ascends with it, a millisecond each. */
export function costTask(id: string, place: number, note: string): Task {
  const contents = contentsFor(id, undefined, note);
  return taskOf({
    ...contents,
    context: place % 2 === 0 ? HALF_CONTEXT : `other ${place % 97}`,
    state: place % 10 === 0 ? 'COMPLETED' : 'WORKING',
    timestamp: new Date(START_MS + place).toISOString(),
  });
}

/** The request of a setting. */
export function requestOf({ pageSize, total, filter }: ListSetting, pageToken: string): StoreListRequest {
  return {
    pageSize,
    pageToken,
    includeTotalSize: total,
    ...(filter === 'context' ? { contextId: HALF_CONTEXT } : {}),
    ...(filter === 'status' ? { status: TENTH_STATE } : {}),
  };
}

/** Counters that say how much there was at once, not how often something happened. */
const levels: ReadonlySet<string> = new Set(['peakHeld', 'largestBatch']);

/** Gives what was counted between two readings. */
export function difference(before: Counters, after: Counters): Counters {
  return Object.fromEntries(
    Object.entries(after).map(([name, count]) => [name, levels.has(name) ? count : count - (before[name] ?? 0)]),
  );
}

/** Adds up what plans tell: rows that scans read, those that they discarded, and buffers. */
export function planCounters(plans: readonly StatementPlan[]): {
  rowsRead: number;
  rowsRemoved: number;
  buffers: number;
} {
  let rowsRead = 0;
  let rowsRemoved = 0;
  const add = (node: StatementPlan['root']): void => {
    rowsRemoved += node.removed;
    if (node.relation !== undefined && node.node.includes('Scan')) rowsRead += node.rows + node.removed;
    node.parts.forEach(add);
  };
  for (const { root } of plans) add(root);
  return { rowsRead, rowsRemoved, buffers: plans.reduce((sum, plan) => sum + plan.buffers, 0) };
}
