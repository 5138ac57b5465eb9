import { describe, expect, it } from 'vitest';
import type { Operation } from '../history/history.ts';
import { contentsFor } from '../run/content.ts';
import { type Case, judge, unseen } from './story.sample.ts';

const never: Operation = { op: 'replace', contents: contentsFor('a', { note: 'never' }, ''), ifRevision: 'gone' };
const unconditional: Operation = { op: 'replace', contents: contentsFor('a', { note: 'never' }, '') };
const last = 2n ** 63n - 1n;

const cases: readonly Case[] = [
  {
    what: 'a conflict moves the time',
    breaks: ['TIME-3'],
    wrong: (s) => s.create('a', 5n).get('a').refused(never, 'revision-conflict').get('a', { micros: 6n }),
    right: (s) => s.create('a', 5n).get('a').refused(never, 'revision-conflict').get('a'),
  },
  {
    what: 'a conflict leaves its contents',
    breaks: ['TIME-3'],
    wrong: (s) => s.create('a', 5n).get('a').refused(never, 'revision-conflict').get('a', { note: 'never' }),
    right: (s) => s.create('a', 5n).get('a').refused(never, 'revision-conflict').get('a'),
  },
  {
    what: 'a rejected cancel moves the revision',
    breaks: ['TIME-3'],
    wrong: (s) => ended(s).refused({ op: 'cancel', id: 'a' }, 'not-cancelable').get('a', { revision: '2' }),
    right: (s) => ended(s).refused({ op: 'cancel', id: 'a' }, 'not-cancelable').get('a', { revision: '1' }),
  },
  {
    what: 'a deduplicated append moves the time',
    breaks: ['TIME-3'],
    wrong: (s) => s.create('a', 5n, { history: ['m1'] }).append('a', 'm1', 6n, { deduplicated: true }),
    right: (s) => s.create('a', 5n, { history: ['m1'] }).append('a', 'm1', 5n, { deduplicated: true }),
  },
  {
    what: 'a rejected write moves its task to the front',
    breaks: ['TIME-3'],
    wrong: (s) => listed(s).refused(never, 'revision-conflict').page('w', 'a b'),
    right: (s) => listed(s).refused(never, 'revision-conflict').page('w', 'b a'),
    judges: unseen,
  },
  {
    what: 'a deduplicated append fails',
    breaks: ['TIME-4'],
    wrong: (s) => s.create('a', 5n, { history: ['m1'] }).refused({ op: 'append', id: 'a', message: 'm1' }, 'internal'),
    right: (s) => s.create('a', 5n, { history: ['m1'] }).append('a', 'm1', 5n),
  },
  {
    what: 'a write at the end of time fails with another error',
    breaks: ['TIME-5'],
    wrong: (s) => s.create('a', last).refused(unconditional, 'invalid-argument'),
    right: (s) => s.create('a', last).refused(unconditional, 'internal'),
  },
  {
    what: 'a write at the end of time fails and is done',
    breaks: ['TIME-5'],
    wrong: (s) => s.create('a', last).get('a').refused(unconditional, 'internal').get('a', { note: 'never' }),
    right: (s) => s.create('a', last).get('a').refused(unconditional, 'internal').get('a'),
  },
  {
    what: 'one task at the end of time stops another',
    breaks: ['TIME-5'],
    wrong: (s) => s.create('z', last).create('a', 5n).refused(unconditional, 'internal'),
    right: (s) => s.create('z', last).create('a', 5n).replace('a', 6n),
  },
];

function ended(story: Parameters<Case['wrong']>[0]) {
  return story.create('a', 5n, { state: 'FAILED' }).get('a', { revision: '1' });
}

function listed(story: Parameters<Case['wrong']>[0]) {
  return story.create('a').create('b').page('w', 'b a');
}

describe('writes that must change nothing', () => {
  it.each(cases)('$breaks: $what', ({ wrong, right, breaks, judges }) => {
    expect(judge(wrong, judges).broken).toEqual([...breaks].sort());
    expect(judge(right, judges).broken).toEqual([]);
    expect(judge(right, judges).witnesses(breaks[0])).toBeGreaterThan(0);
  });

  it('may be a deduplicated append at the end of time, which succeeds', () => {
    const told = judge((s) => s.create('a', last, { history: ['m1'] }).append('a', 'm1', last, { deduplicated: true }));
    expect(told.broken).toEqual([]);
  });

  it('do not answer for what a write of another task may have moved', () => {
    const moved: Case['wrong'] = (s) =>
      s.create('a', 5n).get('a').create('A', 6n).refused(never, 'revision-conflict').get('a', { micros: 6n });
    expect(judge(moved).broken).not.toContain('TIME-3');
  });

  it('do not answer for a read that tells another time than the write did, unless a read before agreed with it', () => {
    const told: Case['wrong'] = (s) => s.create('a', 5n).refused(never, 'revision-conflict').get('a', { micros: 6n });
    expect(judge(told).broken).not.toContain('TIME-3');
  });
});
