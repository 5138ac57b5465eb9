/** Known failures: rules that are run, expected to fail, and said why. */
import { ruleById } from '../../spec/contract.ts';
import { UsageError } from '../subject/usage-error.ts';
import type { Certificate, RuleResult } from './certificate.ts';
import { parseJson, readShape } from './read-json.ts';
import { constant, list, object, optional, type Shape, words } from './shape.ts';

/** A rule that is known to fail, of one subject or (without one) of any. */
interface KnownFailure {
  readonly rule: string;
  readonly subject?: string;
  /** Why, for a reader: an issue, a release that mends it. */
  readonly reason: string;
}

/** A list of known failures, as its file holds it. */
export interface KnownFailures {
  readonly version: 1;
  readonly known: readonly KnownFailure[];
}

const knownShape: Shape<KnownFailures> = object<KnownFailures>({
  version: constant(1),
  known: list(object<KnownFailure>({ rule: words, subject: optional(words), reason: words })),
});

const REMEDY = 'write {"version": 1, "known": [{"rule": "TOKEN-5", "reason": "why it fails"}]}';

/**
 * Parses a file of known failures. `where` names it in errors. Throws a `UsageError` (status 3) that names the field: not
 * JSON, a missing or blank field, an id that is no rule of the contract, two entries for one rule and subject.
 */
export function parseKnown(text: string, where = 'the known failures'): KnownFailures {
  const known = readShape(parseJson(text, where, REMEDY), knownShape, where, REMEDY);
  for (const [at, entry] of known.known.entries()) {
    const field = `${where}: known[${at}]`;
    if (ruleById(entry.rule) === undefined) {
      const problem = `names ${JSON.stringify(entry.rule)}, which is no rule of the contract`;
      throw new UsageError({ where: `${field}.rule`, problem, remedy: 'see "pagecheck rules"' });
    }
    const first = known.known.findIndex((other) => other.rule === entry.rule && other.subject === entry.subject);
    if (first !== at) {
      throw new UsageError({
        where: field,
        problem: `repeats known[${first}]`,
        remedy: 'keep one entry with one reason',
      });
    }
  }
  return known;
}

/**
 * Applies known failures to what a run decided: a listed rule that fails becomes `known`, one that passes `stale`, each
 * with the reason of its entry; one that was not decided keeps its status. An entry that names the subject goes
 * before one that names none. Throws a `UsageError` (status 3) for a rule that the contract does not have.
 */
export function applyKnown(certificate: Certificate, known: KnownFailures): Certificate {
  const stray = known.known.find((entry) => ruleById(entry.rule) === undefined);
  if (stray !== undefined) {
    const where = `the known failure of ${JSON.stringify(stray.rule)}`;
    throw new UsageError({ where, problem: 'names no rule of the contract', remedy: 'see "pagecheck rules"' });
  }
  return { ...certificate, rules: certificate.rules.map((result) => applyTo(result, certificate.subject, known)) };
}

function applyTo(result: RuleResult, subject: string, known: KnownFailures): RuleResult {
  const entries = known.known.filter((entry) => entry.rule === result.rule);
  const entry = entries.find((each) => each.subject === subject) ?? entries.find((each) => each.subject === undefined);
  if (entry === undefined) return result;
  if (result.status === 'fail') return { ...result, status: 'known', reason: entry.reason };
  if (result.status !== 'pass') return result;
  return {
    ...result,
    status: 'stale',
    reason: `known as failing ("${entry.reason}"), yet it passes: take it off the list`,
  };
}
