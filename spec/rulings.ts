/** What the profiles 0.5.2 and a2a-1.0 make of each rule; profile 0.6 takes the contract as it stands. */
import type { Level, Scope } from './rule.ts';

/** A rule is judged at a level, perhaps by a narrower reading, or it is not applicable for a reason. */
export type Ruling =
  | {
      readonly level: Level;
      readonly reading?: string;
      readonly quietWalksOnly?: boolean;
      /** The rule is asked only of a subject with this letter. */
      readonly scope?: Scope;
    }
  | { readonly reason: string };

const must: Ruling = { level: 'M' };
const should: Ruling = { level: 'S' };
const mustInDispatcher: Ruling = { level: 'M', scope: 'D' };
const mustWhenQuiet: Ruling = {
  level: 'M',
  reading: 'only walks without writes meanwhile: offsets shift under writes',
  quietWalksOnly: true,
};

const ownTokenWorks = 'the token that a page gave works in the next request';

const byCreation: Ruling = { reason: 'release 0.5.2 lists by creation: LEGACY-1 judges its order' };
const timeDoesNotOrder: Ruling = { reason: 'in release 0.5.2 no update time orders a list' };
const numericTokens: Ruling = { reason: 'the tokens of release 0.5.2 are numeric offsets, not boundaries' };
const notYet: Ruling = { reason: 'release 0.5.2 does not promise it' };

/** Profile 0.5.2, rule by rule. */
export const olderRulings: Readonly<Record<string, Ruling>> = {
  'TIME-1': timeDoesNotOrder,
  'TIME-2': timeDoesNotOrder,
  'TIME-3': { level: 'M', reading: 'contents and revision; times are not looked at' },
  'TIME-4': timeDoesNotOrder,
  'TIME-5': timeDoesNotOrder,
  'ORDER-1': byCreation,
  'ORDER-2': byCreation,
  'TOKEN-1': must,
  'TOKEN-2': { level: 'M', reading: ownTokenWorks },
  'TOKEN-3': numericTokens,
  'TOKEN-4': numericTokens,
  'TOKEN-5': mustWhenQuiet,
  'TOKEN-6': numericTokens,
  'TOKEN-7': notYet,
  'TOKEN-8': numericTokens,
  'WALK-1': mustWhenQuiet,
  'WALK-2': notYet,
  'WALK-3': mustWhenQuiet,
  'WALK-4': mustWhenQuiet,
  'WALK-5': must,
  'WALK-6': should,
  'WALK-7': notYet,
  'SNAP-1': should,
  'SNAP-2': notYet,
  'COUNT-1': must,
  'COUNT-2': should,
  'FILTER-1': notYet,
  'STORE-1': notYet,
  'STORE-2': notYet,
  'STORE-3': notYet,
  'AUTH-1': notYet,
  'AUTH-2': notYet,
  'AUTH-3': notYet,
  'AUTH-4': notYet,
  'AUTH-5': notYet,
  'AUTH-6': notYet,
  'AUTH-7': notYet,
  'AUTH-8': notYet,
  'AUTH-9': must,
  'WIRE-1': notYet,
  'WIRE-2': must,
  'WIRE-3': notYet,
  'WIRE-4': notYet,
  'WIRE-5': notYet,
  'SCHEMA-1': notYet,
  'SCHEMA-2': notYet,
  'SCHEMA-3': notYet,
  'SCHEMA-4': notYet,
  'COST-1': notYet,
  'COST-2': notYet,
  'COST-3': notYet,
  'COST-4': should,
  'PUSH-1': notYet,
  'LEGACY-1': must,
};

const noStorageTime: Ruling = { reason: 'A2A 1.0 knows no storage time' };
const notInA2A: Ruling = { reason: 'A2A 1.0 does not ask it' };

/** Profile a2a-1.0, rule by rule. */
export const a2aRulings: Readonly<Record<string, Ruling>> = {
  'TIME-1': noStorageTime,
  'TIME-2': noStorageTime,
  'TIME-3': { level: 'S', reading: 'contents only' },
  'TIME-4': noStorageTime,
  'TIME-5': noStorageTime,
  'ORDER-1': {
    level: 'M',
    reading:
      'status timestamps descending as instants, none last; or last-update times descending, which the same section ' +
      'names too; equal times in any order',
  },
  'ORDER-2': { reason: 'A2A 1.0 leaves the order of equal times open' },
  'TOKEN-1': must,
  'TOKEN-2': { level: 'M', reading: ownTokenWorks },
  'TOKEN-3': { reason: 'in A2A 1.0 tokens are opaque: a number may be one' },
  'TOKEN-4': should,
  'TOKEN-5': { level: 'M', reading: 'a cursor exists so that what did not change is not lost' },
  'TOKEN-6': should,
  'TOKEN-7': should,
  'TOKEN-8': should,
  'WALK-1': { level: 'M', reading: 'tasks not written during the walk: a status timestamp may move back' },
  'WALK-2': noStorageTime,
  'WALK-3': { level: 'M', reading: 'a cursor exists so that what did not change is not lost' },
  'WALK-4': { level: 'M', reading: 'a task that is written during the walk may appear more than once' },
  'WALK-5': must,
  'WALK-6': should,
  'WALK-7': noStorageTime,
  'SNAP-1': should,
  'SNAP-2': notInA2A,
  'COUNT-1': must,
  'COUNT-2': should,
  'FILTER-1': must,
  'STORE-1': notInA2A,
  'STORE-2': notInA2A,
  'STORE-3': notInA2A,
  'AUTH-1': mustInDispatcher,
  'AUTH-2': mustInDispatcher,
  'AUTH-3': mustInDispatcher,
  'AUTH-4': mustInDispatcher,
  'AUTH-5': mustInDispatcher,
  'AUTH-6': mustInDispatcher,
  'AUTH-7': mustInDispatcher,
  'AUTH-8': must,
  'AUTH-9': must,
  'WIRE-1': must,
  'WIRE-2': notInA2A,
  'WIRE-3': must,
  'WIRE-4': must,
  'WIRE-5': must,
  'SCHEMA-1': notInA2A,
  'SCHEMA-2': notInA2A,
  'SCHEMA-3': notInA2A,
  'SCHEMA-4': notInA2A,
  'COST-1': notInA2A,
  'COST-2': notInA2A,
  'COST-3': notInA2A,
  'COST-4': should,
  'PUSH-1': should,
  'LEGACY-1': notInA2A,
};
