/** The contract as tests of any test runner that has `describe` and `it`. */
import { defaultProfile, profileRules } from '../../spec/profiles.ts';
import type { Subject } from '../subject/subject.ts';
import type { Certificate } from '../suite/certificate.ts';
import { type CertifyOptions, certify } from '../suite/certify.ts';
import { type TestOutcome, testOutcome } from './test-outcome.ts';

/** What is needed of a test runner. A third argument of `it` that is no time limit to the runner must do no harm. */
export interface TestRunner {
  describe(title: string, body: () => void): unknown;
  it(title: string, test: (...context: unknown[]) => Promise<void>, timeoutMs: number): unknown;
  /** The command that runs the test of this rule again; a sentence that says what to do where absent. */
  replay?(rule: string): string;
}

/** What is judged, and with which runner. */
export interface DescribeOptions extends CertifyOptions {
  readonly runner: TestRunner;
  /** A violated should-rule fails its test; it is skipped where absent. */
  readonly strict?: boolean;
  /** The longest that one test may take; 120,000 ms and the time budget where absent. The first one does the work. */
  readonly timeoutMs?: number;
}

/**
 * Describes a subject by one test for each rule that its scope and profile are judged by. All tests share one run
 * of `certify`; the first awaits it. The title names the seed, 1 where absent: the same seed makes the same programs. A
 * violation fails its test with the shrunk counterexample; its replay is the test itself unless `saveReplay` is given.
 * A rule that the subject's capabilities rule out is skipped with the reason, through `skip` of the test's context;
 * under a runner whose tests can't skip themselves (Jest) such a test passes with its reason on the console.
 */
export function describeTaskStore(name: string, subject: Subject, options: DescribeOptions): void {
  const { runner, strict = false, timeoutMs, ...given } = options;
  const seed = given.seed ?? 1;
  const profile = given.profile ?? defaultProfile;
  const limitMs = timeoutMs ?? 120_000 + (given.timeBudgetMs ?? 0);
  const wanted = profileRules(profile, subject.capabilities.scope).filter(
    ({ rule, applicable }) => applicable && (given.rules?.includes(rule.id) ?? true),
  );
  let run: Promise<Certificate> | undefined;

  runner.describe(`${name}, profile ${profile}, seed ${seed}`, () => {
    for (const { rule, level } of wanted) {
      const should = level === 'S' ? ' (should)' : '';
      // A function, and without a named parameter: Mocha passes its context as `this`, and Jest and Mocha take a named
      // parameter for a callback that they wait for.
      const test = async function (this: unknown, ...context: unknown[]): Promise<void> {
        liftTimeLimit(this, limitMs);
        run ??= certify(subject, { ...given, seed, profile });
        const replay = runner.replay?.(rule.id) ?? `run the test of ${rule.id} again with seed ${seed}`;
        const certificate = given.saveReplay === undefined ? withReplay(await run, rule.id, replay) : await run;
        settle(testOutcome(rule.id, certificate, strict), [context[0], this]);
      };
      runner.it(`${rule.id}${should}: ${rule.title}`, test, limitMs);
    }
  });
}

/** The command line knows a subject by its module, which a test does not tell: the test is its own replay. */
function withReplay(certificate: Certificate, rule: string, replay: string): Certificate {
  const rules = certificate.rules.map((result) =>
    result.rule === rule && result.counterexample !== undefined
      ? { ...result, counterexample: { ...result.counterexample, replay } }
      : result,
  );
  return { ...certificate, rules };
}

function settle(outcome: TestOutcome, contexts: readonly unknown[]): void {
  if (outcome.kind === 'passed') return;
  if (outcome.kind === 'failed') throw failure(outcome.text);
  const context = contexts.find((one) => hasMethod(one, 'skip'));
  if (context === undefined) console.warn(`not judged: ${outcome.text}`);
  else (context as { skip(reason: string): void }).skip(outcome.text);
}

/** An error that says what was seen and not where in this file it was thrown. */
function failure(text: string): Error {
  const error = new Error(text);
  error.stack = text;
  return error;
}

/** Mocha knows no third argument of `it`: its limit is set from inside the test. */
function liftTimeLimit(context: unknown, limitMs: number): void {
  if (hasMethod(context, 'timeout')) (context as { timeout(limitMs: number): void }).timeout(limitMs);
}

/** Vitest's context is itself a function. */
function hasMethod(value: unknown, name: string): boolean {
  const has = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return has && typeof Reflect.get(value, name) === 'function';
}
