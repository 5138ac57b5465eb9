/** WIRE-2, WIRE-3, WIRE-4 and bad fields: what stands in an answer before any client has mended it. */
import type { Entry, RawOperation, Result } from '../history/history.ts';
import { formatId } from '../history/notation.ts';
import type { Check } from './check.ts';
import { leaked } from './fail-closed.ts';
import { Tally } from './tally.ts';
import { finding } from './witness.ts';
import type { World } from './world.ts';

type Raw = Extract<Result, { kind: 'raw' }>;

/** One raw request with its answer. */
interface Exchange {
  readonly world: World;
  readonly entry: Entry;
  readonly operation: RawOperation;
  readonly answer: Raw;
  readonly tally: Tally;
}

export const rawAnswers: Check = {
  rules: ['WIRE-2', 'WIRE-3', 'WIRE-4', 'WIRE-5', 'FILTER-1'],
  judge(world) {
    if (world.tampered) return [];
    const tally = new Tally();
    for (const entry of world.entries) {
      const { operation, result } = entry;
      if (operation.op !== 'raw' || result.kind !== 'raw') continue;
      const exchange = { world, entry, operation, answer: result, tally };
      const isBroken = entry.beneath?.some(({ broken }) => broken !== undefined) === true;
      if (isBroken) judgeError(exchange, 'internal');
      else if (operation.means.kind === 'missing') judgeError(exchange, 'not-found');
      else if (operation.means.kind === 'invalid') judgeRefusal(exchange, operation.means.rule);
      else if (operation.method === 'ListTasks') judgePage(exchange);
    }
    return tally.reports();
  },
};

interface Codes {
  readonly status: number;
  readonly code: string | number;
}

/** WIRE-3 (A2A 1.0 §5.4): JSON-RPC answers with status 200 and a code, HTTP with a status, gRPC with its own code. */
const codes: Readonly<Record<'invalid-argument' | 'not-found' | 'internal', Readonly<Record<string, Codes>>>> = {
  'invalid-argument': {
    jsonrpc: { status: 200, code: -32602 },
    http: { status: 400, code: 'INVALID_PARAMS' },
    grpc: { status: 3, code: 3 },
  },
  'not-found': {
    jsonrpc: { status: 200, code: -32001 },
    http: { status: 404, code: 'TASK_NOT_FOUND' },
    grpc: { status: 5, code: 5 },
  },
  internal: {
    jsonrpc: { status: 200, code: -32603 },
    http: { status: 500, code: 'INTERNAL' },
    grpc: { status: 13, code: 13 },
  },
};

function judgeError(exchange: Exchange, meaning: keyof typeof codes): void {
  const { operation, answer, tally } = exchange;
  const { transport, method } = operation;
  tally.witness('WIRE-3');
  const expected = codes[meaning][transport];
  // Over HTTP the status alone is the contract's: reasons are told apart where they are given.
  const isRight = transport === 'http' ? answer.status === expected?.status : answer.code === expected?.code;
  if (!isRight || answer.code === undefined) {
    const got = answer.code === undefined ? 'no error' : `status ${answer.status} and code ${answer.code}`;
    const saw = `${method} over ${transport} gives ${got} for an error of kind ${meaning}`;
    fail(exchange, 'WIRE-3', saw, `it is ${expected?.code} (status ${expected?.status})`);
  } else if (tells(answer.message ?? '') || leaked.test(answer.body)) {
    fail(
      exchange,
      'WIRE-3',
      `the message of an error says ${JSON.stringify(answer.message)}`,
      'no stack, SQL or path shows',
    );
  }
}

/** A stack, a statement or a path. */
function tells(message: string): boolean {
  return (
    /\n\s+at |\bat \S+ \(|node_modules|\.[cm]?[jt]s:\d/.test(message) ||
    /\b(select|insert|update|delete)\b.*\b(from|into|set)\b/i.test(message) ||
    /(^|\s)\/(usr|home|srv|var|tmp|opt|root|app)\//.test(message)
  );
}

/** A wrong field is an invalid argument, over every transport (the rule that the field belongs to, and WIRE-3). */
function judgeRefusal(exchange: Exchange, rule: string): void {
  const { operation, answer, tally } = exchange;
  const { transport, fields } = operation;
  tally.witness(rule);
  if (answer.code !== undefined) {
    judgeError(exchange, 'invalid-argument');
    return;
  }
  // A flag that is spelled as a text may be read; what it may not do is to show artifacts.
  if (rule === 'WIRE-4' && 'includeArtifacts' in fields && !tasksOf(answer).some(hasArtifacts)) return;
  const saw = `a list over ${transport} with ${JSON.stringify(fields)} is answered with a page of ${tasksOf(answer).length} tasks`;
  fail(exchange, rule, saw, 'a wrong field is an invalid argument');
}

type Json = Readonly<Record<string, unknown>>;

function judgePage(exchange: Exchange): void {
  const { operation, answer, tally } = exchange;
  if (answer.code !== undefined) {
    tally.witness('WIRE-4');
    const saw = `a list over ${operation.transport} with ${JSON.stringify(operation.fields)} fails with ${answer.code}`;
    fail(exchange, 'WIRE-4', saw, 'the request is right');
    return;
  }
  const page = JSON.parse(answer.body) as Json;
  judgeInternalFields(exchange, page);
  judgeRequired(exchange, page);
  judgeContents(exchange);
}

/** WIRE-2: `task_cursors` and `include_total_size` cross the wire in neither direction. */
function judgeInternalFields(exchange: Exchange, page: Json): void {
  const { world, entry, operation, tally } = exchange;
  tally.witness('WIRE-2');
  const names = [...Object.keys(page), ...tasksOf(exchange.answer).flatMap((task) => Object.keys(task))];
  const internal = names.find((name) => /^(task_?cursors?|include_?total_?size|cursors?)$/i.test(name));
  const unknown = Array.isArray(page.unknown) ? (page.unknown as unknown[])[0] : undefined;
  if (internal !== undefined || unknown !== undefined)
    fail(
      exchange,
      'WIRE-2',
      `an answer carries ${internal ?? `field ${String(unknown)}`}`,
      'internal fields never cross the wire',
    );
  const isAsked = 'includeTotalSize' in operation.fields || 'include_total_size' in operation.fields;
  if (!isAsked) return;
  const visible = standing(world, entry, operation).length;
  if (page.totalSize === visible) return;
  const saw = `with includeTotalSize in the request the total is ${JSON.stringify(page.totalSize)} where ${visible} tasks are visible`;
  fail(exchange, 'WIRE-2', saw, 'the field is not obeyed when a client sends it');
}

/** WIRE-4: these are there, also when empty or zero. */
function judgeRequired(exchange: Exchange, page: Json): void {
  const { operation, tally } = exchange;
  tally.witness('WIRE-4');
  const types = { tasks: 'array', nextPageToken: 'string', pageSize: 'number', totalSize: 'number' } as const;
  for (const [name, type] of Object.entries(types)) {
    const value = page[name];
    if (type === 'array' ? Array.isArray(value) : typeof value === type) continue;
    const saw = `${name} is ${value === undefined ? 'absent' : JSON.stringify(value)} in an answer over ${operation.transport}`;
    fail(exchange, 'WIRE-4', saw, 'tasks, nextPageToken, pageSize and totalSize are always there');
  }
}

/** WIRE-4: artifacts only where asked for, the history cut. */
function judgeContents(exchange: Exchange): void {
  const { world, entry, operation, answer } = exchange;
  const { includeArtifacts, historyLength } = operation.fields;
  const known = new Map(standing(world, entry, operation).map((contents) => [contents.id, contents]));
  for (const task of tasksOf(answer)) {
    const stored = known.get(task.id as string);
    const artifacts = listOf(task.artifacts);
    const history = listOf(task.history);
    const isAsked = includeArtifacts === true;
    if (!isAsked && artifacts.length > 0)
      fail(
        exchange,
        'WIRE-4',
        `${formatId(task.id as string)} comes with artifacts that were not asked for`,
        'artifacts come only where asked for',
      );
    if (stored === undefined) continue;
    if (isAsked && artifacts.length !== stored.artifacts.length)
      fail(
        exchange,
        'WIRE-4',
        `${formatId(stored.id)} comes with ${artifacts.length} of its ${stored.artifacts.length} artifacts`,
        'artifacts come where asked for',
      );
    const length =
      typeof historyLength === 'number' ? Math.min(historyLength, stored.history.length) : stored.history.length;
    if (history.length !== length)
      fail(
        exchange,
        'WIRE-4',
        `${formatId(stored.id)} comes with ${history.length} messages where ${length} are asked for`,
        'the history is cut to historyLength',
      );
  }
}

function standing(world: World, { index }: Entry, { caller, fields }: RawOperation) {
  const ids = new Set(world.versions.filter(({ entry }) => entry < index).map(({ id }) => id));
  return [...ids].flatMap((id) => {
    const version = world.standingAt(id, index);
    if (version === undefined || !world.visibleAt(caller, version, index)) return [];
    return fields.contextId === undefined || fields.contextId === '' || fields.contextId === version.contents.context
      ? [version.contents]
      : [];
  });
}

function tasksOf({ body }: Raw): Json[] {
  return listOf((JSON.parse(body) as Json).tasks) as Json[];
}

function hasArtifacts(task: Json): boolean {
  return listOf(task.artifacts).length > 0;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function fail({ world, entry, tally }: Exchange, rule: string, saw: string, allowed: string): void {
  const earlier = world.mutations.map((moment) => moment.entry.index).filter((index) => index < entry.index);
  tally.fail(finding(world, { rule, let: earlier, then: [entry.index], saw, allowed }));
}
