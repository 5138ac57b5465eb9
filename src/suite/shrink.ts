/** Shrinks a program while it still shows what it showed: fewer clients, fewer steps, plainer steps, plainer ids. */
import type { Program, Step } from '../history/program.ts';

/** Tells whether a candidate still shows the finding; a program says that this one does, the same with another schedule. */
export type StillFails = (candidate: Program) => Promise<boolean | Program>;

/**
 * Gives the smallest program found within `budget` executions. Any subset of a program is a program, so steps are
 * dropped in halves, then alone, then in pairs; what is left is made plainer. Ends where no pass changes anything.
 */
export async function shrink(program: Program, stillFails: StillFails, budget: number): Promise<Program> {
  let left = budget;
  let best = program;
  const take = async (candidate: Program): Promise<boolean> => {
    if (left <= 0) return false;
    left--;
    const shown = await stillFails(candidate);
    if (shown === false) return false;
    best = shown === true ? candidate : shown;
    return true;
  };
  for (;;) {
    const before = best;
    await dropClients(() => best, take);
    await dropSteps(() => best, take);
    await simplifySteps(() => best, take);
    await simplifyIds(() => best, take);
    await dropPairs(() => best, take);
    await simplifySchedule(() => best, take);
    if (best === before || left <= 0) return withoutUnusedTasks(best);
  }
}

type Take = (candidate: Program) => Promise<boolean>;

/** Whose a step of the setup is in the flat list. */
const setup = -1;

/** Puts all steps into one flat list that remembers whose they are. */
function flat(program: Program): { client: number; step: Step }[] {
  const before = (program.setup ?? []).map((step) => ({ client: setup, step }));
  return [...before, ...program.clients.flatMap((steps, client) => steps.map((step) => ({ client, step })))];
}

function withSteps(program: Program, steps: readonly { client: number; step: Step }[]): Program {
  const clients = program.clients.map((_, client) =>
    steps.filter((one) => one.client === client).map((one) => one.step),
  );
  if (program.setup === undefined) return { ...program, clients };
  return { ...program, clients, setup: steps.filter((one) => one.client === setup).map((one) => one.step) };
}

async function dropClients(best: () => Program, take: Take): Promise<void> {
  for (let client = best().clients.length - 1; client >= 0 && best().clients.length > 1; client--) {
    const { schedule, ...rest } = best();
    const clients = rest.clients.filter((_, other) => other !== client);
    const left = schedule?.filter((one) => one !== client).map((one) => (one > client ? one - 1 : one));
    await take({ ...rest, clients, ...(left === undefined ? {} : { schedule: left }) });
  }
}

/** Chunks from half of the program down to one step, from the end: what happens last matters least to what precedes. */
async function dropSteps(best: () => Program, take: Take): Promise<void> {
  for (let size = Math.ceil(flat(best()).length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let end = flat(best()).length; end > 0; end -= size) {
      const steps = flat(best());
      const from = Math.max(0, end - size);
      await take(withSteps(best(), [...steps.slice(0, from), ...steps.slice(end)]));
    }
  }
}

/** Two steps that need each other, such as a write and the wait that follows it, go together or not at all. */
async function dropPairs(best: () => Program, take: Take): Promise<void> {
  if (flat(best()).length > 14) return;
  for (let second = flat(best()).length - 1; second > 0; second--) {
    for (let first = second - 1; first >= 0; first--) {
      const steps = flat(best());
      if (second >= steps.length) break;
      if (
        await take(
          withSteps(
            best(),
            steps.filter((_, position) => position !== first && position !== second),
          ),
        )
      )
        break;
    }
  }
}

/** Shorter schedules, and fewer changes from one client to another: where a schedule ends, the last client goes on. */
async function simplifySchedule(best: () => Program, take: Take): Promise<void> {
  const { schedule } = best();
  if (schedule === undefined) return;
  for (let size = Math.ceil(schedule.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let end = best().schedule?.length ?? 0; end > 0; end -= size) {
      const now = best().schedule ?? [];
      await take({ ...best(), schedule: [...now.slice(0, Math.max(0, end - size)), ...now.slice(end)] });
    }
  }
  for (let at = (best().schedule?.length ?? 0) - 1; at > 0; at--) {
    const now = best().schedule ?? [];
    const before = now[at - 1];
    if (before === undefined || before === now[at]) continue;
    await take({ ...best(), schedule: now.with(at, before) });
  }
}

async function simplifySteps(best: () => Program, take: Take): Promise<void> {
  for (let position = flat(best()).length - 1; position >= 0; position--) {
    for (;;) {
      const steps = flat(best());
      const at = steps[position];
      if (at === undefined) break;
      let changed = false;
      for (const simpler of simplerSteps(at.step)) {
        const candidate = steps.map((one, other) => (other === position ? { ...one, step: simpler } : one));
        changed = await take(withSteps(best(), candidate));
        if (changed) break;
      }
      if (!changed) break;
    }
  }
}

/** Steps that say less than this one. Each is strictly simpler, so that simplifying ends. */
export function simplerSteps(step: Step): Step[] {
  const simpler: Step[] = [];
  if ('filter' in step && step.filter !== undefined) {
    const { filter, ...rest } = step;
    simpler.push(rest as Step);
    for (const name of Object.keys(filter) as (keyof typeof filter)[]) {
      if (Object.keys(filter).length > 1) {
        const { [name]: _, ...others } = filter;
        simpler.push({ ...step, filter: others });
      }
    }
  }
  if ('content' in step && step.content !== undefined) {
    if (step.op === 'create' || Object.keys(step.content).length > 0) {
      const { content: _, ...rest } = step;
      simpler.push(rest as Step);
    }
    for (const name of Object.keys(step.content) as (keyof typeof step.content)[]) {
      const { [name]: _, ...others } = step.content;
      simpler.push({ ...step, content: others });
    }
  }
  for (const name of ['total', 'artifacts', 'historyLength', 'timestamp', 'revision', 'context'] as const) {
    if (name in step) {
      const { [name]: _, ...rest } = step as Step & Record<string, unknown>;
      simpler.push(rest as Step);
    }
  }
  if (step.op === 'walk') simpler.push({ ...step, op: 'first' });
  if (step.op === 'fill' && step.count > 1) {
    simpler.push({ ...step, count: Math.floor(step.count / 2) }, { ...step, count: step.count - 1 });
  }
  if ('pageSize' in step && step.pageSize !== undefined) {
    for (const size of [1, 2, 3]) if (step.pageSize > size) simpler.push({ ...step, pageSize: size });
  }
  return simpler;
}

/** Gives awkward ids plain ones, one at a time; what stays awkward is what matters. */
async function simplifyIds(best: () => Program, take: Take): Promise<void> {
  for (const label of Object.keys(best().tasks)) {
    const plain = label.toLowerCase();
    const { tasks } = best();
    if (tasks[label] === plain || Object.values(tasks).includes(plain)) continue;
    await take({ ...best(), tasks: { ...tasks, [label]: plain } });
  }
}

function withoutUnusedTasks(program: Program): Program {
  const used = new Set(flat(program).map(({ step }) => ('task' in step ? step.task : '')));
  return { ...program, tasks: Object.fromEntries(Object.entries(program.tasks).filter(([label]) => used.has(label))) };
}
