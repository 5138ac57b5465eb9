/** COUNT-1, COUNT-2: totals. */
import type { Check } from './check.ts';
import { isOnEdge } from './position.ts';
import { Tally } from './tally.ts';
import { finding, written } from './witness.ts';
import { candidates } from './world.ts';

export const counts: Check = {
  rules: ['COUNT-1', 'COUNT-2'],
  judge(world, { capabilities }) {
    if (world.tampered) return [];
    const tally = new Tally();
    for (const list of world.lists) {
      const { page, operation, entry } = list;
      if (page === undefined) continue;
      if (operation.total === false) {
        const counted = entry.counters?.counts;
        if (counted === undefined) continue;
        tally.witness('COUNT-2');
        if (counted === 0) continue;
        tally.fail(
          finding(world, {
            rule: 'COUNT-2',
            let: written(list.standing),
            then: [entry.index],
            saw: `a page asked for without a total counted ${counted} times`,
            allowed: 'include_total_size = false skips the count',
          }),
        );
        continue;
      }
      if (!capabilities.totals) continue;
      tally.witness('COUNT-1');
      const matching = candidates(world, list);
      if (page.totalSize === matching.length) continue;
      const inside = matching.filter((version) => !isOnEdge(version, operation.filter));
      if (page.totalSize === inside.length) continue;
      tally.fail(
        finding(world, {
          rule: 'COUNT-1',
          let: written(list.standing),
          then: [entry.index],
          saw: `the total is ${page.totalSize ?? 'absent'} where ${matching.length} visible tasks match`,
          allowed: 'the total counts the visible, matching tasks, without regard to the boundary',
        }),
      );
    }
    return tally.reports();
  },
};
