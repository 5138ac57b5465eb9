/** AUTH-9: an operation on a task that its caller may not access answers as on one that does not exist. */
import { keepsId } from '../../models/task-store.ts';
import type { Entry, Operation } from '../history/history.ts';
import { formatId } from '../history/notation.ts';
import { type Check, type CheckContext, modelOptions } from './check.ts';
import { errorText, saysTheSame, type Told, transportOf } from './error-text.ts';
import { Tally } from './tally.ts';
import { finding } from './witness.ts';
import type { Version, World } from './world.ts';

/** A call about one task that its caller can't tell from a missing one. */
interface Absent {
  readonly entry: Entry;
  readonly id: string;
  /** The task that stands there out of the caller's sight; undefined where there is none. */
  readonly hidden: Version | undefined;
}

export const hiddenTasks: Check = {
  rules: ['AUTH-9'],
  judge(world, context) {
    if (world.tampered || !context.capabilities.callers) return [];
    const tally = new Tally();
    const missing = new Map<string, { entry: Entry; told: Told }>();
    const absent = world.entries.flatMap((entry) => absentTarget(world, context, entry));
    for (const { entry, id, hidden } of absent) {
      if (hidden !== undefined) continue;
      const kind = kindOf(entry);
      if (isNotFound(entry) && !missing.has(kind)) missing.set(kind, { entry, told: outcome(entry, id) });
    }
    for (const { entry, id, hidden } of absent) {
      if (hidden === undefined) continue;
      tally.witness('AUTH-9');
      const told = outcome(entry, id);
      const reference = missing.get(kindOf(entry));
      if (isNotFound(entry) && (reference === undefined || saysTheSame(reference.told, told))) continue;
      tally.fail(
        finding(world, {
          rule: 'AUTH-9',
          let: [hidden.entry, ...denials(world, entry), ...(reference === undefined ? [] : [reference.entry.index])],
          then: [entry.index],
          saw: `${entry.operation.op} of ${formatId(id)}, which the caller may not access, gives ${told.text}`,
          allowed:
            reference === undefined
              ? 'it answers as for a missing task: not found'
              : `a missing task gives ${reference.told.text}`,
        }),
      );
    }
    return tally.reports();
  },
};

/** The task that an operation of a caller is about, where that caller sees none under the id. */
function absentTarget(world: World, context: CheckContext, entry: Entry): Absent[] {
  const { operation } = entry;
  const id = targetId(operation, context);
  if (id === undefined || !('caller' in operation) || operation.caller === undefined) return [];
  if (!keepsId(id, modelOptions(context.capabilities))) return [];
  if (entry.beneath?.some(({ broken }) => broken !== undefined) === true) return [];
  const standing = world.standingAt(id, entry.index);
  if (standing !== undefined && world.visibleAt(operation.caller, standing, entry.index)) return [];
  return [{ entry, id, hidden: standing }];
}

function targetId(operation: Operation, { capabilities }: CheckContext): string | undefined {
  switch (operation.op) {
    case 'get':
    case 'append':
    case 'cancel':
    case 'delete':
    case 'push':
    case 'push-list':
      return operation.id;
    case 'replace':
      return capabilities.create === 'upsert' ? undefined : operation.contents.id;
    case 'raw': {
      const { id } = operation.fields;
      return operation.method !== 'ListTasks' && typeof id === 'string' ? id : undefined;
    }
    default:
      return undefined;
  }
}

/** Calls of one kind are compared with each other. */
function kindOf(entry: Entry): string {
  const { operation } = entry;
  const verb =
    operation.op === 'push'
      ? operation.verb
      : operation.op === 'raw'
        ? `${operation.method} ${operation.transport}`
        : '';
  const isConditional = operation.op === 'replace' && operation.ifRevision !== undefined;
  return [operation.op, verb, isConditional ? 'conditional' : '', transportOf(entry)].join(' ');
}

function isNotFound({ result }: Entry): boolean {
  if (result.kind === 'read') return result.contents === undefined;
  if (result.kind === 'raw') return result.code !== undefined && notFoundCodes.has(result.code);
  return result.kind === 'error' && result.code === 'not-found';
}

const notFoundCodes: ReadonlySet<string | number> = new Set([-32001, 'TASK_NOT_FOUND', 5]);

function outcome({ operation, result }: Entry, id: string): Told {
  const sent = [id, ...(operation.op === 'push' ? [operation.config] : [])];
  switch (result.kind) {
    case 'error':
      return { text: errorText(result), sent };
    case 'raw':
      return { text: `${result.status} ${result.body}`, sent };
    case 'read':
      return { text: result.contents === undefined ? 'nothing' : 'the task', sent: [] };
    default:
      return { text: 'success', sent: [] };
  }
}

/** What took the task out of the caller's sight. */
export function denials(world: World, { index, operation }: Entry): number[] {
  const caller = 'caller' in operation ? operation.caller : undefined;
  return world.entries
    .filter((entry) => entry.index < index)
    .filter(
      ({ operation: earlier }) => (earlier.op === 'access' || earlier.op === 'scope') && earlier.caller === caller,
    )
    .map((entry) => entry.index);
}
