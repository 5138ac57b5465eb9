/** What of a program can be asked of a running agent: messages and cancels; the rest is the agent's own choice. */
import type { Filter, Program, StateName, Step } from '../history/program.ts';
import { labels } from './ids.ts';

/**
 * Rewrites a program for an agent that chooses ids, states, times and contents itself. Ids become plain names; a replace
 * becomes a message, a delete a cancel; a task that was to be created ended is cancelled at once; filters name states that
 * such tasks have, and the status times of the program's own tasks.
 */
export function forAgent(program: Program): Program {
  const { tamper: _, ...rest } = program;
  const created = new Set<string>();
  const names = Object.keys(program.tasks);
  return {
    ...rest,
    tasks: Object.fromEntries(names.map((label) => [label, `task-${label.toLowerCase()}`])),
    clients: program.clients.map((steps) => steps.flatMap((step, at) => asked(step, at, created).map(filtered))),
  };
}

function asked(step: Step, at: number, created: Set<string>): Step[] {
  switch (step.op) {
    case 'create': {
      const { task } = step;
      // The id of a second one would be another: it is another task, whatever the program calls it.
      if (created.has(task)) return [];
      created.add(task);
      return [{ op: 'create', task }, ...(ended.has(step.content?.state) ? [{ op: 'cancel', task } as Step] : [])];
    }
    case 'replace':
    case 'append':
      return [{ op: 'append', task: step.task, message: `m${at}` }];
    case 'delete':
    case 'cancel':
      return [{ op: 'cancel', task: step.task }];
    case 'fill':
      return [{ op: 'fill', task: step.task, count: step.count }];
    default:
      return [step];
  }
}

const ended: ReadonlySet<StateName | undefined> = new Set<StateName>(['COMPLETED', 'FAILED', 'CANCELED', 'REJECTED']);

/** States that a program's tasks do not have under an agent, and those that stand in for them. */
const standIns: Partial<Record<StateName, StateName>> = { WORKING: 'INPUT_REQUIRED', SUBMITTED: 'CANCELED' };

function filtered(step: Step): Step {
  const filter: Filter | undefined = 'filter' in step ? step.filter : undefined;
  if (filter === undefined) return step;
  const { state, after } = filter;
  return {
    ...step,
    filter: {
      ...filter,
      ...(state === undefined ? {} : { state: standIns[state] ?? state }),
      ...(after === undefined ? {} : { after: ownTime(after) }),
    },
  } as Step;
}

/** A time of 2001, which no task of an agent has, becomes that of one of the first three tasks. */
function ownTime(after: string): string {
  const sum = [...after].reduce((total, sign) => total + sign.charCodeAt(0), 0);
  return after.startsWith('2001') ? `=${labels[sum % 3]}` : after;
}
