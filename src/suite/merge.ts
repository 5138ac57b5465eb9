/** Shards of one run, put together again. */
import { UsageError } from '../subject/usage-error.ts';
import { withCoverage } from './adversaries.ts';
import type { Certificate, Coverage, Proof, RuleResult, RuleStatus } from './certificate.ts';
import { withProof } from './with-proof.ts';

/**
 * Merges the certificates of shards: one subject, one profile, one pagecheck version, the same rules at the same levels,
 * and programs that no other has run: another seed, or another part of the same seed's programs. A part that is missing
 * is noted. A rule that fails in any shard fails; witnesses add, and what was vacuous alone is
 * judged again against the floor. Known failures are best applied after merging: a vacuous shard has not told whether
 * its rule was listed. Durations add to the time spent altogether. Throws a `UsageError` (status 3) that says which
 * shard does not fit.
 */
export function mergeCertificates(shards: readonly Certificate[]): Certificate {
  const [first, ...others] = shards;
  if (first === undefined) {
    throw new UsageError({ where: 'merge', problem: 'got no certificate', remedy: 'give the files of the shards' });
  }
  others.forEach((shard, at) => {
    refuseStranger(first, shard, at + 1);
  });
  refuseSharedPrograms(shards);
  if (others.length === 0) return first;
  const { shard: _, ...whole } = first;
  return {
    ...whole,
    startedAt: shards.map((shard) => shard.startedAt).sort()[0]!,
    durationMs: sum(shards, (shard) => shard.durationMs),
    programs: sum(shards, (shard) => shard.programs),
    operations: sum(shards, (shard) => shard.operations),
    pages: sum(shards, (shard) => shard.pages),
    rules: mergeRules(first.rules, shards),
    coverage: mergeCoverage(shards),
    ...mergeProof(shards),
    notes: notesOf(shards),
  };
}

function refuseStranger(first: Certificate, shard: Certificate, at: number): void {
  const where = `certificate ${at + 1}`;
  for (const field of ['format', 'version', 'subject', 'profile', 'pagecheck'] as const) {
    if (shard[field] === first[field]) continue;
    const problem = `has ${field} ${JSON.stringify(shard[field])}, the first ${JSON.stringify(first[field])}`;
    throw new UsageError({ where, problem, remedy: 'merge shards of one run only' });
  }
  const unlike =
    first.rules.find((result) => ruleOf(shard, result.rule)?.level !== result.level) ??
    shard.rules.find((result) => ruleOf(first, result.rule) === undefined);
  if (unlike === undefined) return;
  const problem = `and the first do not both judge ${unlike.rule} at one level`;
  throw new UsageError({ where, problem, remedy: 'merge shards of one run only' });
}

function refuseSharedPrograms(shards: readonly Certificate[]): void {
  for (const [at, shard] of shards.entries()) {
    const before = shards.findIndex((other) => sharesPrograms(other, shard));
    if (before === at) continue;
    const problem = `has run programs of ${nameOf(shard)} that certificate ${before + 1} has run`;
    const remedy = 'give each shard once, with a seed or a part of its own: the same programs prove nothing twice';
    throw new UsageError({ where: `certificate ${at + 1}`, problem, remedy });
  }
}

/** Parts of one division by the same number are disjoint; parts of different divisions may overlap. */
function sharesPrograms(one: Certificate, other: Certificate): boolean {
  if (one.seed !== other.seed) return false;
  const apart = one.shard !== undefined && one.shard.of === other.shard?.of && one.shard.index !== other.shard.index;
  return !apart;
}

function nameOf({ seed, shard }: Certificate): string {
  return shard === undefined ? `seed ${seed}` : `seed ${seed}, shard ${shard.index + 1}/${shard.of}`;
}

function ruleOf(certificate: Certificate, rule: string): RuleResult | undefined {
  return certificate.rules.find((result) => result.rule === rule);
}

/** What a shard left unproved, another may have proved: where faults are listed they decide, for all shards together. */
function mergeRules(rules: readonly RuleResult[], shards: readonly Certificate[]): RuleResult[] {
  const { proof } = mergeProof(shards);
  const held = (result: RuleResult): RuleResult => {
    if (proof === undefined || result.status !== 'unproved') return result;
    const { reason: _, ...rest } = result;
    return { ...rest, status: 'pass' };
  };
  const merged = rules.map(({ rule }) => mergeResults(shards.map((shard) => held(ruleOf(shard, rule)!))));
  return withProof(withCoverage(merged, mergeCoverage(shards)), proof ?? []);
}

/** The first of these that any shard says is what all say together, before witnesses are counted. */
const strongest: readonly RuleStatus[] = ['fail', 'known', 'unknown', 'unproved', 'stale'];

function mergeResults(results: readonly RuleResult[]): RuleResult {
  const witnesses = sum(results, (result) => result.witnesses);
  const floor = Math.max(...results.map((result) => result.floor));
  const status = mergeStatuses(results, witnesses >= floor);
  const telling = results.find((result) => result.status === status);
  const counterexample = results.find((result) => result.counterexample !== undefined)?.counterexample;
  return {
    rule: results[0]!.rule,
    level: results[0]!.level,
    status,
    witnesses,
    floor,
    ...(telling?.reason === undefined ? {} : { reason: telling.reason }),
    ...(counterexample === undefined ? {} : { counterexample }),
    durationMs: sum(results, (result) => result.durationMs),
  };
}

function mergeStatuses(results: readonly RuleResult[], enough: boolean): RuleStatus {
  const statuses = new Set(results.map((result) => result.status));
  for (const status of strongest) if (statuses.has(status)) return status;
  // Here only passes, vacuous shards and shards that did not judge the rule are left.
  if (statuses.has('pass') || statuses.has('vacuous')) return enough ? 'pass' : 'vacuous';
  return statuses.has('not-run') ? 'not-run' : 'not-applicable';
}

/** A fault that any shard noticed was noticed; absent where no shard was to prove anything. */
function mergeProof(shards: readonly Certificate[]): Pick<Certificate, 'proof'> {
  if (shards.every((shard) => shard.proof === undefined)) return {};
  const merged = new Map<string, Proof>();
  for (const one of shards.flatMap(({ proof }) => proof ?? [])) {
    if (merged.get(one.wrapper)?.outcome !== 'killed') merged.set(one.wrapper, one);
  }
  return { proof: [...merged.values()] };
}

function mergeCoverage(shards: readonly Certificate[]): readonly Coverage[] {
  const merged = new Map<string, Coverage>();
  for (const { name, count, floor } of shards.flatMap((shard) => shard.coverage)) {
    const before = merged.get(name);
    merged.set(name, { name, count: (before?.count ?? 0) + count, floor: Math.max(before?.floor ?? 0, floor) });
  }
  return [...merged.values()];
}

function notesOf(shards: readonly Certificate[]): readonly string[] {
  return [
    `merged from ${shards.length} shards: ${shards.map(nameOf).join('; ')}`,
    ...new Set(shards.flatMap(missingParts)),
    ...new Set(shards.flatMap((shard) => shard.notes)),
  ];
}

function missingParts({ seed, shard }: Certificate, _at: number, shards: readonly Certificate[]): readonly string[] {
  if (shard === undefined) return [];
  const there = new Set(shards.filter((other) => other.seed === seed).map((other) => other.shard?.index));
  const parts = Array.from({ length: shard.of }, (_, index) => index);
  return parts
    .filter((index) => !there.has(index))
    .map((index) => `seed ${seed}, shard ${index + 1}/${shard.of} is missing`);
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
