/** What a mutant is: a subject that is right but for one thing, by which the harness proves itself. */
import type { ProfileName } from '../../spec/profiles.ts';
import type { Subject } from '../subject/subject.ts';

/** One faulty subject of the catalogue. A run must find a violation of a rule in `breaks`, and of no other. */
export interface Mutant {
  /** Stable, such as `TOK-05`; two readings of one fault are told apart by a suffix, such as `TOK-32-units`. */
  readonly id: string;
  /** The part of the system that holds the fault; the prefix of the id says the same. */
  readonly area: 'token' | 'memory' | 'postgres' | 'authorization' | 'wire' | 'migration' | 'cost' | 'race';
  /** The one fault, half a sentence. */
  readonly fault: string;
  /** The contract rules whose own words the fault contradicts; empty where it is equivalent. */
  readonly breaks: readonly string[];
  /** The profile by which it is judged; 0.6 where absent. */
  readonly profile?: ProfileName;
  /** Why nobody can tell it from a right store; absent for a fault that must be found. */
  readonly equivalent?: string;
  /** Gives a new subject with the fault. */
  subject(): Subject;
}
