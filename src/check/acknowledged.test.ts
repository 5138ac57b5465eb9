import { describe, expect, it } from 'vitest';
import type { Operation } from '../history/history.ts';
import { contentsFor } from '../run/content.ts';
import { externalDefaults } from '../subject/subject.ts';
import { type Case, type Judges, judge, unseen } from './story.sample.ts';

const create = (id: string): Operation => ({ op: 'create', contents: contentsFor(id, undefined, 'x') });
const external: Judges = { capabilities: { ...externalDefaults, create: 'reject', deduplicates: true } };

const cases: readonly Case[] = [
  {
    what: 'an acknowledged write is lost',
    breaks: ['SNAP-2'],
    wrong: (s) => s.create('a').append('a', 'm1').get('a', { history: [] }),
    right: (s) => s.create('a').append('a', 'm1').get('a'),
    judges: unseen,
  },
  {
    what: 'an acknowledged create is lost',
    breaks: ['SNAP-2'],
    wrong: (s) => s.create('a').lost('a'),
    right: (s) => s.create('a').get('a'),
    judges: unseen,
  },
  {
    what: 'a deleted task is read',
    breaks: ['SNAP-2'],
    wrong: (s) => s.create('a').delete('a').get('a', { state: 'WORKING' }),
    right: (s) => s.create('a').delete('a').lost('a'),
    judges: unseen,
  },
  {
    what: 'a page shows what was before the last write',
    breaks: ['SNAP-2'],
    wrong: (s) =>
      s
        .create('a')
        .replace('a', undefined, { state: 'FAILED' })
        .page('w', 'a', { items: { a: { state: 'WORKING' } } }),
    right: (s) => s.create('a').replace('a', undefined, { state: 'FAILED' }).page('w', 'a'),
    judges: unseen,
  },
  {
    what: 'a list cuts the history to its oldest messages',
    breaks: ['SNAP-2'],
    wrong: (s) => spoken(s).page('w', 'a', { history: 1, items: { a: { history: ['m1'] } } }),
    right: (s) => spoken(s).page('w', 'a', { history: 1, items: { a: { history: ['m2'] } } }),
    judges: unseen,
  },
  {
    what: 'a write at a revision that is gone succeeds',
    breaks: ['SNAP-2'],
    wrong: (s) => {
      s.create('a').add(conditional, { kind: 'written' });
    },
    right: (s) => s.create('a').refused(conditional, 'revision-conflict'),
    judges: unseen,
  },
  {
    what: 'a write of a standing task is refused',
    breaks: ['SNAP-2'],
    wrong: (s) => s.create('a').refused({ op: 'append', id: 'a', message: 'm1' }, 'not-found'),
    right: (s) => s.create('a').append('a', 'm1'),
    judges: unseen,
  },
  {
    what: 'a read fails',
    breaks: ['SNAP-2'],
    wrong: (s) => s.create('a').refused({ op: 'get', id: 'a' }, 'internal').get('a'),
    right: (s) => s.create('a').get('a'),
    judges: unseen,
  },
  {
    what: 'two ids in two cases are one task',
    breaks: ['STORE-3'],
    wrong: (s) => s.create('a').refused(create('A'), 'already-exists'),
    right: (s) => s.create('a').create('A'),
    judges: unseen,
  },
  {
    what: 'an id with a trailing space reads another task',
    breaks: ['STORE-3'],
    wrong: (s) => s.create('a').create('a ').get('a ', { id: 'a', note: '0' }),
    right: (s) => s.create('a').create('a ').get('a '),
    judges: unseen,
  },
  {
    what: 'an awkward id is not found again',
    breaks: ['STORE-3'],
    wrong: (s) => s.create('__proto__').lost('__proto__'),
    right: (s) => s.create('__proto__').get('__proto__'),
    judges: unseen,
  },
  {
    what: 'an ill-formed id is let in',
    breaks: ['STORE-3'],
    wrong: (s) => s.create('\ud800'),
    right: (s) => s.refused(create('\ud800'), 'invalid-argument'),
    judges: unseen,
  },
];

const conditional: Operation = { op: 'replace', contents: contentsFor('a', { note: 'new' }, ''), ifRevision: 'gone' };

function spoken(story: Parameters<Case['wrong']>[0]) {
  return story.create('a', undefined, { history: ['m1', 'm2'] });
}

describe('what was acknowledged', () => {
  it.each(cases)('$breaks: $what', ({ wrong, right, breaks, judges }) => {
    expect(judge(wrong, judges).broken).toEqual([...breaks].sort());
    expect(judge(right, judges).broken).toEqual([]);
    expect(judge(right, judges).witnesses(breaks[0])).toBeGreaterThan(0);
  });
});

describe('an external store', () => {
  it('may keep ids beyond what it declares, as long as it keeps them right', () => {
    const long = 'q'.repeat(300);
    expect(judge((s) => s.create(long).get(long), external).broken).toEqual([]);
    expect(judge((s) => s.create(long).get(long, { id: 'q'.repeat(255) }), external).broken).toEqual(['STORE-3']);
    expect(judge((s) => s.create('\ud800'), external).broken).toEqual(['STORE-3']);
  });

  it('may show less of the history in lists, the newest first', () => {
    const shown = (history: string[]) =>
      judge((s) => spoken(s).page('w', 'a', { items: { a: { history } } }), external);
    expect(shown([]).broken).toEqual([]);
    expect(shown(['m2']).broken).toEqual([]);
    expect(shown(['m1']).broken).toEqual(['SNAP-2']);
  });

  it('may spell an instant in its own way, and write its own at a cancel', () => {
    const told = (timestamp: string) =>
      judge((s) => s.create('a', undefined, { timestamp: '2001-01-01T00:00:00.5Z' }).get('a', { timestamp }), external);
    expect(told('2001-01-01T00:00:00.500Z').broken).toEqual([]);
    expect(told('2001-01-01T00:00:00.501Z').broken).toEqual(['SNAP-2']);
    const cancelled = (second: string) =>
      judge(
        (s) =>
          s.create('a').cancel('a').get('a', { timestamp: '2026-01-01T00:00:00.000Z' }).get('a', { timestamp: second }),
        external,
      );
    expect(cancelled('2026-01-01T00:00:00.000Z').broken).toEqual([]);
    expect(cancelled('2026-01-01T00:00:01.000Z').broken).toEqual(['SNAP-2']);
  });

  it('may say that nothing stands by an error of any kind', () => {
    expect(judge((s) => s.refused({ op: 'get', id: 'a' }, 'unclassified'), external).broken).toEqual([]);
    expect(judge((s) => s.create('a').refused({ op: 'get', id: 'a' }, 'unclassified'), external).broken).toEqual([
      'SNAP-2',
    ]);
  });

  it('that writes over may refuse to, and may refuse to write into nothing', () => {
    const upsert: Judges = { capabilities: { ...externalDefaults, create: 'upsert' } };
    const replace: Operation = { op: 'replace', contents: contentsFor('a', undefined, 'x') };
    expect(judge((s) => s.create('a').refused(create('a'), 'already-exists').get('a'), upsert).broken).toEqual([]);
    expect(judge((s) => s.refused(replace, 'not-found'), upsert).broken).toEqual([]);
    expect(judge((s) => s.refused(conditional, 'revision-conflict'), upsert).broken).toEqual([]);
    expect(judge((s) => s.create('a').refused(replace, 'internal'), upsert).broken).toEqual(['SNAP-2']);
  });
});
