/** The one-line notation of a history, used by tests, witnesses and reports. */
import { formatAct, formatSight } from './database-notation.ts';
import type { Contents, Entry, ListOperation, Operation, Result } from './history.ts';
import type { BeneathPlan, Filter } from './program.ts';

/** Writes an id so that every character of it can be told: quoted, with escapes for what does not print. */
export function formatId(id: string): string {
  const text = id.length > 60 ? `${id.slice(0, 24)}…(${id.length} characters)` : id;
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Writes a token short enough to read. */
export function formatToken(token: string): string {
  return token.length <= 48 ? JSON.stringify(token) : `${JSON.stringify(token.slice(0, 40))}…`;
}

/** Writes what a version of a task is. */
export function formatContents(contents: Contents): string {
  const parts: string[] = [contents.state];
  if (contents.context !== 'ctx') parts.push(`context ${formatId(contents.context)}`);
  if (contents.timestamp !== undefined) parts.push(`status time ${contents.timestamp}`);
  if (contents.history.length > 0) parts.push(`history ${contents.history.join(' ')}`);
  if (contents.artifacts.length > 0) parts.push(`artifacts ${contents.artifacts.join(' ')}`);
  return parts.join(', ');
}

/** Writes a filter; empty where there is none. */
export function formatFilter(filter: Filter | undefined): string {
  if (filter === undefined) return '';
  const parts: string[] = [];
  if (filter.context !== undefined) parts.push(`context ${formatId(filter.context)}`);
  if (filter.state !== undefined) parts.push(`status ${filter.state}`);
  if (filter.after !== undefined) parts.push(`status time from ${filter.after}`);
  return parts.length === 0 ? '' : ` where ${parts.join(' and ')}`;
}

/** Writes an operation without its result. */
export function formatOperation(operation: Operation): string {
  const by =
    'caller' in operation && operation.caller !== undefined && operation.op !== 'access' ? `${operation.caller}: ` : '';
  switch (operation.op) {
    case 'create':
      return `${by}create ${formatId(operation.contents.id)} (${formatContents(operation.contents)})`;
    case 'replace':
      return `${by}replace ${formatId(operation.contents.id)} (${formatContents(operation.contents)})${operation.ifRevision === undefined ? '' : ` if revision ${operation.ifRevision}`}`;
    case 'append':
      return `${by}append message ${operation.message} to ${formatId(operation.id)}`;
    case 'cancel':
      return `${by}cancel ${formatId(operation.id)}`;
    case 'delete':
    case 'get':
      return `${by}${operation.op} ${formatId(operation.id)}`;
    case 'list':
      return `${by}${formatList(operation)}`;
    case 'clock':
      return `clock to ${operation.micros}`;
    case 'tick':
      return 'wait 3 ms';
    case 'access':
      return `${operation.allowed ? 'allow' : 'deny'} ${operation.caller} ${formatId(operation.id)}`;
    case 'restart':
      return 'restart';
    case 'database':
      return `database: ${formatAct(operation.do)}`;
    case 'scope':
      return `scope of ${operation.caller}: ${operation.contexts === 'all' ? 'all' : `[${operation.contexts.map(formatId).join(', ')}]`}`;
    case 'beneath':
      return `beneath the dispatcher: ${formatPlan(operation.plan)}`;
    case 'push':
      return `${by}${operation.verb} push configuration ${formatId(operation.config)} of ${formatId(operation.id)}`;
    case 'push-list': {
      const from = operation.token === undefined ? '' : ` token ${formatToken(operation.token)}`;
      const size = operation.pageSize === undefined ? '' : ` size ${operation.pageSize}`;
      return `${by}list push configurations of ${formatId(operation.id)}${size}${from}`;
    }
    case 'raw':
      return `${by}${operation.method} over ${operation.transport} with ${JSON.stringify(operation.fields)}`;
  }
}

/** Writes what happens between a dispatcher and what it stands on. */
export function formatPlan(plan: BeneathPlan): string {
  switch (plan.at) {
    case 'nothing':
      return 'nothing more';
    case 'watch':
      return `watch${plan.projection === undefined ? '' : `, the policy asks for ${plan.projection} tasks`}`;
    case 'page':
      return `the store's boundaries in batch ${plan.batch} are ${plan.how}`;
    case 'short':
      return `the store gives at most ${plan.size} tasks a batch`;
    case 'policy':
      return `the policy's ${plan.on === 'scope' ? 'scope' : `${plan.on} answer`}: ${plan.how}`;
    case 'store':
      return `the store's ${plan.on} throws`;
    case 'moment': {
      const steps = plan.do.map((step) => ('task' in step ? `${step.op} ${step.task}` : step.op)).join(', ');
      return `${steps} before ${plan.before === 'batch' ? `batch ${plan.batch ?? 1}` : 'the final read'}`;
    }
  }
}

function formatList(operation: ListOperation): string {
  const size = operation.pageSize === undefined ? '' : ` size ${operation.pageSize}`;
  const from =
    operation.tokenFrom !== undefined
      ? ` after page #${operation.tokenFrom}`
      : operation.token === undefined
        ? ''
        : ` token ${formatToken(operation.token)}`;
  const total = operation.total === false ? ' no total' : '';
  const walk = operation.walk === undefined ? 'list' : `list ${operation.walk} page ${operation.page}`;
  return `${walk}${size}${from}${formatFilter(operation.filter)}${total}`;
}

/** Writes a result. */
export function formatResult(result: Result): string {
  switch (result.kind) {
    case 'written':
      return `ok${result.deduplicated === true ? ' (deduplicated)' : ''}${result.contents === undefined ? '' : ` (${formatContents(result.contents)})`}${at(result.micros)}${result.revision === undefined ? '' : ` revision ${result.revision}`}`;
    case 'read':
      return result.contents === undefined
        ? 'none'
        : `${formatId(result.contents.id)} (${formatContents(result.contents)})${at(result.micros)}`;
    case 'page': {
      const items = result.items.map(
        (item, position) => `${formatId(item.id)}${at(result.cursors?.[position]?.micros)}`,
      );
      const token = result.nextToken === '' ? 'end' : `next ${formatToken(result.nextToken)}`;
      return `[${items.join(', ')}] ${token}${result.totalSize === undefined ? '' : ` total ${result.totalSize}`}`;
    }
    case 'done':
      return 'ok';
    case 'database':
      return formatSight(result.sight);
    case 'error':
      return `error ${result.code}`;
    case 'unknown':
      return 'outcome unknown';
    case 'malformed':
      return `malformed: ${result.what}`;
    case 'push-page': {
      const token = result.nextToken === '' ? 'end' : `next ${formatToken(result.nextToken)}`;
      return `[${result.configs.map(formatId).join(', ')}] ${token}`;
    }
    case 'raw': {
      const body = result.body.length > 300 ? `${result.body.slice(0, 300)}…` : result.body;
      return `status ${result.status}${result.code === undefined ? '' : ` code ${result.code}`} ${body}`;
    }
  }
}

function at(micros: bigint | undefined): string {
  return micros === undefined ? '' : ` @${micros}`;
}

/** Writes one entry: `#3 c0 next page … → [...]`. */
export function formatEntry(entry: Entry): string {
  const client = entry.client === 0 ? '' : ` c${entry.client}`;
  const { operation, result } = entry;
  // Where the subject decides what a new task is, what was asked for says nothing.
  const decided = operation.op === 'create' && result.kind === 'written' && result.contents !== undefined;
  const asked = decided ? `create ${formatId(operation.contents.id)}` : formatOperation(operation);
  return `#${entry.index}${client} ${asked} → ${formatResult(result)}`;
}
