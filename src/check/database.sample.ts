/** Judges what was seen of one act, for the tests of the checks about databases. */
import type { DatabaseAct, DatabaseSight } from '../history/database.ts';
import { memoryCapabilities } from '../subject/memory.ts';
import type { Check } from './check.ts';
import { modelOptions } from './check.ts';
import { observe } from './world.ts';

/** What a check says of a history of one act: each finding as its rule and what was seen, and the witnesses of each rule. */
export function judgeAct(
  check: Check,
  act: DatabaseAct,
  sight: DatabaseSight,
): { readonly findings: readonly string[]; readonly witnesses: Readonly<Record<string, number>> } {
  const entry = {
    index: 0,
    client: 0,
    step: 0,
    call: 0,
    return: 1,
    operation: { op: 'database', do: act },
    result: { kind: 'database', sight },
  } as const;
  const world = observe({ entries: [entry] }, modelOptions(memoryCapabilities));
  const reports = check.judge(world, { capabilities: memoryCapabilities, order: 'storage-time' });
  return {
    findings: reports.flatMap(({ findings }) => findings.map(({ rule, saw }) => `${rule}: ${saw}`)),
    witnesses: Object.fromEntries(reports.map(({ rule, witnesses }) => [rule, witnesses])),
  };
}
