/** TOKEN-3, TOKEN-4: tokens that no page gave, and v1 tokens of boundaries that no task ever had. */

import { compareKeys, type Key } from '../../models/key.ts';
import { listAfter } from '../../models/listing.ts';
import { formatId, formatToken } from '../history/notation.ts';
import { isAwkward } from './acknowledged.ts';
import type { Check } from './check.ts';
import { agrees, boundaryId, expectedFrom, keyOf } from './position.ts';
import { Tally } from './tally.ts';
import { isValidSize } from './tokens.ts';
import { finding, written } from './witness.ts';
import { candidates, type ListMoment, type Version, type World } from './world.ts';

export const badTokens: Check = {
  rules: ['TOKEN-2', 'TOKEN-3', 'TOKEN-4', 'TOKEN-5'],
  judge(world, context) {
    if (world.tampered) return [];
    const tally = new Tally();
    // Errors are compared transport by transport: each spells them its own way.
    const references = new Map<string, { list: ListMoment; error: string }>();
    for (const list of world.lists) {
      const { means, pageSize } = list.operation;
      // Tokens of push configurations are PUSH-1's.
      if (means === undefined || means.kind === 'push' || !isValidSize(pageSize)) continue;
      if (means.kind === 'v1') {
        if (context.capabilities.tokens === 'v1')
          judgeCrafted(world, list, { micros: BigInt(means.micros), id: means.id }, tally);
        continue;
      }
      if (means.kind === 'invalid-v1' && context.capabilities.tokens !== 'v1') continue;
      const rule = means.kind === 'number' ? 'TOKEN-3' : 'TOKEN-4';
      tally.witness(rule);
      const error = refusal(world, list, context.capabilities.agent === true);
      if (error === undefined) {
        tally.fail(
          finding(world, {
            rule,
            let: written(list.standing),
            then: [list.entry.index],
            saw: `the token ${formatToken(list.operation.token ?? '')} (${means.kind === 'invalid-v1' ? means.reason : means.kind}) ${list.page === undefined ? `fails with ${list.entry.result.kind === 'error' ? list.entry.result.code : 'no error'}` : 'is answered with a page'}`,
            allowed:
              means.kind === 'number'
                ? 'numeric tokens of the older release are invalid arguments'
                : 'it is an invalid argument',
          }),
        );
        continue;
      }
      const via = viaOf(list);
      const reference = references.get(via) ?? { list, error };
      references.set(via, reference);
      tally.witness('TOKEN-4');
      if (error === reference.error) continue;
      tally.fail(
        finding(world, {
          rule: 'TOKEN-4',
          let: written(list.standing),
          then: [reference.list.entry.index, list.entry.index],
          saw: `the tokens ${formatToken(reference.list.operation.token ?? '')} and ${formatToken(list.operation.token ?? '')} get the errors ${reference.error} and ${error}`,
          allowed: 'every invalid token gets one and the same error, whatever the store holds and whoever calls',
        }),
      );
    }
    return tally.reports();
  },
};

/** What a request itself varies: its id, its date. */
const varying: RegExp =
  /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|\d{4}-\d{2}-\d{2}[T ][\d:.]+(?:Z|[+-]\d{2}:?\d{2})?|\b[0-9a-f]{16,}\b|\b\d{10,}\b/gi;

/**
 * The error that refused a token, as one text without what the request itself varies; undefined where the token was not
 * refused as an invalid argument.
 */
function refusal(world: World, list: ListMoment, isAgent: boolean): string | undefined {
  const { result } = list.entry;
  if (result.kind !== 'error') return undefined;
  // Stores and agents of others may have errors of their own, which nobody has put into the contract's terms.
  const isRefusal =
    result.code === 'invalid-argument' || (result.code === 'unclassified' && (world.external || isAgent));
  if (!isRefusal) return undefined;
  return `${result.code}: ${`${result.message} ${result.detail ?? ''}`.replace(varying, '…').trim()}`;
}

function viaOf({ entry }: ListMoment): string {
  return entry.result.kind === 'error' ? (entry.result.via ?? '') : '';
}

/**
 * A v1 token of any boundary is a position (TOKEN-2 where its task stands, else TOKEN-5): what is listed is what lies
 * below it. Judged where the whole list of the same state is right, and TOKEN-2 where tokens after plain ids work, so
 * that a wrong order, filter or seek is not laid at the token's door.
 */
function judgeCrafted(world: World, list: ListMoment, boundary: Key, tally: Tally): void {
  const tasks = candidates(world, list);
  if (tasks.some((task) => keyOf(task) === undefined)) return;
  if (!wholeIsRight(world, list, tasks as (Version & Key)[])) return;
  const expected = listAfter(tasks as (Version & Key)[], boundary);
  const stands = tasks.some((task) => compareKeys(task as Version & Key, boundary) === 0);
  const rule = stands ? 'TOKEN-2' : 'TOKEN-5';
  if (stands && !plainTokensWork(world)) return;
  tally.witness(rule);
  if (agrees(list, expected)) return;
  const saw =
    list.page === undefined ? 'is refused' : `gives [${list.page.items.map((item) => formatId(item.id)).join(', ')}]`;
  tally.fail(
    finding(world, {
      rule: list.page === undefined ? 'TOKEN-2' : rule,
      let: written(list.standing),
      then: [list.entry.index],
      saw: `the v1 token of the boundary ${formatId(boundary.id)} @${boundary.micros} ${saw}`,
      allowed: `a boundary needs no task: [${expected.map((version) => formatId(version.id)).join(', ')}] lies below it`,
    }),
  );
}

/** The same request without a token gave the whole list of the same state, and it was right. */
function wholeIsRight(world: World, { epoch, operation }: ListMoment, tasks: readonly (Version & Key)[]): boolean {
  const whole = world.lists.find(
    (other) =>
      other.epoch === epoch &&
      (other.operation.token ?? '') === '' &&
      other.page?.nextToken === '' &&
      other.operation.caller === operation.caller &&
      JSON.stringify(other.operation.filter) === JSON.stringify(operation.filter),
  );
  return whole !== undefined && agrees(whole, listAfter(tasks, undefined));
}

/** Every page that was asked for after a task with a plain id is the right one. */
function plainTokensWork(world: World): boolean {
  return world.lists.every((list) => {
    const id = list.source === undefined ? undefined : boundaryId(list.source);
    if (id === undefined || isAwkward(id)) return true;
    const expected = expectedFrom(world, list);
    return expected === undefined || agrees(list, expected);
  });
}
