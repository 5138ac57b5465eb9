import { describe, expect, it } from 'vitest';
import { type Case, judge, type Story, unseen } from './story.sample.ts';

const three = (s: Story) => s.create('a', 1n).create('b', 2n).create('c', 3n);
const tampered = (s: Story) => {
  s.tampered = true;
  return s.create('a', 1n, { history: ['m1'] });
};

const cases: readonly Case[] = [
  {
    what: 'a page size of 0 is answered',
    breaks: ['WIRE-5'],
    wrong: (s) => three(s).page('w', 'c b a', { size: 0 }),
    right: (s) => three(s).page('w', '', { size: 0, error: 'invalid-argument' }),
  },
  {
    what: 'a page size of 101 is an internal error',
    breaks: ['WIRE-5'],
    wrong: (s) => three(s).page('w', '', { size: 101, error: 'internal' }),
    right: (s) => three(s).page('w', '', { size: 101, error: 'invalid-argument' }),
  },
  {
    what: 'a page holds more than asked for',
    breaks: ['WIRE-5'],
    wrong: (s) => three(s).page('w', 'c b', { size: 1 }),
    right: (s) => three(s).page('w', 'c', { size: 1 }),
  },
  {
    what: 'a page without a size holds fewer than 50',
    breaks: ['WIRE-5'],
    wrong: (s) => three(s).page('w', 'c'),
    right: (s) => three(s).page('w', 'c b a').page('v', 'c', { size: 1 }),
  },
  {
    what: 'cursors are left out',
    breaks: ['STORE-1'],
    wrong: (s) => three(s).page('w', 'c b a', { cursors: 'none' }),
    right: (s) => three(s).page('w', 'c b a'),
  },
  {
    what: 'the last cursor is missing',
    breaks: ['STORE-1'],
    wrong: (s) =>
      three(s).page('w', 'c b a', {
        cursors: [
          ['c', 3n],
          ['b', 2n],
        ],
      }),
    right: (s) => three(s).page('w', 'c b a'),
  },
  {
    what: 'two cursors are exchanged',
    breaks: ['STORE-1'],
    wrong: (s) =>
      three(s).page('w', 'c b a', {
        cursors: [
          ['b', 2n],
          ['c', 3n],
          ['a', 1n],
        ],
      }),
    right: (s) => three(s).page('w', 'c b a'),
  },
  {
    what: 'a cursor tells another time',
    breaks: ['STORE-1'],
    wrong: (s) =>
      three(s).page('w', 'c b a', {
        cursors: [
          ['c', 4n],
          ['b', 2n],
          ['a', 1n],
        ],
      }),
    right: (s) => three(s).page('w', 'c b a'),
  },
  {
    what: 'what the caller scribbled comes back in a read',
    breaks: ['STORE-2'],
    wrong: (s) => tampered(s).get('a', { note: 'tampered' }),
    right: (s) => tampered(s).get('a'),
  },
  {
    what: 'what the caller scribbled comes back on a page',
    breaks: ['STORE-2'],
    wrong: (s) => tampered(s).page('w', 'a', { items: { a: { history: ['m1', 'tampered!'] } } }),
    right: (s) => tampered(s).page('w', 'a'),
  },
];

describe('the shape of a page', () => {
  it.each(cases)('$breaks: $what', ({ wrong, right, breaks, judges }) => {
    expect(judge(wrong, judges).broken).toEqual([...breaks].sort());
    expect(judge(right, judges).broken).toEqual([]);
    expect(judge(right, judges).witnesses(breaks[0])).toBeGreaterThan(0);
  });

  it('that a caller scribbled over is judged for that alone', () => {
    expect(judge((s) => tampered(s).page('w', '', { next: 't', total: 9 })).broken).toEqual([]);
  });

  it('may be shorter than asked where the subject does not say what sizes it takes', () => {
    expect(judge((s) => s.create('a').create('b').page('w', 'b', { next: 't' }), unseen).broken).toEqual([]);
  });
});
