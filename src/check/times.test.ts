import { describe, expect, it } from 'vitest';
import { type Case, judge, unseen } from './story.sample.ts';

const cases: readonly Case[] = [
  {
    what: 'the time is the status timestamp',
    breaks: ['TIME-1'],
    wrong: (s) => s.create('a', 978_307_200_000_000n, { timestamp: '2001-01-01T00:00:00Z' }),
    right: (s) => s.create('a', 1_700_000_000_000_000n, { timestamp: '2001-01-01T00:00:00Z' }),
  },
  {
    what: 'the time is the status timestamp, far from the clock that was set',
    breaks: ['TIME-1'],
    wrong: (s) => s.clock(5n).create('a', 1_600_000_000_000_000n, { timestamp: '2020-09-13T12:26:40Z' }),
    right: (s) => s.clock(5n).create('a', 5n, { timestamp: '2020-09-13T12:26:40Z' }),
  },
  {
    what: 'a replace leaves the time where it was',
    breaks: ['TIME-2'],
    wrong: (s) => s.create('a', 5n).replace('a', 5n),
    right: (s) => s.create('a', 5n).replace('a', 6n),
  },
  {
    what: 'an append moves the time back',
    breaks: ['TIME-2'],
    wrong: (s) => s.create('a', 5n).append('a', 'm1', 4n),
    right: (s) => s.create('a', 5n).append('a', 'm1', 6n),
  },
  {
    what: 'a cancel leaves the time, which only a page shows',
    breaks: ['TIME-2'],
    wrong: (s) =>
      s
        .create('a', 5n)
        .cancel('a')
        .page('w', 'a', { cursors: [['a', 5n]] }),
    right: (s) =>
      s
        .create('a', 5n)
        .cancel('a')
        .page('w', 'a', { cursors: [['a', 6n]] }),
  },
  {
    what: 'an update leaves a task behind one that nobody wrote since',
    breaks: ['TIME-2'],
    wrong: (s) => s.create('a').create('b').page('w', 'a b').replace('a').page('w', 'b a'),
    right: (s) => s.create('a').create('b').page('w', 'a b').replace('a').page('w', 'a b'),
    judges: unseen,
  },
  {
    what: 'an update after a wait leaves a task behind one from before the wait',
    breaks: ['TIME-2', 'ORDER-1'],
    wrong: (s) => s.create('a').create('b').tick().replace('a').page('w', 'b a'),
    right: (s) => s.create('a').create('b').tick().replace('a').page('w', 'a b'),
    judges: unseen,
  },
  {
    what: 'status timestamps order a list',
    breaks: ['TIME-1', 'ORDER-1'],
    wrong: (s) => written(s).page('w', 'a b'),
    right: (s) => written(s).page('w', 'b a'),
    judges: unseen,
  },
];

function written(story: Parameters<Case['wrong']>[0]) {
  const [late, early] = [{ timestamp: '2099-01-01T00:00:00Z' }, { timestamp: '2001-01-01T00:00:00Z' }];
  return story.create('a', undefined, late).tick().create('b', undefined, early);
}

describe('times', () => {
  it.each(cases)('$breaks: $what', ({ wrong, right, breaks, judges }) => {
    expect(judge(wrong, judges).broken).toEqual([...breaks].sort());
    expect(judge(right, judges).broken).toEqual([]);
  });

  it('are judged wherever two of one task were seen', () => {
    const told = judge((s) => s.create('a', 5n).replace('a', 6n).append('a', 'm1', 9n));
    expect(told.witnesses('TIME-2')).toBe(2);
  });

  it('are judged by position where status times say the opposite', () => {
    const told = judge((s) => written(s).page('w', 'b a'), unseen);
    expect(told.witnesses('TIME-1')).toBe(1);
  });

  it('of a task that is written again and again may run ahead of the clock', () => {
    const told = judge(
      (s) => s.create('a').replace('a').replace('a').replace('a').tick().create('b').page('w', 'a b'),
      unseen,
    );
    expect(told.broken).toEqual([]);
  });

  it('at a status time that the clock explains are no proof', () => {
    const stamp = { timestamp: '2020-09-13T12:26:40Z' };
    expect(judge((s) => s.create('a', 1_600_000_000_000_000n, stamp)).broken).toEqual([]);
    expect(judge((s) => s.clock(1_600_000_000_000_000n).create('a', 1_600_000_000_000_000n, stamp)).broken).toEqual([]);
  });
});
