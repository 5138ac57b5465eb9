/**
 * Long programs that a few numbers decide, for runs in lockstep with the model. The scenarios beside this one aim at
 * trouble and take microseconds a step to draw; these wander, and take a tenth of one.
 */
import type { Content, Filter, Program, Step } from '../history/program.ts';
import type { Capabilities, IdLimits } from '../subject/subject.ts';
import { contexts, millisecondTimestamps } from './content.ts';
import { idClasses, labels, plainIds } from './ids.ts';

/** Steps of a program, and the tasks that it has: few, so that they meet. */
const length = 240;
const tasks = 6;

/** The clock moves among so many microseconds, back as often as on, and stands still in between. */
const clockFrom = 1_700_000_000_000_000;
const clockRange = 4;

/** Whole numbers from 0 to below a bound. */
type Numbers = (bound: number) => number;

const walks = ['w', 'v'];
const messages = ['m1', 'm2', 'm3', 'm4'];
const contents: readonly Content[] = [
  {},
  { state: 'SUBMITTED' },
  { state: 'COMPLETED' },
  { state: 'CANCELED' },
  { history: ['m1'] },
  { history: ['m2', 'm3'], state: 'INPUT_REQUIRED' },
  ...contexts.map((context) => ({ context })),
  ...millisecondTimestamps.slice(0, 3).map((timestamp) => ({ timestamp })),
  { context: 'd', state: 'COMPLETED', timestamp: millisecondTimestamps[1] as string },
];
const filters: readonly Filter[] = [
  { context: 'ctx' },
  { context: 'd' },
  { context: 'none' },
  { state: 'WORKING' },
  { state: 'COMPLETED' },
  { context: 'ctx', state: 'WORKING' },
  { context: 'ctx', after: millisecondTimestamps[1] as string },
];
const cancelTime = millisecondTimestamps[2] as string;

/** The classes whose members are not so long that little else is measured. */
const tooLong = new Set(['very-long', 'longest']);

/** Gives the program that `numbers` decide, for a store of these capabilities. */
export function lockstepProgram({ ids, clock }: Pick<Capabilities, 'ids' | 'clock'>, numbers: Numbers): Program {
  const chosen = idsFor(ids, numbers);
  const stands = new Set<string>();
  const steps: Step[] = [];
  for (let at = 0; at < length; at++) {
    const step = stepFor(clock, stands, numbers);
    if (step.op === 'create') stands.add(step.task);
    if (step.op === 'delete') stands.delete(step.task);
    steps.push(step);
  }
  return { version: 1, scenario: 'lockstep', tasks: chosen, clients: [steps] };
}

/** The same program with a look at the whole list around each write. */
export function withLooks(program: Program): Program {
  const look: Step = { op: 'first', walk: 'look', pageSize: 100 };
  const writes = new Set(['create', 'replace', 'append', 'cancel', 'delete']);
  const around = (step: Step): readonly Step[] => (writes.has(step.op) ? [look, step, look] : [step]);
  return { ...program, clients: program.clients.map((steps) => steps.flatMap(around)) };
}

/** Mostly what can succeed: a store learns little from being asked for what is not there. */
function stepFor(clock: boolean, stands: ReadonlySet<string>, numbers: Numbers): Step {
  const kind = numbers(clock ? 100 : 97);
  const walk = pick(walks, numbers);
  if (kind >= 97) return { op: 'clock', micros: String(clockFrom + numbers(clockRange)) };
  if (kind >= 91) return { op: 'first', walk, pageSize: 1 + numbers(3) };
  if (kind >= 85) return { op: 'first', walk, pageSize: 1 + numbers(tasks), total: false };
  if (kind >= 82) return { op: 'first', walk, pageSize: 1 + numbers(3), filter: pick(filters, numbers) };
  if (kind >= 60) return { op: 'next', walk };
  const task = labels[numbers(tasks)] as string;
  const isExpected = numbers(16) > 0;
  if (isExpected && !stands.has(task)) return { op: 'create', task, content: pick(contents, numbers) };
  if (kind >= 52) return { op: 'get', task };
  if (kind >= 44) return { op: 'append', task, message: pick(messages, numbers) };
  if (kind >= 41) return { op: 'cancel', task, timestamp: cancelTime };
  if (kind >= 36) return { op: 'delete', task };
  if (kind >= 35) return { op: 'replace', task, content: pick(contents, numbers), revision: 'stale' };
  if (kind >= 28) return { op: 'replace', task, content: pick(contents, numbers), revision: 'current' };
  if (isExpected) return { op: 'replace', task, content: pick(contents, numbers) };
  return { op: 'create', task, content: pick(contents, numbers) };
}

/** Ids of one awkward class with plain ones beside them, or plain ones alone. */
function idsFor(limits: IdLimits, numbers: Numbers): Record<string, string> {
  const classes = classesFor(limits);
  const awkward = numbers(2) === 0 ? [] : (classes[numbers(classes.length)] ?? []);
  const from = numbers(Math.max(1, awkward.length));
  const ids = new Set([...awkward.slice(from), ...awkward.slice(0, from)].slice(0, tasks - 1));
  for (const id of plainIds) if (ids.size < tasks) ids.add(id);
  return Object.fromEntries([...ids].map((id, at) => [labels[at] as string, id]));
}

const known = new WeakMap<IdLimits, readonly (readonly string[])[]>();

function classesFor(limits: IdLimits): readonly (readonly string[])[] {
  const classes =
    known.get(limits) ??
    idClasses(limits)
      .filter(({ name }) => !tooLong.has(name))
      .map(({ ids }) => ids);
  known.set(limits, classes);
  return classes;
}

function pick<T>(values: readonly T[], numbers: Numbers): T {
  return values[numbers(values.length)] as T;
}
