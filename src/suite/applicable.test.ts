import { describe, expect, it } from 'vitest';
import { rules } from '../../spec/contract.ts';
import type { ProfileName } from '../../spec/profiles.ts';
import { costChecks, sequentialChecks } from '../check/index.ts';
import { memoryCapabilities } from '../subject/memory.ts';
import { type Capabilities, externalDefaults, type SubjectStore } from '../subject/subject.ts';
import { rulings } from './applicable.ts';

const every = [
  'replace',
  'append',
  'cancel',
  'delete',
  'get',
  'setClock',
  'counters',
] as const satisfies readonly (keyof SubjectStore)[];
const judgeable = new Set([...sequentialChecks, ...costChecks].flatMap((check) => check.rules));

interface Case {
  readonly profile?: ProfileName;
  readonly capabilities?: Partial<Capabilities>;
  readonly methods?: readonly (keyof SubjectStore)[];
  readonly counters?: readonly string[];
}

function rule(id: string, { profile = '0.6', capabilities, methods = every, counters = ['visits', 'counts'] }: Case) {
  const all = rulings(profile, { ...memoryCapabilities, ...capabilities }, new Set(methods), counters, judgeable);
  return all.find((one) => one.rule.id === id);
}

describe('the rules of a subject', () => {
  it('are all rules of the contract, each with a standing, and a reason where it is not judged', () => {
    const all = rulings('0.6', memoryCapabilities, new Set(every), ['visits', 'counts'], judgeable);
    expect(all.map((one) => one.rule.id)).toEqual(rules.map(({ id }) => id));
    for (const { standing, reason } of all) expect(reason !== undefined).toBe(standing !== 'judged');
  });

  it.each<[string, Case, RegExp]>([
    ['TIME-2', { methods: [] }, /no mutation but create/],
    ['TOKEN-5', { methods: [] }, /no mutation but create/],
    ['TIME-3', { methods: [], capabilities: { revisions: false, create: 'upsert' } }, /never rejects/],
    ['TIME-4', { capabilities: { deduplicates: false } }, /no deduplicated/],
    ['TIME-5', { capabilities: { clock: false } }, /clock can't be set/],
    ['TIME-5', { capabilities: { ties: false } }, /strictly increasing/],
    ['WALK-2', { capabilities: { boundaries: false, tokens: 'opaque' } }, /keys are unseen/],
    ['WALK-7', { capabilities: { clock: false } }, /clock can't be set/],
    ['WALK-7', { capabilities: { ties: false } }, /no ties/],
    ['COUNT-1', { capabilities: { totals: false } }, /no totals/],
    ['COUNT-2', { counters: ['visits'] }, /no counter of that name/],
    ['COST-2', { counters: [] }, /no counters/],
    ['WIRE-5', { capabilities: { validatesPageSize: false } }, /another layer/],
    ['LEGACY-1', {}, /0\.5\.2/],
    ['ORDER-1', { profile: '0.5.2' }, /creation/],
    ['TOKEN-3', { profile: 'a2a-1.0' }, /opaque/],
  ])('%s is not applicable in case %#, with the reason', (id, given, reason) => {
    expect(rule(id, given)).toMatchObject({ standing: 'not-applicable', reason: expect.stringMatching(reason) });
  });

  it('about updates are judged of a store that has no operation but a create that writes over', () => {
    for (const id of ['TIME-2', 'TOKEN-5'])
      expect(rule(id, { methods: [], capabilities: { create: 'upsert' } })).toMatchObject({ standing: 'judged' });
  });

  it('that need several clients are not run by a run of one', () => {
    expect(rule('SNAP-1', {})).toMatchObject({
      standing: 'not-run',
      reason: expect.stringContaining('several clients at once'),
    });
  });

  it('that no check of the run reports are not run', () => {
    const none = rulings('0.6', memoryCapabilities, new Set(every), [], new Set());
    expect(none.filter(({ standing }) => standing === 'judged')).toEqual([]);
  });

  it('of an external store are fewer, and some of them shoulds', () => {
    const external = { capabilities: externalDefaults };
    expect(rule('WALK-3', external)).toMatchObject({ standing: 'judged', level: 'M' });
    expect(rule('STORE-3', external)).toMatchObject({ standing: 'judged', level: 'S' });
    expect(rule('COST-2', external)).toMatchObject({ standing: 'not-applicable' });
  });
});
