/** LEGACY-1: the older release lists in creation order, and its tokens are offsets. */
import { formatId, formatToken } from '../history/notation.ts';
import type { Check } from './check.ts';
import { Tally } from './tally.ts';
import { isQuiet, pageEntries } from './walks.ts';
import { finding, written } from './witness.ts';
import type { Walk, World } from './world.ts';

export const legacy: Check = {
  rules: ['LEGACY-1'],
  judge(world, context) {
    if (world.tampered || context.order !== 'creation') return [];
    const tally = new Tally();
    for (const walk of world.walks) {
      if (!isQuiet(walk)) continue;
      judgeOrder(world, walk, tally);
      judgeOffsets(world, walk, tally);
    }
    return tally.reports();
  },
};

function judgeOrder(world: World, walk: Walk, tally: Tally): void {
  const shown = walk.pages.flatMap((page) => page.shown).filter((version) => version !== undefined);
  for (const [position, second] of shown.entries()) {
    const first = shown[position - 1];
    if (first === undefined) continue;
    tally.witness('LEGACY-1');
    if (first.life < second.life) continue;
    tally.fail(
      finding(world, {
        rule: 'LEGACY-1',
        let: written([first, second]),
        then: pageEntries(walk),
        saw: `${formatId(first.id)} is listed before ${formatId(second.id)}, which was created earlier`,
        allowed: 'the older release lists in creation order',
      }),
    );
  }
}

function judgeOffsets(world: World, walk: Walk, tally: Tally): void {
  let offset = 0;
  for (const page of walk.pages) {
    offset += page.page?.items.length ?? 0;
    const token = page.page?.nextToken ?? '';
    if (token === '') continue;
    tally.witness('LEGACY-1');
    if (token === String(offset)) continue;
    tally.fail(
      finding(world, {
        rule: 'LEGACY-1',
        let: written(page.standing),
        then: [page.entry.index],
        saw: `after ${offset} tasks the token is ${formatToken(token)}`,
        allowed: 'a token of the older release is the offset of the next task, in decimal',
      }),
    );
  }
}
