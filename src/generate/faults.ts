/** What clients do while faults happen: writes of few tasks, reads, and walks in small pages. */
import type { Step } from '../history/program.ts';
import { plainIds } from './ids.ts';

/** The tasks that all clients share. */
export const faultTasks: readonly string[] = plainIds.slice(0, 10);

/** Gives the step of a client at a place; `below` gives whole numbers from 0 below its argument, the same for a seed. */
export function faultStep(client: number, place: number, below: (bound: number) => number): Step {
  const task = faultTasks[below(faultTasks.length)] as string;
  const content = { context: contextOf(task) };
  const choice = below(32);
  if (choice < 5) return { op: 'replace', task, content };
  if (choice < 9) return { op: 'replace', task, content, revision: 'current' };
  if (choice < 14) return { op: 'append', task, message: `m${client}-${place}` };
  if (choice < 15) return { op: 'append', task, message: `m${below(4)}` };
  if (choice < 16) return { op: 'cancel', task, timestamp: '2001-01-01T00:00:00.000Z' };
  if (choice < 17) return { op: 'delete', task };
  if (choice < 19) return { op: 'create', task, content };
  if (choice < 22) return { op: 'get', task };
  if (choice < 25) return { op: 'first', walk: 'w', pageSize: 3, ...(choice === 24 ? { total: false } : {}) };
  return { op: 'next', walk: 'w', pageSize: 3 };
}

/** Makes every task. */
export const faultSetup: readonly Step[] = faultTasks.map((task) => ({
  op: 'create',
  task,
  content: { context: contextOf(task) },
}));

/** Reads every task, walks all of them, and writes: the store has to work again. */
export const faultEnd: readonly Step[] = [
  ...faultTasks.map((task): Step => ({ op: 'get', task })),
  { op: 'walk', walk: 'end', pageSize: 3 },
];

function contextOf(task: string): string {
  return task < 'task-f' ? 'ctx' : 'd';
}
