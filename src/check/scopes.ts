/** AUTH-1: a scope takes tasks out of a list and adds none. */
import { matches } from '../../models/listing.ts';
import { formatId } from '../history/notation.ts';
import type { Check } from './check.ts';
import { denials } from './hidden-tasks.ts';
import { Tally } from './tally.ts';
import { finding, written } from './witness.ts';
import { candidates } from './world.ts';

export const scopes: Check = {
  rules: ['AUTH-1'],
  judge(world) {
    if (world.tampered) return [];
    const tally = new Tally();
    for (const list of world.lists) {
      const { operation, page, entry } = list;
      const scope = world.scopeAt(operation.caller, entry.index);
      if (scope === 'all' || page === undefined) continue;
      const outside = list.standing.filter(
        ({ id, contents }) => !scope.includes(contents.context) && world.accessAt(operation.caller, id, entry.index),
      );
      if (outside.length > 0) tally.witness('AUTH-1');
      const wider = page.items.find(
        (item, position) =>
          !scope.includes(item.context) && !scope.includes(list.shown[position]?.contents.context ?? item.context),
      );
      // What the request itself does not ask for is not the scope's to add.
      const unasked = list.shown.find(
        (version) => version !== undefined && !matches(version.contents, operation.filter),
      );
      const allowed = candidates(world, list).length;
      const counted = operation.total !== false && page.totalSize !== undefined && page.totalSize > allowed;
      const saw =
        wider !== undefined
          ? `a list of a caller whose scope is [${scope.map(formatId).join(', ')}] shows ${formatId(wider.id)} of context ${formatId(wider.context)}`
          : unasked !== undefined
            ? `a list narrowed by a scope shows ${formatId(unasked.id)}, which its own filter does not select`
            : counted && outside.length > 0
              ? `a list of a caller whose scope is [${scope.map(formatId).join(', ')}] counts ${page.totalSize} tasks where ${allowed} are in it`
              : undefined;
      if (saw === undefined) continue;
      tally.fail(
        finding(world, {
          rule: 'AUTH-1',
          let: [...written(list.standing), ...denials(world, entry)],
          then: [entry.index],
          saw,
          allowed: 'a scope narrows what the request asks for and never widens it; an empty scope is nothing',
        }),
      );
    }
    return tally.reports();
  },
};
