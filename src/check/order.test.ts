import { describe, expect, it } from 'vitest';
import { contentsFor } from '../run/content.ts';
import { order } from './order.ts';
import { a2a, broken, type Case, findingsOf, judge, type Story, unseen } from './story.sample.ts';

const three = (s: Story) => s.create('a', 1n).create('b', 2n).create('c', 3n);

const cases: readonly Case[] = [
  {
    what: 'an older task comes first',
    breaks: ['ORDER-1', 'WALK-2'],
    wrong: (s) => three(s).page('w', 'c a b'),
    right: (s) => three(s).page('w', 'c b a'),
  },
  {
    what: 'at one time a smaller id comes first',
    breaks: ['ORDER-1', 'WALK-2'],
    wrong: (s) => s.create('a', 1n).create('ab', 1n).page('w', 'a ab'),
    right: (s) => s.create('a', 1n).create('ab', 1n).page('w', 'ab a'),
  },
  {
    what: 'ids are ordered as UTF-16',
    breaks: ['ORDER-1', 'WALK-2'],
    wrong: (s) => s.create('\uff61', 1n).create('\u{1f600}', 1n).page('w', '\uff61 \u{1f600}'),
    right: (s) => s.create('\uff61', 1n).create('\u{1f600}', 1n).page('w', '\u{1f600} \uff61'),
  },
  {
    what: 'a task written after a wait comes behind one from before it',
    breaks: ['ORDER-1'],
    wrong: (s) => s.create('a').tick().create('b').page('w', 'a b'),
    right: (s) => s.create('a').tick().create('b').page('w', 'b a'),
    judges: unseen,
  },
  {
    what: 'two tasks that nobody writes change places',
    breaks: ['ORDER-2'],
    wrong: (s) => s.create('a').create('b').page('w', 'b a').create('c').page('w', 'c a b'),
    right: (s) => s.create('a').create('b').page('w', 'b a').create('c').page('w', 'c b a'),
    judges: unseen,
  },
  {
    what: 'A2A: a list runs neither by status time nor by last update',
    breaks: ['ORDER-1'],
    wrong: (s) => stamped(s).page('w', 'a b c'),
    right: (s) => stamped(s).page('w', 'b a c'),
    judges: a2a,
  },
];

/** By status time b, a, c; by last update c, b, a. */
function stamped(story: Story): Story {
  const at = (year: number) => ({ timestamp: `${year}-01-01T00:00:00Z` });
  const one = story.create('a', undefined, at(2002)).tick().create('b', undefined, at(2003));
  return one.tick().create('c', undefined, at(2001));
}

describe('the order of a list', () => {
  it.each(cases)('$breaks: $what', ({ wrong, right, breaks, judges }) => {
    expect(judge(wrong, judges).broken).toEqual([...breaks].sort());
    expect(judge(right, judges).broken).toEqual([]);
    expect(judge(right, judges).witnesses(breaks[0])).toBeGreaterThan(0);
  });

  it('under A2A may be that of the last updates', () => {
    expect(judge((s) => stamped(s).page('w', 'c b a'), a2a).broken).toEqual([]);
  });

  it('under A2A leaves equal status times in any order, also equal in milliseconds', () => {
    const told = (s: Story) =>
      s
        .create('a', undefined, { timestamp: '2001-01-01T00:00:00.000001Z' })
        .tick()
        .create('b', undefined, { timestamp: '2001-01-01T00:00:00Z' })
        .tick()
        .create('c', undefined, { timestamp: '2001-01-01T00:00:00.000002Z' });
    expect(judge((s) => told(s).page('w', 'b a c'), a2a).broken).toEqual([]);
  });

  it('of two tasks from before one wait is free where times are unseen', () => {
    expect(judge((s) => s.create('a').create('b').page('w', 'a b'), unseen).broken).toEqual([]);
    expect(judge((s) => s.create('a').create('b').page('w', 'b a'), unseen).broken).toEqual([]);
  });
});

/** An attempt that had to change nothing. */
const attempt = (s: Story, id: string) =>
  s.refused({ op: 'create', contents: contentsFor(id, undefined, 'x') }, 'already-exists');

describe('the check of orders', () => {
  it('judges five rules', () => {
    expect(order.rules).toEqual(['ORDER-1', 'ORDER-2', 'TIME-1', 'TIME-2', 'TIME-3']);
  });

  it('judges neither what the harness scribbled into nor lists by creation', () => {
    const wrong = (s: Story) => three(s).page('w', 'c a b');
    expect(broken(wrong, { order: 'creation' })).not.toContain('ORDER-1');
    const flipped = (s: Story) => s.create('a').create('b').page('w', 'b a').page('v', 'a b');
    expect(broken(flipped, unseen)).toContain('ORDER-2');
    expect(broken(flipped, { ...unseen, order: 'creation' })).not.toContain('ORDER-2');
    const scribbled = (s: Story) => {
      s.tampered = true;
      wrong(s);
    };
    expect(broken(scribbled)).not.toContain('ORDER-1');
  });

  it('says at equal times that ids decide, else that times do', () => {
    const tie = findingsOf((s) => s.create('a', 1n).create('ab', 1n).page('w', 'a ab'), 'ORDER-1');
    expect(tie[0]?.allowed).toMatch(/^equal times are ordered by id/);
    const later = findingsOf((s) => three(s).page('w', 'c a b'), 'ORDER-1');
    expect(later[0]?.allowed).toBe('the later time comes first');
    expect(later[0]?.entries).toEqual([0, 1, 3]);
    expect(later[0]?.marks?.map(({ id, entry }) => [id, entry])).toEqual([
      ['a', 3],
      ['b', 3],
    ]);
  });

  it('leaves out tasks that do not stand, and the same one twice', () => {
    expect(broken((s) => s.create('a').page('w', 'x a x'), unseen)).not.toContain('ORDER-1');
    expect(judge((s) => s.create('a', 1n).page('w', 'a a')).witnesses('ORDER-1')).toBe(0);
  });
});

describe('where times are unseen', () => {
  const waited = (s: Story) => s.create('a').tick().create('b');
  const stamp = (year: number) => ({ timestamp: `${year}-01-01T00:00:00Z` });

  it('finds each pair once, by the writes of both', () => {
    const told = findingsOf((s) => stamped(s).page('w', 'a b c'), 'ORDER-1', unseen);
    expect(told.map(({ entries }) => entries)).toEqual([
      [0, 2, 5],
      [2, 4, 5],
    ]);
  });

  it('judges only tasks with a wait between their writes', () => {
    const pair = (s: Story) => s.tick().create('a').create('b');
    expect(broken((s) => pair(s).tick().page('w', 'a b'), unseen)).toEqual([]);
    expect(judge((s) => pair(s).tick().page('w', 'b a'), unseen).witnesses('ORDER-1')).toBe(0);
    expect(judge((s) => waited(s).page('w', 'b a'), unseen).witnesses('ORDER-1')).toBe(1);
  });

  it('lets a task run ahead of the clock by what it was written', () => {
    const written = (s: Story) => s.create('a').replace('a').replace('a').replace('a').tick();
    expect(broken((s) => written(s).create('b').page('w', 'a b'), unseen)).toEqual([]);
    expect(broken((s) => written(s).tick().create('b').page('w', 'a b'), unseen)).toEqual(['ORDER-1']);
  });

  it('leaves a task to TIME-3 that an attempt before the list may have moved', () => {
    for (const id of ['a', 'b']) {
      expect(broken((s) => attempt(waited(s), id).page('w', 'a b'), unseen)).not.toContain('ORDER-1');
      expect(broken((s) => attempt(waited(s).page('w', 'a b'), id), unseen)).toContain('ORDER-1');
    }
    expect(broken((s) => attempt(waited(s).create('z'), 'z').page('w', 'z a b'), unseen)).toContain('ORDER-1');
  });

  it('lays at the status times what they decide, and nothing else', () => {
    const pair = (one: object, other: object) => (s: Story) =>
      s.create('a', undefined, one).tick().create('b', undefined, other).page('w', 'a b');
    expect(broken(pair(stamp(2002), stamp(2001)), unseen)).toEqual(['ORDER-1', 'TIME-1']);
    for (const [one, other] of [
      [stamp(2001), stamp(2002)],
      [stamp(2001), stamp(2001)],
      [stamp(2002), {}],
      [{}, stamp(2001)],
    ] as const)
      expect(broken(pair(one, other), unseen)).toEqual(['ORDER-1']);
  });

  it('lays at an update that it leaves its task behind', () => {
    const updated = (s: Story) => s.create('b').create('a').tick().replace('b');
    expect(broken((s) => updated(s).page('w', 'a b'), unseen)).toEqual(['ORDER-1', 'TIME-2']);
    const witnesses = (tell: (s: Story) => unknown) =>
      order.rules.map((rule) => judge(tell, unseen).witnesses(rule)).join(' ');
    expect(witnesses((s) => updated(s).page('w', 'b a'))).toBe('1 0 0 1 0');
    expect(witnesses((s) => waited(s).page('w', 'b a'))).toBe('1 0 0 0 0');
    const late = (s: Story) => s.create('a', undefined, stamp(2002)).tick().create('b', undefined, stamp(2001));
    expect(witnesses((s) => late(s).page('w', 'b a'))).toBe('1 0 1 0 0');
  });
});

describe('two tasks that change places', () => {
  const listed = (s: Story) => s.create('a').create('b').page('w', 'b a');
  const broke = (tell: (s: Story) => unknown, judges = unseen) => broken(tell, judges);

  it('are told by both lists', () => {
    const told = findingsOf((s) => listed(s).create('c').page('w', 'c a b'), 'ORDER-2', unseen);
    expect(told.map(({ entries }) => entries)).toEqual([[0, 1, 2, 4]]);
    expect(told[0]?.marks?.map(({ id, entry }) => [id, entry])).toEqual([
      ['a', 4],
      ['b', 4],
    ]);
    expect(judge(listed, unseen).witnesses('ORDER-2')).toBe(0);
    expect(judge((s) => listed(s).page('w', 'b a'), unseen).witnesses('ORDER-2')).toBe(1);
  });

  it('may be far from each other in the list, and in a long one', () => {
    expect(broke((s) => listed(s).create('c').page('w', 'c b a').page('w', 'a c'))).toContain('ORDER-2');
    const ids = Array.from({ length: 20 }, (_, at) => `t${at}`);
    const many = (s: Story) => ids.reduce((story, id) => story.create(id), s).page('w', ids.join(' '));
    const other = [...ids.slice(0, 18), 't19', 't18'].join(' ');
    expect(broke((s) => many(s).page('w', ids.join(' ')))).toEqual([]);
    expect(broke((s) => many(s).page('w', other))).toContain('ORDER-2');
  });

  it('may do so where one was updated, and not where that one fell behind', () => {
    expect(broke((s) => listed(s).replace('a').page('w', 'a b'))).toEqual([]);
    expect(broke((s) => listed(s).replace('b').replace('a').page('w', 'a b'))).toEqual([]);
    expect(broke((s) => listed(s).replace('b').page('w', 'a b'))).toEqual(['TIME-2']);
    const told = findingsOf((s) => listed(s).replace('b').page('w', 'a b'), 'TIME-2', unseen);
    expect(told.map(({ entries }) => entries)).toEqual([[0, 1, 2, 3, 4]]);
  });

  it('leave it to their times whether the update advanced, where both were seen', () => {
    const seen = (s: Story) => s.create('a', 1n).create('b', 2n).page('w', 'b a');
    expect(broken((s) => seen(s).replace('b', 3n).page('w', 'a b'))).not.toContain('TIME-2');
    expect(broken((s) => seen(s).replace('b').page('w', 'a b', { cursors: 'none' }))).toContain('TIME-2');
    const half = (s: Story) => s.create('a').create('b').page('w', 'b a');
    expect(broken((s) => half(s).replace('b', 3n).page('w', 'a b', { cursors: 'none' }))).toContain('TIME-2');
  });

  it('are no proof on a page that shows one of them twice', () => {
    expect(broke((s) => listed(s).page('w', 'a b a'))).not.toContain('ORDER-2');
  });

  it('are laid at an attempt on one of them between the lists, and at no other', () => {
    for (const id of ['a', 'b']) {
      const told = (s: Story) => attempt(listed(s), id).page('w', 'a b');
      expect(broke(told)).toEqual(['TIME-3']);
      expect(findingsOf(told, 'TIME-3', unseen).map(({ entries }) => entries)).toEqual([[0, 1, 2, 3, 4]]);
    }
    const before = (s: Story) => attempt(s.create('a').create('b'), 'a').page('w', 'b a').page('w', 'a b');
    expect(broke(before)).toContain('ORDER-2');
    const behind = (s: Story) => attempt(listed(s).page('w', 'a b'), 'a');
    expect(broke(behind)).toContain('ORDER-2');
    const other = (s: Story) => attempt(s.create('c').create('a').create('b').page('w', 'b a c'), 'c');
    expect(broke((s) => other(s).page('w', 'a b c'))).toContain('ORDER-2');
  });

  it('under A2A may where their status times are equal, and where an update moves them', () => {
    const at = (year: number) => ({ timestamp: `${year}-01-01T00:00:00Z` });
    const pair = (one: object, other: object) => (s: Story) =>
      s.create('a', undefined, one).create('b', undefined, other).page('w', 'b a');
    expect(broken((s) => pair(at(2001), at(2001))(s).page('v', 'a b'), a2a)).toEqual([]);
    expect(broken((s) => pair(at(2001), at(2002))(s).page('v', 'a b'), a2a)).toContain('ORDER-2');
    expect(broken((s) => pair(at(2001), at(2002))(s).replace('b').page('v', 'a b'), a2a)).not.toContain('TIME-2');
  });
});

describe('a list against both readings of A2A', () => {
  const at = (year: number) => ({ timestamp: `${year}-01-01T00:00:00Z` });

  it('is proved by a pair against each', () => {
    const told = findingsOf((s) => stamped(s).page('w', 'a b c'), 'ORDER-1', a2a);
    expect(told.map(({ entries }) => entries)).toEqual([[0, 2, 5]]);
    expect(told[0]?.marks?.map(({ id }) => id)).toEqual(['a', 'b', 'a', 'b']);
  });

  it('shows tasks without a status time behind those with one', () => {
    const pair = (one: object, other: object) => (s: Story) =>
      s.create('a', undefined, one).tick().create('b', undefined, other).page('w', 'a b');
    expect(broken(pair({}, at(2003)), a2a)).toContain('ORDER-1');
    expect(broken(pair(at(2003), {}), a2a)).toEqual([]);
    expect(broken(pair({}, {}), a2a)).toEqual([]);
    expect(judge(pair({}, {}), a2a).witnesses('ORDER-1')).toBe(0);
    expect(judge(pair(at(2003), {}), a2a).witnesses('ORDER-1')).toBe(1);
  });
});
