import { describe, expect, it } from 'vitest';
import { ruleById } from '../../spec/contract.ts';
import { modelOptions } from '../check/check.ts';
import { observe } from '../check/world.ts';
import { clockAt, sequential } from '../generate/scenario.ts';
import type { Step } from '../history/program.ts';
import { runSequentially } from '../run/sequential.ts';
import { createMemorySubject, memoryCapabilities } from '../subject/memory.ts';
import { externalDefaults } from '../subject/subject.ts';
import { adversaries, withCoverage } from './adversaries.ts';
import { sampleResult } from './certificate.sample.ts';
import { certify } from './certify.ts';
import { CoverageCount } from './coverage.ts';

const methods = new Set(['delete'] as const);

/** What one program meets, by name; what it does not meet is left out. */
async function met(tasks: Record<string, string>, steps: readonly Step[]): Promise<Record<string, number>> {
  const history = await runSequentially(createMemorySubject(), sequential('test', tasks, steps), {
    operationTimeoutMs: 1_000,
  });
  const count = new CoverageCount(memoryCapabilities);
  count.add(observe(history, modelOptions(memoryCapabilities)));
  const coverage = count.coverage(methods).filter((one) => one.count > 0);
  return Object.fromEntries(coverage.map(({ name, count: times }) => [name, times]));
}

describe('the adversaries', () => {
  it('have names of their own, and make rules of the contract vacuous', () => {
    const all = adversaries(memoryCapabilities);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    expect(all.flatMap(({ rules }) => rules).filter((rule) => ruleById(rule) === undefined)).toEqual([]);
  });

  it('are counted: a tie across the boundary, which is then written and at last deleted', async () => {
    const seen = await met({ A: 'a', B: 'b', C: 'c' }, [
      clockAt(0n),
      { op: 'create', task: 'A' },
      { op: 'create', task: 'B' },
      { op: 'create', task: 'C' },
      { op: 'first', walk: 'w', pageSize: 1 },
      { op: 'peek', walk: 'w', pageSize: 2 },
      { op: 'replace', task: 'C' },
      { op: 'peek', walk: 'w', pageSize: 3 },
      { op: 'delete', task: 'C' },
      { op: 'peek', walk: 'w', pageSize: 100 },
    ]);
    expect(seen).toMatchObject({
      'boundary updated': 1,
      'boundary deleted': 1,
      'frozen clock': 1,
      'page of one': 1,
      'page of a hundred': 1,
      'page as long as the list': 1,
    });
    expect(seen['tie across a boundary']).toBeGreaterThan(0);
  });

  it('are counted: ids by their class, tokens and filters', async () => {
    const seen = await met({ A: 'a|1', B: 'x ' }, [
      clockAt(0n),
      { op: 'create', task: 'A' },
      { op: 'create', task: 'B' },
      { op: 'token', token: '0', means: { kind: 'number' } },
      { op: 'token', token: '!', means: { kind: 'foreign' } },
      { op: 'first', walk: 'w', pageSize: 1 },
      { op: 'peek', walk: 'w', pageSize: 1, filter: { context: 'ctx' } },
    ]);
    expect(seen).toMatchObject({
      'ids: delimiters': 1,
      'ids: spaces': 1,
      'numeric token': 1,
      'malformed token': 1,
      'filtered page': 1,
      'token under another filter': 1,
      'awkward id at a boundary': 1,
    });
  });

  it('are not asked of a subject that can not be brought into them', () => {
    const coverage = new CoverageCount(externalDefaults).coverage(new Set());
    const asked = coverage.filter(({ floor }) => floor > 0).map(({ name }) => name);
    expect(asked).not.toContain('backwards clock');
    expect(asked).not.toContain('boundary deleted');
    expect(asked).not.toContain("another caller's token");
    expect(asked).toContain('boundary updated');
  });
});

describe('a run below a floor', () => {
  const thin = [{ name: 'backwards clock', count: 2, floor: 5 }];

  it('is vacuous for the rules that need the adversary, and for no other', () => {
    const results = [sampleResult('TIME-2', 'pass'), sampleResult('WALK-1', 'pass'), sampleResult('TIME-2', 'fail')];
    const judged = withCoverage(results, thin);
    expect(judged.map(({ status }) => status)).toEqual(['vacuous', 'pass', 'fail']);
    expect(judged[0]?.reason).toContain('backwards clock');
  });

  it('is told as such by a certificate', async () => {
    const { rules, coverage } = await certify(createMemorySubject(), { runs: 60, rules: ['STORE-3'] });
    expect(coverage.some(({ name, count, floor }) => name.startsWith('ids: ') && count < floor)).toBe(true);
    expect(rules.map(({ status }) => status)).toEqual(['vacuous']);
  });
});
