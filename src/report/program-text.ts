/** A program for reading: one line a step. */
import { formatAct } from '../history/database-notation.ts';
import { formatPlan } from '../history/notation.ts';
import type { Content, Filter, PageOptions, Program, Step, TaskLabel, TokenMeaning } from '../history/program.ts';
import { quote, visible } from './quote.ts';

/**
 * Renders a program, one line a step in the order of each client, such as `create A {id "a|1", state WORKING}`,
 * `first w page size 1` or `next w`. Where there are several clients each line names its own; how their steps
 * interleave is not part of a program. Tampering (`Program.tamper`) is no step and so no line.
 */
export function renderProgram(program: Program): string[] {
  const single = program.clients.length === 1;
  const before = (program.setup ?? []).map((step) => `before: ${renderStep(step, program)}`);
  const clients = program.clients.flatMap((client, number) =>
    client.map((step) => `${single ? '' : `client ${number}: `}${renderStep(step, program)}`),
  );
  return [...before, ...clients];
}

function renderStep(step: Step, program: Program): string {
  switch (step.op) {
    case 'create':
      return `create ${task(step.task)} ${braces([idOf(step.task, program), ...contentParts(step.content)])}${as(step.caller)}`;
    case 'replace': {
      const contents = step.content === undefined ? 'with the same contents' : braces(contentParts(step.content));
      const condition = step.revision === undefined ? '' : ` if its revision is the ${revisionName[step.revision]}`;
      return `replace ${task(step.task)} ${contents}${condition}${as(step.caller)}`;
    }
    case 'append':
      return `append message ${quote(step.message)} to ${task(step.task)}${as(step.caller)}`;
    case 'cancel':
      return `cancel ${task(step.task)}${step.timestamp === undefined ? '' : ` at ${visible(step.timestamp)}`}${as(step.caller)}`;
    case 'delete':
    case 'get':
      return `${step.op} ${task(step.task)}${as(step.caller)}`;
    case 'first':
    case 'walk':
    case 'peek':
      return phrase(`${step.op} ${visible(step.walk)}`, pageParts(step));
    case 'next':
      return phrase(`next ${visible(step.walk)}`, pageParts(sizeOnly(step.pageSize)));
    case 'token':
      return phrase(`token ${quote(step.token)}${meaning(step.means)}`, pageParts(step));
    case 'clock':
      return `clock at ${visible(step.micros)} µs`;
    case 'tick':
      return 'tick (wait until the wall clock has moved)';
    case 'allow':
    case 'deny':
      return `${step.op} ${visible(step.caller)} to access ${step.count === undefined ? '' : `the ${step.count} tasks of `}${task(step.task)}`;
    case 'restart':
      return 'restart';
    case 'database':
      return `database: ${formatAct(step.do)}`;
    case 'scope':
      return `scope of ${visible(step.caller)}: ${step.contexts === 'all' ? 'all contexts' : `contexts [${step.contexts.map(quote).join(', ')}]`}`;
    case 'beneath':
      return `beneath the dispatcher: ${formatPlan(step.plan)}`;
    case 'push':
      return `${step.verb} push configuration ${quote(step.config)} of ${task(step.task)}${as(step.caller)}`;
    case 'push-list': {
      const from =
        step.from === undefined
          ? ''
          : step.from === 'next'
            ? ' (next page)'
            : ` with the token of walk ${visible(step.walk ?? '')}`;
      return `list push configurations of ${task(step.task)}${from}${step.pageSize === undefined ? '' : ` page size ${step.pageSize}`}${as(step.caller)}`;
    }
    case 'push-token':
      return phrase('list tasks with the token of push configurations', pageParts(step));
    case 'raw':
      return `${step.method} over ${visible(step.transport)} with ${JSON.stringify(step.fields)}${as(step.caller)}`;
    case 'fill':
      return `fill ${task(step.task)} with ${step.count} tasks${step.context === undefined ? '' : ` in context ${quote(step.context)}`}`;
  }
}

const revisionName = { current: 'current one', stale: 'stale one' };

function task(label: TaskLabel): string {
  return visible(label);
}

function idOf(label: TaskLabel, program: Program): string {
  const id = Object.hasOwn(program.tasks, label) ? program.tasks[label] : undefined;
  return id === undefined ? 'no id' : `id ${quote(id)}`;
}

function contentParts(content: Content = {}): readonly string[] {
  const parts: string[] = [];
  if (content.context !== undefined) parts.push(`context ${quote(content.context)}`);
  if (content.state !== undefined) parts.push(`state ${content.state}`);
  if (content.timestamp !== undefined) parts.push(`timestamp ${visible(content.timestamp)}`);
  if (content.history !== undefined) parts.push(`history [${content.history.map(quote).join(', ')}]`);
  if (content.artifacts !== undefined) parts.push(`artifacts [${content.artifacts.map(quote).join(', ')}]`);
  if (content.note !== undefined) parts.push(`note ${quote(content.note)}`);
  return parts;
}

function pageParts(options: PageOptions): readonly string[] {
  const parts: string[] = [];
  if (options.pageSize !== undefined) parts.push(`page size ${options.pageSize}`);
  parts.push(...filterParts(options.filter));
  if (options.total !== undefined) parts.push(options.total ? 'with total' : 'without total');
  if (options.artifacts !== undefined) parts.push(options.artifacts ? 'with artifacts' : 'without artifacts');
  if (options.historyLength !== undefined) parts.push(`history length ${options.historyLength}`);
  if (options.caller !== undefined) parts.push(`as ${visible(options.caller)}`);
  return parts;
}

function filterParts(filter: Filter = {}): readonly string[] {
  const parts: string[] = [];
  if (filter.context !== undefined) parts.push(`context ${quote(filter.context)}`);
  if (filter.state !== undefined) parts.push(`state ${filter.state}`);
  if (filter.after !== undefined) parts.push(`status at or after ${visible(filter.after)}`);
  return parts;
}

function sizeOnly(pageSize: number | undefined): PageOptions {
  return pageSize === undefined ? {} : { pageSize };
}

function meaning(means: TokenMeaning | undefined): string {
  switch (means?.kind) {
    case undefined:
      return '';
    case 'number':
      return ' (a number)';
    case 'foreign':
      return ' (foreign text)';
    case 'push':
      return ' (of push configurations)';
    case 'invalid-v1':
      return ` (not v1: ${visible(means.reason)})`;
    case 'v1':
      return ` (v1: id ${quote(means.id)} at ${visible(means.micros)} µs)`;
  }
}

function braces(parts: readonly string[]): string {
  return `{${parts.join(', ')}}`;
}

function phrase(head: string, parts: readonly string[]): string {
  return parts.length === 0 ? head : `${head} ${parts.join(', ')}`;
}

function as(caller: string | undefined): string {
  return caller === undefined ? '' : ` as ${visible(caller)}`;
}
