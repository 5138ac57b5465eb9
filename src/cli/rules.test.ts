import { describe, expect, it } from 'vitest';
import { rules } from '../../spec/contract.ts';
import { renderRules } from './rules.ts';
import { UsageError } from './usage-error.ts';

const failure = (id: string): UsageError => {
  try {
    renderRules(id);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error(`${id} was taken for a rule`);
};

describe('pagecheck rules', () => {
  it('gives a line to every rule', () => {
    const lines = renderRules().split('\n');
    for (const rule of rules) {
      const own = lines.filter((line) => line.startsWith(`${rule.id} `));
      expect(own, rule.id).toHaveLength(1);
      expect(own[0]).toContain(rule.title);
    }
  });

  it('says of one rule what holds, for whom, whence, and under which profiles', () => {
    expect(renderRules('walk-6')).toBe(
      [
        'WALK-6: page sizes do not matter',
        '',
        '  While nothing is written, any mix of page sizes gives the same list, and a last page that is full is',
        '  not followed by an empty one.',
        '',
        '  level    must; should for: external store',
        '  scope    in-memory store, PostgreSQL store, external store',
        '  basis    ours',
        '  source   Our reading',
        '  0.6      must',
        '  0.5.2    should',
        '  a2a-1.0  should',
        '',
      ].join('\n'),
    );
  });

  it('says that a rule needs a concurrent run, and why a profile leaves one out', () => {
    expect(renderRules('SNAP-1')).toContain('  needs    a concurrent run\n');
    expect(renderRules('TOKEN-3')).toContain('  0.5.2    not applicable: the tokens of release 0.5.2 are numeric');
  });

  it('offers near matches for an unknown id and calls it bad usage', () => {
    const error = failure('TOKN-5');
    expect(error.status).toBe(3);
    expect(error.message).toMatch(/^"TOKN-5" is no rule of the contract: did you mean TOKEN-5[,?]/);
    expect(failure('token').message).toContain('did you mean TOKEN-1, TOKEN-2, TOKEN-3, TOKEN-4, TOKEN-5?');
    expect(failure('WALK-9').message).toContain('WALK-1');
    expect(failure('zebra').message).toContain('"pagecheck rules" lists them all');
    expect(failure('').message).toBe('"" is no rule of the contract: "pagecheck rules" lists them all');
  });
});
