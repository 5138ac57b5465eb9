import { describe, expect, it } from 'vitest';
import { type Case, judge, unseen } from './story.sample.ts';
import { times } from './times.ts';

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

  it('that were not seen prove nothing', () => {
    expect(judge((s) => s.create('a', 5n).replace('a')).broken).toEqual([]);
  });

  it('of a history that the harness scribbled into are not judged', () => {
    const told = judge((s) => {
      s.tampered = true;
      s.create('a', 5n).replace('a', 5n);
    });
    expect(told.broken).not.toContain('TIME-2');
  });

  it('are two rules', () => {
    expect(times.rules).toEqual(['TIME-1', 'TIME-2']);
  });
});

describe('a status time that is the last-update time', () => {
  const micros = 1_600_000_000_000_000n;
  const stamp = { timestamp: '2020-09-13T12:26:40Z' };
  const broken = (tell: Parameters<typeof judge>[0]): boolean => judge(tell).broken.includes('TIME-1');

  it('is explained by a clock less than a second away, and by no other', () => {
    expect(broken((s) => s.clock(micros + 999_999n).create('a', micros, stamp))).toBe(false);
    expect(broken((s) => s.clock(micros - 999_999n).create('a', micros, stamp))).toBe(false);
    expect(broken((s) => s.clock(micros + 1_000_000n).create('a', micros, stamp))).toBe(true);
    expect(broken((s) => s.clock(micros - 1_000_000n).create('a', micros, stamp))).toBe(true);
  });

  it('is not explained by a clock that was set later, and is where others were written since it was set', () => {
    expect(broken((s) => s.clock(5n).create('a', micros, stamp).clock(micros))).toBe(true);
    expect(broken((s) => s.clock(5n).create('b', 5n).create('a', micros, stamp))).toBe(true);
  });

  it('is explained by a wall clock between 2020 and 2090', () => {
    const at = (seconds: bigint, timestamp: string) =>
      broken((s) => s.create('a', seconds * 1_000_000n, { timestamp }));
    expect(at(1_577_836_800n, '2020-01-01T00:00:00Z')).toBe(true);
    expect(at(1_577_836_801n, '2020-01-01T00:00:01Z')).toBe(false);
    expect(at(3_786_911_999n, '2089-12-31T23:59:59Z')).toBe(false);
    expect(at(3_786_912_000n, '2090-01-01T00:00:00Z')).toBe(true);
    expect(at(4_070_908_800n, '2099-01-01T00:00:00Z')).toBe(true);
  });

  it('is proved by the write, by what stood before it and by the clock', () => {
    const told = judge((s) => s.clock(5n).create('a', 5n).create('b', 6n).replace('a', micros, stamp));
    expect(told.findings.find(({ rule }) => rule === 'TIME-1')?.entries).toEqual([0, 1, 3]);
  });
});

describe('a time that did not advance', () => {
  it('is proved by both writes', () => {
    const told = judge((s) => s.create('b', 4n).create('a', 5n).replace('a', 5n));
    expect(told.findings.find(({ rule }) => rule === 'TIME-2')?.entries).toEqual([1, 2]);
  });

  it('is proved by the page that shows it, where the write does not', () => {
    const told = judge((s) =>
      s
        .create('a', 5n)
        .cancel('a')
        .page('w', 'a', { cursors: [['a', 5n]] }),
    );
    expect(told.findings.find(({ rule }) => rule === 'TIME-2')?.entries).toEqual([0, 1, 2]);
  });
});
