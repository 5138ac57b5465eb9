/** AUTH-4 under churn: a list that meets a revocation or a deletion fails as an inaccessible task does, or not at all. */
import type { Entry } from '../history/history.ts';
import type { CheckContext } from './check.ts';
import type { Tally } from './tally.ts';
import { finding } from './witness.ts';

/** Judges every list of a caller that overlaps a delete or a denial; linear in lists times those. */
export function judgeListErrors(entries: readonly Entry[], context: CheckContext, tally: Tally): void {
  if (!context.capabilities.callers) return;
  const takings = entries.filter(({ operation, result }) => {
    return operation.op === 'access' ? !operation.allowed : operation.op === 'delete' && result.kind !== 'error';
  });
  for (const entry of entries) {
    const { operation, result } = entry;
    if (operation.op !== 'list' || operation.means !== undefined) continue;
    const disturbed = takings.filter(({ call, return: returned, operation: other }) => {
      const concerns = other.op === 'delete' || (other.op === 'access' && other.caller === operation.caller);
      return concerns && returned > entry.call && call < entry.return;
    });
    if (disturbed.length === 0) continue;
    tally.witness('AUTH-4');
    if (result.kind !== 'error' || result.code === 'not-found' || result.code === 'invalid-argument') continue;
    tally.fail(
      finding(
        { entries },
        {
          rule: 'AUTH-4',
          let: disturbed.map((other) => other.index),
          then: [entry.index],
          saw: `a list fails with ${result.code} while a task is taken away`,
          allowed: 'a revocation or deletion seen at the final read gives the error of an inaccessible task: not-found',
        },
      ),
    );
  }
}
