import { describe, expect, it } from 'vitest';
import { rules, type Scope } from './contract.ts';
import { isProfileName, type ProfileName, type ProfileRule, profileRules, profiles } from './profiles.ts';
import { a2aRulings, olderRulings } from './rulings.ts';

const everything: readonly Scope[] = ['T', 'I', 'P', 'D', 'W', 'X'];
const bundled: readonly Scope[] = ['T', 'I', 'P', 'D', 'W'];

const ruled = (name: ProfileName, scope: readonly Scope[], id: string): ProfileRule =>
  profileRules(name, scope).find((each) => each.rule.id === id)!;

/** Rule ids by what a profile makes of them; `-` not applicable. */
function levels(name: ProfileName, scope: readonly Scope[]): Record<'M' | 'S' | '-', string[]> {
  const found: Record<'M' | 'S' | '-', string[]> = { M: [], S: [], '-': [] };
  for (const each of profileRules(name, scope)) found[each.applicable ? each.level : '-'].push(each.rule.id);
  return found;
}

describe('profiles', () => {
  it('rule on exactly the rules that the contract has', () => {
    const ids = rules.map((rule) => rule.id);
    expect(Object.keys(olderRulings)).toEqual(ids);
    expect(Object.keys(a2aRulings)).toEqual(ids);
  });

  it.each(Object.keys(profiles) as ProfileName[])('%s says of every rule, in order, either how or why not', (name) => {
    const judged = profileRules(name, everything);
    expect(judged.map((each) => each.rule)).toEqual(rules);
    for (const each of judged) expect(each.applicable, each.rule.id).toBe(each.reason === undefined);
  });

  it('know their names and nothing that an object merely inherits', () => {
    expect(['0.6', '0.5.2', 'a2a-1.0', '0.7', 'toString'].filter(isProfileName)).toEqual(['0.6', '0.5.2', 'a2a-1.0']);
  });

  it('judge the order that each of them names', () => {
    expect(Object.values(profiles).map((profile) => profile.order)).toEqual([
      'storage-time',
      'creation',
      'status-timestamp',
    ]);
  });
});

describe('profile 0.6', () => {
  it('holds the bundled subjects to everything but the older release and what external stores are asked', () => {
    expect(levels('0.6', bundled)).toMatchObject({ S: [], '-': ['STORE-1', 'COST-4', 'LEGACY-1'] });
  });

  it('holds an external store to the contract, and to our own strengthenings only as shoulds', () => {
    const external = levels('0.6', ['X']);
    expect(external.S).toEqual(['WALK-6', 'SNAP-2', 'COUNT-2', 'STORE-2', 'STORE-3', 'COST-4']);
    expect(external.M).toContain('WIRE-5');
    expect(external['-']).toContain('TIME-5');
    expect(ruled('0.6', ['X'], 'SNAP-1').reason).toBe('asked of: in-memory store, PostgreSQL store');
  });

  it('judges walks under churn too', () => {
    expect(profileRules('0.6', everything).some((each) => each.quietWalksOnly)).toBe(false);
  });
});

describe('profile 0.5.2', () => {
  it('keeps what the older release promised', () => {
    expect(levels('0.5.2', everything)).toMatchObject({
      M: [
        'TIME-3',
        'TOKEN-1',
        'TOKEN-2',
        'TOKEN-5',
        'WALK-1',
        'WALK-3',
        'WALK-4',
        'WALK-5',
        'COUNT-1',
        'AUTH-9',
        'WIRE-2',
        'LEGACY-1',
      ],
      S: ['WALK-6', 'SNAP-1', 'COUNT-2', 'COST-4'],
    });
  });

  it('judges walk and boundary rules on quiet walks only', () => {
    const quiet = profileRules('0.5.2', everything).filter((each) => each.quietWalksOnly);
    expect(quiet.map((each) => each.rule.id)).toEqual(['TOKEN-5', 'WALK-1', 'WALK-3', 'WALK-4']);
    expect(profiles['0.5.2'].quietWalksOnly).toBe(true);
  });

  it('says why the numeric token is no violation there', () => {
    expect(ruled('0.5.2', ['I'], 'TOKEN-3')).toMatchObject({
      applicable: false,
      reason: 'the tokens of release 0.5.2 are numeric offsets, not boundaries',
    });
  });
});

describe('profile a2a-1.0', () => {
  it('judges an external store by what the specification asks', () => {
    expect(levels('a2a-1.0', ['X'])).toMatchObject({
      M: [
        'ORDER-1',
        'TOKEN-1',
        'TOKEN-2',
        'TOKEN-5',
        'WALK-1',
        'WALK-3',
        'WALK-4',
        'WALK-5',
        'COUNT-1',
        'FILTER-1',
        'WIRE-5',
      ],
      S: ['TIME-3', 'TOKEN-4', 'TOKEN-6', 'TOKEN-8', 'WALK-6', 'COUNT-2', 'COST-4'],
    });
  });

  it('asks the authorization rules of a dispatcher only', () => {
    expect(ruled('a2a-1.0', ['X'], 'AUTH-5')).toMatchObject({
      applicable: false,
      reason: 'profile a2a-1.0 asks it of a dispatcher only',
    });
    expect(ruled('a2a-1.0', ['D'], 'AUTH-5')).toMatchObject({ applicable: true, level: 'M' });
  });

  it('reads ORDER-1 by status timestamps and lets a written task repeat', () => {
    expect(ruled('a2a-1.0', ['X'], 'ORDER-1').reading).toContain('status timestamps descending as instants, none last');
    expect(profiles['a2a-1.0'].writtenMayRepeat).toBe(true);
  });

  it('takes token portability and push configurations as shoulds', () => {
    const wire = levels('a2a-1.0', ['W']);
    expect(wire.S).toEqual(expect.arrayContaining(['TOKEN-7', 'PUSH-1']));
    expect(wire['-']).toContain('WIRE-2');
  });
});
