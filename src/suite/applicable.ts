/** Which rules this run can judge of this subject, and why not the others. */
import type { Rule } from '../../spec/contract.ts';
import { type ProfileName, profileRules } from '../../spec/profiles.ts';
import type { Capabilities, SubjectStore } from '../subject/subject.ts';

/** What a subject's store can be asked to do beyond create and list, by the methods that it has. */
export type Methods = ReadonlySet<keyof SubjectStore>;

/** How one rule stands before anything is run. */
export interface Ruling {
  readonly rule: Rule;
  readonly level: 'M' | 'S';
  /** `judged` by this run; else the reason says why it is not applicable, or what kind of run it needs. */
  readonly standing: 'judged' | 'not-applicable' | 'not-run';
  readonly reason?: string;
}

/**
 * Rules on all of this profile for this subject; `judgeable` are those that some check of one client reports of, `atOnce`
 * those that this run judges with several clients at once.
 */
export function rulings(
  profile: ProfileName,
  capabilities: Capabilities,
  methods: Methods,
  counters: readonly string[],
  judgeable: ReadonlySet<string>,
  atOnce: ReadonlySet<string> = new Set(),
): Ruling[] {
  return profileRules(profile, capabilities.scope).map(({ rule, level, applicable, reason }): Ruling => {
    if (!applicable)
      return { rule, level, standing: 'not-applicable', reason: reason ?? 'the profile does not ask it' };
    const unasked = capabilities.agent === true ? notOfAgents[rule.id] : undefined;
    const lacking = unasked ?? lacks(rule.id, profile, capabilities, methods, counters);
    if (lacking !== undefined) return { rule, level, standing: 'not-applicable', reason: lacking };
    if (atOnce.has(rule.id)) return { rule, level, standing: 'judged' };
    if (rule.concurrent) return { rule, level, standing: 'not-run', reason: 'needs several clients at once' };
    if (!judgeable.has(rule.id))
      return { rule, level, standing: 'not-run', reason: notRun[rule.id] ?? 'no check of this run judges it' };
    return { rule, level, standing: 'judged' };
  });
}

const notRun: Readonly<Record<string, string>> = {
  'COST-4': 'costs are measured apart from a certification, by pagecheck cost',
};

/** What can't be seen of a running agent that is driven with send, cancel, get and list alone, by one caller. */
const notOfAgents: Readonly<Record<string, string>> = {
  'TIME-1': "status times are the agent's own: none can be chosen that differs from the time of the write",
  'SNAP-1': 'of an agent one client is run: what a write left is read after it',
  'SNAP-2': 'of an agent one client is run: what a write left is read after it',
  'STORE-2': 'nothing is shared with an agent behind a network',
  'STORE-3': "ids are the agent's own choice",
  'TOKEN-7': 'the run takes one of the transports',
  'WIRE-1': 'the run takes one of the transports',
  'WIRE-2': 'fields that A2A does not know are not looked for in the answers of an agent of others',
  'WIRE-3': 'an agent of others is sent no raw requests',
  'WIRE-4': 'an agent of others is sent no raw requests',
  'AUTH-8': 'the run knows one caller',
  'AUTH-9': 'the run knows one caller',
  'PUSH-1': "the agent's push configurations are left alone",
};

const noPlaceBeneath = 'nothing can stand between its dispatcher and its store: the subject has no place beneath';

/** What the subject lacks for a rule to be judged at all. */
function lacks(
  rule: string,
  profile: ProfileName,
  {
    clock,
    ties,
    boundaries,
    tokens,
    totals,
    deduplicates,
    revisions,
    create,
    validatesPageSize,
    callers,
    transports,
    scope,
  }: Capabilities,
  methods: Methods,
  counters: readonly string[],
): string | undefined {
  switch (rule) {
    case 'TIME-1':
    case 'TIME-2':
      return rule === 'TIME-1' || hasUpdates(methods, create) ? undefined : 'the subject has no mutation but create';
    case 'TOKEN-5':
      return hasUpdates(methods, create) || methods.has('delete') || methods.has('setAccess')
        ? undefined
        : 'nothing can happen to a boundary task: the subject has no mutation but create';
    case 'TIME-3':
      return revisions || (methods.has('append') && deduplicates) || methods.has('cancel') || create === 'reject'
        ? undefined
        : 'the subject never rejects a write';
    case 'TIME-4':
      return methods.has('append') && deduplicates ? undefined : 'the subject declares no deduplicated history append';
    case 'TIME-5':
      if (!clock) return "the subject's clock can't be set";
      return ties ? undefined : 'a strictly increasing clock has no end of time of its own to test';
    case 'WALK-2':
      return boundaries || tokens === 'v1' ? undefined : 'keys are unseen: the subject gives no task cursors';
    case 'STORE-1':
      return boundaries ? undefined : 'keys are unseen: the subject gives no task cursors';
    case 'WALK-7':
      if (!clock) return "the subject's clock can't be set, so an insert at the boundary's very time can't be made";
      return ties ? undefined : 'the clock allows no ties';
    case 'COUNT-1':
      return totals ? undefined : 'the subject gives no totals';
    case 'COUNT-2':
      return counters.includes('counts') ? undefined : 'the subject counts no counts: it has no counter of that name';
    case 'COST-1':
    case 'COST-2':
      return counters.length > 0 ? undefined : 'the subject has no counters';
    case 'WIRE-5':
      return validatesPageSize || scope.includes('X') ? undefined : 'page sizes are validated by another layer';
    case 'AUTH-1':
      return methods.has('setScope') ? undefined : 'the subject has no method setScope';
    case 'AUTH-5':
      if (!scope.includes('D')) return 'it is judged of a store under a dispatcher';
      return methods.has('beneath') ? undefined : noPlaceBeneath;
    case 'AUTH-2':
    case 'AUTH-3':
    case 'AUTH-4':
    case 'AUTH-6':
    case 'AUTH-7':
      return methods.has('beneath') ? undefined : noPlaceBeneath;
    case 'AUTH-8':
    case 'AUTH-9':
      return callers ? undefined : 'the subject knows no callers';
    case 'WIRE-1':
    case 'TOKEN-7':
      return (transports?.length ?? 0) > 1 ? undefined : 'the subject is driven over one transport';
    case 'WIRE-2':
    case 'WIRE-3':
    case 'WIRE-4':
      return methods.has('raw') ? undefined : 'the subject shows no raw answers: it has no method raw';
    case 'PUSH-1':
      return methods.has('push') ? undefined : 'the subject has no push-notification configurations';
    case 'ORDER-2':
      return profile === '0.5.2' ? 'LEGACY-1 judges the order' : undefined;
    default:
      return undefined;
  }
}

/** Whether some operation changes a task that stands. */
function hasUpdates(methods: Methods, create: Capabilities['create']): boolean {
  return methods.has('replace') || methods.has('append') || methods.has('cancel') || create === 'upsert';
}
