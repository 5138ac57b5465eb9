import { beforeEach, describe, expect, it, vi } from 'vitest';
import { defineSubject } from '../subject/subject.ts';
import { sampleCertificate, sampleCounterexample, sampleResult } from '../suite/certificate.sample.ts';
import { certify } from '../suite/certify.ts';
import { describeTaskStore } from './describe-task-store.ts';

vi.mock('../suite/certify.ts', () => ({ certify: vi.fn() }));

const subject = defineSubject({ name: 'some-store', open: () => Promise.reject(new Error('never opened here')) });
const certificate = sampleCertificate([
  sampleResult('ORDER-1', 'pass'),
  sampleResult('TOKEN-5', 'fail', { counterexample: sampleCounterexample }),
  sampleResult('WALK-7', 'not-applicable', { reason: 'no clock' }),
]);

type Test = (this: unknown, ...context: unknown[]) => Promise<void>;

/** A runner that only collects what it is given. */
function collect() {
  const titles: string[] = [];
  const tests = new Map<string, Test>();
  const runner = {
    describe: (title: string, body: () => void) => {
      titles.push(title);
      body();
    },
    it: (title: string, test: Test) => void tests.set(title.split(/[ :]/)[0]!, test),
  };
  return { runner, titles, tests };
}

/** How Vitest and Mocha skip: by throwing. */
function throwingSkip(reasons: string[]) {
  return (reason: string): never => {
    reasons.push(reason);
    throw new Error('skipped');
  };
}

describe('describeTaskStore', () => {
  beforeEach(() => {
    vi.mocked(certify).mockReset().mockResolvedValue(certificate);
  });

  it('gives each rule that an external subject is judged by a test, and no other', () => {
    const { runner, tests } = collect();
    describeTaskStore('mine', subject, { runner });
    expect([...tests.keys()]).toEqual(expect.arrayContaining(['TIME-2', 'TOKEN-5', 'WALK-3']));
    expect(tests.has('SCHEMA-1')).toBe(false);
  });

  it('gives only the rules that were asked for', () => {
    const { runner, tests } = collect();
    describeTaskStore('mine', subject, { runner, rules: ['TOKEN-5', 'ORDER-1'] });
    expect([...tests.keys()].sort()).toEqual(['ORDER-1', 'TOKEN-5']);
  });

  it('names the profile and the seed in the title, and runs with them', async () => {
    const { runner, titles, tests } = collect();
    describeTaskStore('mine', subject, { runner, seed: 7, profile: 'a2a-1.0', runs: 3 });
    await tests.get('ORDER-1')!.call(undefined);
    expect(titles).toEqual(['mine, profile a2a-1.0, seed 7']);
    expect(certify).toHaveBeenCalledWith(subject, { seed: 7, profile: 'a2a-1.0', runs: 3 });
  });

  it('takes seed 1 where none was given', async () => {
    const { runner, titles, tests } = collect();
    describeTaskStore('mine', subject, { runner });
    await tests.get('ORDER-1')!.call(undefined);
    expect(titles[0]).toMatch(/seed 1$/);
    expect(certify).toHaveBeenCalledWith(subject, { seed: 1, profile: '0.6' });
  });

  it('certifies nothing until a test runs, and then once for all tests', async () => {
    const { runner, tests } = collect();
    describeTaskStore('mine', subject, { runner });
    expect(certify).not.toHaveBeenCalled();
    await Promise.allSettled([...tests.values()].map((test) => test.call(undefined, { skip: () => {} })));
    expect(certify).toHaveBeenCalledTimes(1);
  });

  it('fails a violated rule with the counterexample and without a stack', async () => {
    const { runner, tests } = collect();
    describeTaskStore('mine', subject, { runner });
    const error = (await tests
      .get('TOKEN-5')!
      .call(undefined)
      .catch((thrown: unknown) => thrown)) as Error;
    expect(error.message).toContain(sampleCounterexample.finding.saw);
    expect(error.stack).toBe(error.message);
  });

  it('gives the test itself as the replay, by the command that the runner knows', async () => {
    const { runner, tests } = collect();
    describeTaskStore('mine', subject, { runner: { ...runner, replay: (rule) => `some-runner --only ${rule}` } });
    await expect(tests.get('TOKEN-5')!.call(undefined)).rejects.toThrow('replay: some-runner --only TOKEN-5');
    describeTaskStore('mine', subject, { runner, seed: 7 });
    await expect(tests.get('TOKEN-5')!.call(undefined)).rejects.toThrow('run the test of TOKEN-5 again with seed 7');
  });

  it('gives the replay that the user keeps', async () => {
    const { runner, tests } = collect();
    describeTaskStore('mine', subject, { runner, saveReplay: () => 'kept by the user' });
    await expect(tests.get('TOKEN-5')!.call(undefined)).rejects.toThrow(sampleCounterexample.replay);
  });

  it('skips through the context of Vitest, which is a function, and that of node:test', async () => {
    const { runner, tests } = collect();
    describeTaskStore('mine', subject, { runner });
    const reasons: string[] = [];
    const ofVitest = Object.assign(() => {}, { skip: throwingSkip(reasons) });
    await expect(tests.get('WALK-7')!.call(undefined, ofVitest)).rejects.toThrow('skipped');
    await tests.get('WALK-7')!.call(undefined, { skip: (reason: string) => void reasons.push(reason) });
    expect(reasons).toEqual(['not-applicable: no clock', 'not-applicable: no clock']);
  });

  it('skips, and lifts the time limit, through the `this` of Mocha', async () => {
    const { runner, tests } = collect();
    describeTaskStore('mine', subject, { runner, timeoutMs: 5_000 });
    const reasons: string[] = [];
    const timeout = vi.fn();
    await expect(tests.get('WALK-7')!.call({ timeout, skip: throwingSkip(reasons) })).rejects.toThrow('skipped');
    expect(timeout).toHaveBeenCalledWith(5_000);
    expect(reasons).toEqual(['not-applicable: no clock']);
  });

  it('says on the console what was not judged where a test cannot skip itself', async () => {
    const { runner, tests } = collect();
    describeTaskStore('mine', subject, { runner });
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    await tests.get('WALK-7')!.call({});
    expect(warn).toHaveBeenCalledWith('not judged: not-applicable: no clock');
    warn.mockRestore();
  });

  it('gives functions without named parameters, which Jest and Mocha would take for callbacks', () => {
    const { runner, tests } = collect();
    describeTaskStore('mine', subject, { runner });
    expect([...tests.values()].every((test) => test.length === 0)).toBe(true);
  });

  it('fails every test where the run itself fails', async () => {
    vi.mocked(certify).mockRejectedValue(new Error('connection refused'));
    const { runner, tests } = collect();
    describeTaskStore('mine', subject, { runner });
    await expect(tests.get('ORDER-1')!.call(undefined)).rejects.toThrow('connection refused');
    await expect(tests.get('TOKEN-5')!.call(undefined)).rejects.toThrow('connection refused');
  });
});
