/** WIRE-1, TOKEN-7: one request over several transports gives one answer, and a token of one is good on the others. */
import { parseInstant } from '../../models/instant.ts';
import { formatId, formatToken } from '../history/notation.ts';
import type { Check } from './check.ts';
import { transportOf } from './error-text.ts';
import { Tally } from './tally.ts';
import { isValidSize } from './tokens.ts';
import { finding, written } from './witness.ts';
import type { ListMoment, World } from './world.ts';

export const transports: Check = {
  rules: ['TOKEN-7', 'WIRE-1'],
  judge(world, { capabilities }) {
    if (world.tampered || (capabilities.transports?.length ?? 0) < 2) return [];
    const tally = new Tally();
    const answers = new Map<string, ListMoment[]>();
    for (const list of world.lists) {
      const { walk: _, page: __, tokenFrom: ___, means: ____, ...request } = list.operation;
      const question = JSON.stringify([list.epoch, { ...request, token: request.token ?? '' }]);
      const earlier = answers.get(question) ?? [];
      answers.set(question, [...earlier, list]);
      judgeCarried(world, list, tally);
      const other = earlier.find((one) => transportOf(one.entry) !== transportOf(list.entry));
      if (other !== undefined) judgeSame(world, other, list, tally);
    }
    return tally.reports();
  },
};

function judgeCarried(world: World, list: ListMoment, tally: Tally): void {
  const { source, entry } = list;
  if (source === undefined || transportOf(source.entry) === transportOf(entry)) return;
  if (!isValidSize(list.operation.pageSize)) return;
  tally.witness('TOKEN-7');
  if (entry.result.kind !== 'error') return;
  tally.fail(
    finding(world, {
      rule: 'TOKEN-7',
      let: [...written(list.standing), source.entry.index],
      then: [source.entry.index, entry.index],
      saw: `a token given over ${transportOf(source.entry)} is refused over ${transportOf(entry)} with ${entry.result.code}`,
      allowed: "one store's token works on all transports",
    }),
  );
}

function judgeSame(world: World, left: ListMoment, right: ListMoment, tally: Tally): void {
  tally.witness('WIRE-1');
  const change = difference(left, right);
  if (change === undefined) return;
  const saw = `one request gives over ${transportOf(right.entry)} ${change}, and something else over ${transportOf(left.entry)}`;
  // The token led to the same place where only the contents of the tasks differ.
  const isCarried = right.source !== undefined && left.source === right.source && !isSamePlace(left, right);
  const rules = isCarried ? ['WIRE-1', 'TOKEN-7'] : ['WIRE-1'];
  for (const rule of rules) {
    tally.fail(
      finding(world, {
        rule,
        let: written(right.standing),
        then: [left.entry.index, right.entry.index],
        saw,
        allowed: 'the three transports give the same tasks, order, totals and tokens',
      }),
    );
  }
}

function difference(left: ListMoment, right: ListMoment): string | undefined {
  const [a, b] = [left.entry.result, right.entry.result];
  if (a.kind !== 'page' || b.kind !== 'page') {
    if (a.kind === b.kind && (a.kind !== 'error' || b.kind !== 'error' || a.code === b.code)) return undefined;
    return b.kind === 'error' ? `the error ${b.code}` : `a ${b.kind}`;
  }
  if (spelledAlike(a) !== spelledAlike(b))
    return `[${b.items.map(({ id }) => formatId(id)).join(', ')}]${sameIds(a, b) ? ' with other contents' : ''}`;
  if (a.nextToken !== b.nextToken) return `the next token ${formatToken(b.nextToken)}`;
  if (a.totalSize !== b.totalSize) return `the total ${b.totalSize}`;
  return a.pageSize === b.pageSize ? undefined : `the page size ${b.pageSize}`;
}

/** The tasks of a page as text. A timestamp stands as its instant: gRPC carries no spelling. */
function spelledAlike({ items }: Page): string {
  return JSON.stringify(
    items.map((item) => ({ ...item, timestamp: String(parseInstant(item.timestamp ?? '') ?? item.timestamp) })),
  );
}

function isSamePlace({ page: left }: ListMoment, { page: right }: ListMoment): boolean {
  return left !== undefined && right !== undefined && sameIds(left, right) && left.nextToken === right.nextToken;
}

type Page = NonNullable<ListMoment['page']>;

function sameIds(a: Page, b: Page): boolean {
  return a.items.map(({ id }) => id).join('\0') === b.items.map(({ id }) => id).join('\0');
}
