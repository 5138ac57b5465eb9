import { describe, expect, it } from 'vitest';
import { a2a, type Case, judge, type Story, unseen } from './story.sample.ts';

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
