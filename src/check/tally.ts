/** Counts witnesses and keeps the first findings while a check goes through a history. */
import type { Finding, RuleReport } from './verdict.ts';

/** The findings kept of one rule in one history: one proves it, a few more help the shrinker's choice. */
const kept = 3;

export class Tally {
  /** Counted where they stand: a rule may be met for every task of every page. */
  readonly #witnesses = new Map<string, { times: number }>();
  readonly #findings = new Map<string, Finding[]>();
  readonly #undecided = new Map<string, string>();

  /** The rule could have failed here. */
  witness(rule: string, times = 1): void {
    const counted = this.#witnesses.get(rule);
    if (counted === undefined) this.#witnesses.set(rule, { times });
    else counted.times += times;
  }

  /** The rule failed here. */
  fail(finding: Finding): void {
    const findings = this.#findings.get(finding.rule) ?? [];
    if (findings.length < kept) findings.push(finding);
    this.#findings.set(finding.rule, findings);
  }

  /** A search for a violation of the rule gave up here. */
  undecided(rule: string, reason: string): void {
    this.#undecided.set(rule, reason);
  }

  /** One report for each rule that was met. A failure is a witness as well. */
  reports(): RuleReport[] {
    const rules = new Set([...this.#witnesses.keys(), ...this.#findings.keys(), ...this.#undecided.keys()]);
    return [...rules].map((rule) => {
      const findings = this.#findings.get(rule) ?? [];
      const undecided = this.#undecided.get(rule);
      return {
        rule,
        witnesses: Math.max(this.#witnesses.get(rule)?.times ?? 0, findings.length),
        findings,
        ...(undecided === undefined ? {} : { undecided }),
      };
    });
  }
}
