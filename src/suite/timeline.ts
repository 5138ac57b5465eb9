/** What happened, in the parts that a picture is drawn from. */
import type { Finding } from '../check/verdict.ts';
import type { Entry, History, Operation, Result } from '../history/history.ts';
import { formatContents, formatFilter } from '../history/notation.ts';
import type { TimelineEvent, TimelinePage } from './certificate.ts';

/** Of a history with more operations than `whole`, so many are kept at each end, and so many that the finding names. */
const whole = 120;
const atEachEnd = 30;
const named = 60;
const itemsKept = 100;

/** Gives the operations of a history as data for a picture, in the order of their returns. */
export function timelineOf({ entries }: History, finding: Finding): TimelineEvent[] {
  if (entries.length <= whole) return entries.map(eventOf);
  const proving = new Set([...(finding.marks ?? []).map(({ entry }) => entry), ...finding.entries.slice(-named)]);
  return entries
    .filter(({ index }) => index < atEachEnd || index >= entries.length - atEachEnd || proving.has(index))
    .map(eventOf);
}

function eventOf({ index, client, call, return: returned, operation, result }: Entry): TimelineEvent {
  const task = taskOf(operation);
  const error = errorOf(result);
  const detail = detailOf(operation, result);
  return {
    entry: index,
    client,
    call,
    return: returned,
    op: operation.op === 'access' ? (operation.allowed ? 'allow' : 'deny') : operation.op,
    ...(task === undefined ? {} : { task }),
    ...('caller' in operation && operation.caller !== undefined ? { caller: operation.caller } : {}),
    ...(detail === '' ? {} : { detail }),
    ...(error === undefined ? {} : { error }),
    ...(operation.op === 'list' && result.kind === 'page' ? { page: pageOf(operation, result) } : {}),
  };
}

function taskOf(operation: Operation): string | undefined {
  if ('contents' in operation) return operation.contents.id;
  return 'id' in operation ? operation.id : undefined;
}

/** What tells the version that was written from others: contents beyond a plain working task, and its time. */
function detailOf(operation: Operation, result: Result): string {
  if (operation.op === 'clock') return `to ${operation.micros} µs`;
  const contents = 'contents' in operation ? formatContents(operation.contents) : 'WORKING';
  const micros = result.kind === 'written' ? result.micros : undefined;
  const parts = [contents === 'WORKING' ? '' : contents, micros === undefined ? '' : `at ${micros} µs`];
  return parts.filter((part) => part !== '').join(', ');
}

function errorOf(result: Result): string | undefined {
  if (result.kind === 'error') return result.code;
  return result.kind === 'unknown' || result.kind === 'malformed' ? result.kind : undefined;
}

function pageOf(
  { tokenFrom, walk, page, pageSize, filter }: Extract<Operation, { op: 'list' }>,
  { items, nextToken, totalSize }: Extract<Result, { kind: 'page' }>,
): TimelinePage {
  return {
    items: items.slice(0, itemsKept).map(({ id }) => id),
    ...(tokenFrom === undefined ? {} : { after: tokenFrom }),
    ...(walk === undefined ? {} : { walk }),
    ...(page === undefined ? {} : { number: page }),
    ...(Number.isFinite(pageSize) ? { size: pageSize as number } : {}),
    ...(filter === undefined ? {} : { where: formatFilter(filter).trim() }),
    ends: nextToken === '',
    ...(totalSize === undefined ? {} : { total: totalSize }),
  };
}
