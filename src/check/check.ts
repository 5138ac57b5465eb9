/** What a check is: a pure function from an observed world to reports, one a rule. */
import type { ModelOptions } from '../../models/task-store.ts';
import type { Capabilities } from '../subject/subject.ts';
import type { RuleReport } from './verdict.ts';
import type { World } from './world.ts';

/** What decides how a history is read: what the subject declares, and the order that the profile judges. */
export interface CheckContext {
  readonly capabilities: Capabilities;
  /** `storage-time` (0.6), `creation` (0.5.2) or `status-timestamp` (a2a-1.0). */
  readonly order: 'storage-time' | 'creation' | 'status-timestamp';
}

export interface Check {
  /** Every rule that `judge` may report of. */
  readonly rules: readonly string[];
  /** Judges one history. Never throws on a finding, never does I/O. */
  judge(world: World, context: CheckContext): readonly RuleReport[];
}

/** What of a declaration changes the sequential specification. */
export function modelOptions(capabilities: Capabilities): ModelOptions {
  const { create, deduplicates, ids, scope, tokens } = capabilities;
  const external = scope.includes('X');
  return { create, deduplicates, nul: ids.nul, maxBytes: ids.maxBytes, external, tokens };
}
