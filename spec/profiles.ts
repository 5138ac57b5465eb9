/** Profiles: which rules of the contract are judged, at which level, and by which reading. */
import type { Level, Rule, Scope } from './contract.ts';
import { levelIn, rules, scopeNames } from './contract.ts';
import { a2aRulings, olderRulings, type Ruling } from './rulings.ts';

/** `0.6` the contract itself, `0.5.2` the older release, `a2a-1.0` what the A2A 1.0 specification alone asks. */
export type ProfileName = '0.6' | '0.5.2' | 'a2a-1.0';

/** What a whole profile judges by. */
export interface Profile {
  readonly name: ProfileName;
  readonly title: string;
  /**
   * What orders a list. `storage-time`: ORDER-1 as written. `creation`: LEGACY-1. `status-timestamp`: ORDER-1 is read as
   * A2A writes it: status timestamps descending as instants with none last, or storage last-update times
   * descending, which the same section names as well; equal times in any order. The report says which was seen.
   */
  readonly order: 'storage-time' | 'creation' | 'status-timestamp';
  /** The walk rules are judged on walks without writes meanwhile, since offsets shift under writes. */
  readonly quietWalksOnly: boolean;
  /** A task that is written during a walk may appear in it again, since its status timestamp may move back. */
  readonly writtenMayRepeat: boolean;
}

/** What a profile says of one rule for one subject. */
export interface ProfileRule {
  readonly rule: Rule;
  /** Must or should; of a rule that is not applicable, what it would be in the contract. */
  readonly level: Level;
  readonly applicable: boolean;
  /** Why the rule is not applicable; present exactly then. */
  readonly reason?: string;
  /** How the rule is read where the profile narrows it. */
  readonly reading?: string;
  /** Only walks without writes meanwhile are judged. */
  readonly quietWalksOnly: boolean;
}

/** Every profile by its name; `0.6` is the default. */
export const profiles: Readonly<Record<ProfileName, Profile>> = {
  '0.6': {
    name: '0.6',
    title: 'the cursor contract of v0.6.0',
    order: 'storage-time',
    quietWalksOnly: false,
    writtenMayRepeat: false,
  },
  '0.5.2': {
    name: '0.5.2',
    title: 'the older release: creation order, numeric offsets',
    order: 'creation',
    quietWalksOnly: true,
    writtenMayRepeat: false,
  },
  'a2a-1.0': {
    name: 'a2a-1.0',
    title: 'the A2A 1.0 specification alone',
    order: 'status-timestamp',
    quietWalksOnly: false,
    writtenMayRepeat: true,
  },
};

/** The profile that is judged where none is named. */
export const defaultProfile: ProfileName = '0.6';

/** Tells whether a text names a profile. */
export function isProfileName(text: string): text is ProfileName {
  return Object.hasOwn(profiles, text);
}

/**
 * Says of every rule, in the contract's order, what a profile makes of it for a subject with these scope letters.
 * A rule is a must only where both the profile and the scope make it one. What a subject's other capabilities rule
 * out (no clock, no boundaries) is not decided here.
 */
export function profileRules(name: ProfileName, scope: readonly Scope[]): readonly ProfileRule[] {
  return rules.map((rule) => profileRule(name, rule, scope));
}

function profileRule(name: ProfileName, rule: Rule, scope: readonly Scope[]): ProfileRule {
  const inScope = levelIn(rule, scope);
  if (inScope === undefined) return notApplicable(rule, outOfScope(rule));
  const ruling = rulingOf(name, rule);
  if ('reason' in ruling) return notApplicable(rule, ruling.reason);
  if (ruling.scope !== undefined && !scope.includes(ruling.scope)) {
    return notApplicable(rule, `profile ${name} asks it of a ${scopeNames[ruling.scope]} only`);
  }
  return {
    rule,
    level: inScope === 'M' && ruling.level === 'M' ? 'M' : 'S',
    applicable: true,
    ...(ruling.reading === undefined ? {} : { reading: ruling.reading }),
    quietWalksOnly: ruling.quietWalksOnly ?? false,
  };
}

function rulingOf(name: ProfileName, rule: Rule): Ruling {
  if (name === '0.5.2') return olderRulings[rule.id]!;
  if (name === 'a2a-1.0') return a2aRulings[rule.id]!;
  if (rule.id === 'LEGACY-1') return { reason: 'describes the older release; profile 0.5.2 judges it' };
  return { level: rule.level };
}

function notApplicable(rule: Rule, reason: string): ProfileRule {
  return { rule, level: rule.level, applicable: false, reason, quietWalksOnly: false };
}

function outOfScope(rule: Rule): string {
  return `asked of: ${rule.scope.map((letter) => scopeNames[letter]).join(', ')}`;
}
