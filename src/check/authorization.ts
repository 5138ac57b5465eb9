/** AUTH-2, AUTH-3, AUTH-4: what a dispatcher asks its policy and reads again before it answers a list. */
import { sameInstant } from '../../models/instant.ts';
import type { Contents, Entry } from '../history/history.ts';
import { formatContents, formatId } from '../history/notation.ts';
import { isAccess, type Reread, rereadsOf, type Trace, traceOf } from './beneath-trace.ts';
import type { Check } from './check.ts';
import { errorText, saysTheSame, type Told } from './error-text.ts';
import { Tally } from './tally.ts';
import { finding, written } from './witness.ts';
import type { ListMoment, World } from './world.ts';

export const authorization: Check = {
  rules: ['AUTH-2', 'AUTH-3', 'AUTH-4'],
  judge(world) {
    if (world.tampered) return [];
    const tally = new Tally();
    const missing = missingError(world);
    for (const list of world.lists) {
      const trace = traceOf(list.entry);
      if (trace === undefined || trace.broken !== undefined) continue;
      judgeCaller(world, list, trace, tally);
      judgeAsked(world, list, trace, tally);
      judgeReread(world, list, trace, tally);
      judgeLate(world, list, trace, missing, tally);
    }
    return tally.reports();
  },
};

/** AUTH-2: the policy is asked about the caller who calls. */
function judgeCaller(world: World, list: ListMoment, { calls }: Trace, tally: Tally): void {
  const { caller } = list.operation;
  if (caller === undefined) return;
  const other = calls.find((call) => (call.call === 'access' || call.call === 'scope') && call.caller !== caller);
  if (other === undefined) return;
  const named = 'caller' in other ? other.caller : '';
  fail(
    world,
    list,
    'AUTH-2',
    `the policy was asked about ${named} in a list of ${caller}`,
    'it is asked about the caller',
    tally,
  );
}

/** AUTH-2: no task is counted or chosen before the policy has agreed, in this very call. */
function judgeAsked(world: World, list: ListMoment, { calls }: Trace, tally: Tally): void {
  const { page, operation } = list;
  if (page === undefined) return;
  tally.witness('AUTH-2');
  const asked = calls.filter(isAccess);
  const agreed = new Set(asked.filter(({ allowed }) => allowed === true).map(({ contents }) => contents.id));
  const unasked = page.items.find(({ id }) => !agreed.has(id));
  if (unasked !== undefined) {
    const isRefused = asked.some(({ contents }) => contents.id === unasked.id);
    const saw = `${formatId(unasked.id)} is shown, and the policy ${isRefused ? 'refused it' : 'was not asked about it'}`;
    fail(world, list, 'AUTH-2', saw, 'a task is chosen only when the policy has agreed', tally);
  } else if (operation.total !== false && page.totalSize !== undefined && page.totalSize > agreed.size) {
    const saw = `a total of ${page.totalSize} was given where the policy had agreed to ${agreed.size} tasks`;
    fail(world, list, 'AUTH-2', saw, 'a task is counted only when the policy has agreed', tally);
  }
}

/** AUTH-3: each shown task was read after it was chosen, the policy was asked about that read, and it is what is shown. */
function judgeReread(world: World, list: ListMoment, trace: Trace, tally: Tally): void {
  const rereads = list.page === undefined ? [] : rereadsOf(trace);
  for (const item of list.page?.items ?? []) {
    tally.witness('AUTH-3');
    const faults = rereads.filter(({ id }) => id === item.id).map((reread) => faultOf(reread, item));
    if (faults.includes(undefined)) continue;
    const saw = `${formatId(item.id)} ${faults.at(-1) ?? 'is shown and was not read again after it was chosen'}`;
    const allowed = 'a chosen task is read again and checked again, and shown as it was read then';
    fail(world, list, 'AUTH-3', saw, allowed, tally);
  }
}

/** Why a second read does not stand behind what is shown; undefined where it does. */
function faultOf({ contents, asked }: Reread, item: Contents): string | undefined {
  if (contents === undefined) return 'is shown and was gone when it was read again';
  const about = asked.filter((one) => sameTask(one.contents, contents));
  if (asked.length === 0) return 'is shown and the policy was not asked again after the second read';
  if (about.length === 0)
    return `was read again as (${tellContents(contents)}), and the policy was asked about (${tellContents(asked.at(-1)!.contents)})`;
  if (!about.some(({ allowed }) => allowed === true))
    return 'is shown although the policy refused it at the second read';
  return sameTask(item, contents)
    ? undefined
    : `is shown as (${tellContents(item)}), and was read as (${tellContents(contents)})`;
}

/** AUTH-4: a chosen task that is gone or refused at the second read fails the call as a missing task does. */
function judgeLate(world: World, list: ListMoment, trace: Trace, missing: Missing | undefined, tally: Tally): void {
  const lost = rereadsOf(trace).find(
    ({ contents, asked }) => contents === undefined || asked.some(({ allowed }) => allowed === false),
  );
  if (lost === undefined) return;
  tally.witness('AUTH-4');
  const { result } = list.entry;
  const { id } = lost;
  const what = lost.contents === undefined ? 'was gone' : 'was refused by the policy';
  if (result.kind !== 'error' || result.code !== 'not-found') {
    const saw = `${formatId(id)} ${what} at the second read, and the list ${result.kind === 'error' ? `failed with ${errorText(result)}` : `shows ${list.page?.items.length ?? 0} tasks`}`;
    fail(world, list, 'AUTH-4', saw, 'the call fails with the error that a missing task gives', tally);
  } else if (missing !== undefined && !saysTheSame({ text: errorText(result), sent: [id] }, missing.told)) {
    const saw = `${formatId(id)} ${what} at the second read, and the list failed with ${errorText(result)}`;
    fail(world, list, 'AUTH-4', saw, `a missing task gives ${missing.told.text}`, tally, [missing.entry.index]);
  }
}

function tellContents(contents: Contents): string {
  return `${formatContents(contents)}, note ${contents.note}`;
}

interface Missing {
  readonly entry: Entry;
  readonly told: Told;
}

/** How an operation on a missing task fails here, where the program tried one. */
function missingError(world: World): Missing | undefined {
  for (const entry of world.entries) {
    const { operation, result } = entry;
    if ((operation.op !== 'cancel' && operation.op !== 'append') || result.kind !== 'error') continue;
    if (result.code !== 'not-found' || world.standingAt(operation.id, entry.index) !== undefined) continue;
    return { entry, told: { text: errorText(result), sent: [operation.id] } };
  }
  return undefined;
}

/** As far as every projection shows a task. */
function sameTask(a: Contents, b: Contents): boolean {
  const sameTime = sameInstant(a.timestamp, b.timestamp);
  return a.id === b.id && a.context === b.context && a.state === b.state && sameTime && a.note === b.note;
}

function fail(
  world: World,
  list: ListMoment,
  rule: string,
  saw: string,
  allowed: string,
  tally: Tally,
  more: readonly number[] = [],
): void {
  const inside = world.entries.filter(
    ({ call, return: returned }) => call > list.entry.call && returned < list.entry.return,
  );
  tally.fail(
    finding(world, {
      rule,
      let: [...written(list.standing), ...more, ...inside.map(({ index }) => index)],
      then: [list.entry.index],
      saw,
      allowed,
    }),
  );
}
