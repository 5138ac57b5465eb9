import { describe, expect, it } from 'vitest';
import type { Operation } from '../history/history.ts';
import { contentsFor } from '../run/content.ts';
import { rejections } from './rejections.ts';
import { broken, type Case, findingsOf, judge, type Story, unseen } from './story.sample.ts';

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

type Tell = (s: Story) => unknown;
const entriesOf = (rule: string, tell: Tell) => findingsOf(tell, rule).map(({ entries }) => entries);
const refusal = (s: Story) => s.refused(never, 'revision-conflict');

describe('the check of rejected writes', () => {
  it('judges three rules, and nothing that the harness scribbled into', () => {
    expect(rejections.rules).toEqual(['TIME-3', 'TIME-4', 'TIME-5']);
    const scribbled: Tell = (s) => {
      s.tampered = true;
      s.create('a', 5n).get('a').refused(never, 'revision-conflict').get('a', { micros: 6n });
    };
    expect(broken(scribbled)).not.toContain('TIME-3');
  });

  it('proves a deduplicated append that fails by the write of its task', () => {
    const failed: Tell = (s) =>
      s
        .create('b', 4n)
        .create('a', 5n, { history: ['m1'] })
        .refused({ op: 'append', id: 'a', message: 'm1' }, 'internal');
    expect(entriesOf('TIME-4', failed)).toEqual([[1, 2]]);
    expect(judge((s) => s.create('a', 5n).append('a', 'm1', 6n)).witnesses('TIME-4')).toBe(0);
  });

  it('proves a change by what was seen before the attempt, and what after it, once', () => {
    const twice: Tell = (s) => refusal(s.create('a', 5n).get('a')).get('a', { micros: 6n }).get('a', { micros: 6n });
    expect(entriesOf('TIME-3', twice)).toEqual([[0, 1, 2, 3]]);
    const own: Tell = (s) => s.create('a', 5n, { history: ['m1'] }).append('a', 'm1', 6n, { deduplicated: true });
    expect(entriesOf('TIME-3', own)).toEqual([[0, 1]]);
    expect(findingsOf(own, 'TIME-3').map(({ then }) => then.length)).toEqual([1]);
  });

  it('lays at an attempt what is seen before the next, and at that what its own answer shows', () => {
    const two: Tell = (s) =>
      refusal(s.create('a', 5n, { history: ['m1'] })).append('a', 'm1', 6n, { deduplicated: true });
    expect(entriesOf('TIME-3', two)).toEqual([[0, 2]]);
  });

  it('counts an attempt after which something was seen', () => {
    const witnesses = (tell: Tell) => judge(tell).witnesses('TIME-3');
    expect(witnesses((s) => refusal(s.create('a', 5n).get('a')))).toBe(0);
    expect(witnesses((s) => refusal(s.create('a', 5n).get('a')).get('a').get('a'))).toBe(2);
    expect(witnesses((s) => s.create('a', 5n, { history: ['m1'] }).append('a', 'm1', 5n, { deduplicated: true }))).toBe(
      1,
    );
    expect(
      witnesses((s) => s.create('a', undefined, { history: ['m1'] }).append('a', 'm1', 5n, { deduplicated: true })),
    ).toBe(0);
  });
});

describe('a task at the end of time', () => {
  it('can not be written, and is proved to have been by its own write', () => {
    const done: Tell = (s) => s.create('b', 4n).create('a', last).replace('a', last);
    expect(entriesOf('TIME-5', done)).toEqual([[1, 2]]);
    expect(entriesOf('TIME-5', (s) => s.create('a', last).refused(unconditional, 'invalid-argument'))).toEqual([
      [0, 1],
    ]);
  });

  it('stops no other, and is named where one was stopped', () => {
    const stopped: Tell = (s) => s.create('a', 5n).create('z', last).refused(unconditional, 'internal');
    expect(entriesOf('TIME-5', stopped)).toEqual([[0, 1, 2]]);
    const before: Tell = (s) => s.create('a', 5n).refused(unconditional, 'internal').create('z', last);
    expect(broken(before)).not.toContain('TIME-5');
    expect(judge((s) => s.create('a', 5n).create('z', last).replace('a', 6n)).witnesses('TIME-5')).toBe(1);
    expect(judge((s) => s.create('a', 5n).replace('a', 6n)).witnesses('TIME-5')).toBe(0);
  });

  it('is no reason for a store to write what it says that it may refuse', () => {
    const again: Operation = { op: 'create', contents: contentsFor('a', undefined, 'again') };
    const upserts = { capabilities: { create: 'upsert' as const } };
    const refused: Tell = (s) => s.create('a', 5n).create('z', last).refused(again, 'already-exists');
    expect(broken(refused, upserts)).toEqual([]);
    const failed: Tell = (s) => s.create('a', 5n).create('z', last).refused(again, 'internal');
    expect(broken(failed, upserts)).toContain('TIME-5');
    const written: Tell = (s) => s.create('a', 5n).create('z', last).create('a', 6n);
    expect(broken(written, upserts)).toEqual([]);
  });

  it('may be one whose time is seen only later', () => {
    const stopped = (s: Story) => s.create('a').create('z', last).refused(unconditional, 'internal');
    expect(broken((s) => stopped(s).get('a', { micros: last }))).not.toContain('TIME-5');
    expect(broken((s) => stopped(s).get('a', { micros: 5n }))).toContain('TIME-5');
  });
});

describe('what was seen after an attempt', () => {
  const change = (tell: Tell) => broken(tell).includes('TIME-3');

  it('is held against the same kind of answer: reads against reads, replies against replies', () => {
    const replies: Tell = (s) =>
      s
        .create('a', 5n, { history: ['m1'] })
        .get('a', { micros: 7n })
        .append('a', 'm1', 5n, { deduplicated: true })
        .get('a', { micros: 7n });
    expect(change(replies)).toBe(false);
    const moved: Tell = (s) =>
      s
        .create('a', 5n, { history: ['m1'] })
        .get('a', { micros: 7n })
        .append('a', 'm1', 5n, { deduplicated: true })
        .get('a', { micros: 8n });
    expect(change(moved)).toBe(true);
  });

  it('is held against the latest before it, unless another task was written since that', () => {
    const other = (s: Story) => s.create('A', 6n);
    const seen = (s: Story) => s.create('a', 5n).get('a');
    expect(change((s) => refusal(other(seen(s))).get('a', { micros: 6n }))).toBe(false);
    expect(change((s) => refusal(other(s.create('a', 5n)).get('a')).get('a', { micros: 6n }))).toBe(true);
    expect(change((s) => other(refusal(seen(s)).get('a', { micros: 6n })))).toBe(true);
    expect(change((s) => refusal(other(seen(s))).get('a', { note: 'other' }))).toBe(false);
    expect(change((s) => refusal(other(s.create('a', 5n)).get('a')).get('a', { note: 'other' }))).toBe(true);
  });

  it('may be an old row of the id, which no attempt brought back', () => {
    const rewritten = (s: Story) => refusal(s.create('a', 5n, { note: 'old' }).replace('a', 6n).get('a'));
    expect(change((s) => rewritten(s).get('a', { micros: 5n }))).toBe(false);
    expect(change((s) => rewritten(s).get('a', { note: 'old' }))).toBe(false);
    expect(change((s) => rewritten(s).get('a', { micros: 7n }))).toBe(true);
    expect(change((s) => rewritten(s).get('a', { note: 'other' }))).toBe(true);
    const others = (s: Story) => refusal(s.create('b', 4n, { note: 'old' }).create('a', 5n).get('a'));
    expect(change((s) => others(s).get('a', { micros: 4n }))).toBe(true);
    expect(change((s) => others(s).get('a', { note: 'old' }))).toBe(true);
  });

  it('is enough by itself where only the attempt can have left it', () => {
    const appended: Operation = { op: 'append', id: 'a', message: 'm9' };
    const cancel: Operation = { op: 'cancel', id: 'a' };
    const failed = (s: Story) => s.create('a', 5n, { state: 'FAILED', history: ['m1'] });
    expect(change((s) => refusal(s.create('a', 5n)).get('a', { note: 'never' }))).toBe(true);
    expect(
      change((s) =>
        failed(s)
          .refused(appended, 'internal')
          .get('a', { history: ['m1', 'm9'] }),
      ),
    ).toBe(true);
    expect(change((s) => failed(s).refused(cancel, 'not-cancelable').get('a', { state: 'CANCELED' }))).toBe(true);
    // Nothing of these is of the attempt.
    expect(change((s) => refusal(s.create('a', 5n)).get('a', { note: 'other' }))).toBe(false);
    expect(
      change((s) =>
        failed(s)
          .refused(appended, 'internal')
          .get('a', { history: ['m8'] }),
      ),
    ).toBe(false);
    expect(change((s) => failed(s).refused(appended, 'internal').get('a', { state: 'CANCELED' }))).toBe(false);
    expect(change((s) => failed(s).refused(cancel, 'not-cancelable').get('a', { state: 'WORKING' }))).toBe(false);
    const canceled = (s: Story) => s.create('a', 5n, { state: 'CANCELED' }).refused(cancel, 'not-cancelable');
    expect(change((s) => canceled(s).get('a', { note: 'other' }))).toBe(false);
  });

  it('is not the doing of an attempt that came later, wrote the same, or could not have left it', () => {
    const appended = (s: Story) => s.create('a', 5n).refused({ op: 'append', id: 'a', message: 'm9' }, 'internal');
    expect(change((s) => refusal(appended(s).get('a', { note: 'never' })))).toBe(false);
    const same = (s: Story) => refusal(s.create('a', 5n, { note: 'never' }));
    expect(change((s) => same(s).get('a', { state: 'FAILED' }))).toBe(false);
    const deleted = (s: Story) => s.create('a', 5n).refused({ op: 'delete', id: 'a' }, 'internal');
    expect(change((s) => deleted(s).get('a', { state: 'CANCELED' }))).toBe(false);
  });

  it('is laid at the attempt though another task was tried in vain since, and though no times are seen', () => {
    const vain: Tell = (s) =>
      refusal(s.create('a', 5n).get('a')).refused({ op: 'delete', id: 'z' }, 'not-found').get('a', { micros: 6n });
    expect(change(vain)).toBe(true);
    const timeless = (s: Story) => refusal(s.create('a').replace('a').get('a'));
    expect(broken((s) => timeless(s).get('a', { note: 'never' }), unseen)).toContain('TIME-3');
  });

  it('is compared with what was read rightly before the attempt, not with what was wrong already', () => {
    const wrong = (s: Story) => refusal(s.create('a', 5n).get('a', { note: 'other' }));
    expect(change((s) => wrong(s).get('a', { note: 'other' }))).toBe(false);
    const late = (s: Story) => refusal(s.create('a', 5n)).get('a');
    expect(change((s) => late(s).get('a', { note: 'other' }))).toBe(false);
    expect(change((s) => late(s).get('a', { note: 'other' }).create('z', 9n))).toBe(false);
    expect(change((s) => refusal(late(s).get('a', { note: 'other' })))).toBe(false);
  });

  it.each([
    { context: 'elsewhere' },
    { state: 'FAILED' },
    { timestamp: '2001-01-01T00:00:00Z' },
    { note: 'other' },
    { history: ['m7'] },
    { history: [] },
    { artifacts: ['x'] },
  ] as const)('differs where %j does', (other) => {
    const seen = (s: Story) => refusal(s.create('a', 5n, { history: ['m1', 'm2'] }).get('a'));
    expect(change((s) => seen(s).get('a', other))).toBe(true);
    expect(change((s) => seen(s).get('a'))).toBe(false);
  });

  it('is as much of the history as the list asked for, or all of it', () => {
    const seen = (s: Story) => refusal(s.create('a', 5n, { history: ['m1', 'm2'] }).get('a'));
    const listed = (history: number, shown: readonly string[]) => (s: Story) =>
      seen(s).page('w', 'a', { history, items: { a: { history: shown } } });
    expect(change(listed(1, ['m2']))).toBe(false);
    expect(change(listed(1, ['m1', 'm2']))).toBe(false);
    expect(change(listed(0, []))).toBe(false);
    expect(change(listed(1, ['m1']))).toBe(true);
    expect(change(listed(1, []))).toBe(true);
    expect(change(listed(2, ['m2']))).toBe(true);
    expect(change(listed(0, ['m2']))).toBe(true);
    const longer = (s: Story) => refusal(s.create('a', 5n, { history: ['m1', 'm2', 'm3'] }).get('a'));
    const most = (shown: readonly string[]) => (s: Story) =>
      longer(s).page('w', 'a', { history: 1, items: { a: { history: shown } } });
    expect([change(most(['m3'])), change(most(['m2', 'm3']))]).toEqual([false, true]);
  });

  it('has its artifacts, which a list may leave out unless it asked for them', () => {
    const kept = contentsFor('a', { note: 'n', artifacts: ['x', 'y'] }, '');
    const seen = (s: Story) => refusal(s.create('a', 5n, { note: 'n', artifacts: ['x', 'y'] }).get('a'));
    expect(change((s) => seen(s).get('a', { artifacts: [] }))).toBe(true);
    const listed = (includeArtifacts: boolean, artifacts: readonly string[]) => (s: Story) =>
      seen(s).add({ op: 'list', includeArtifacts }, { kind: 'page', items: [{ ...kept, artifacts }], nextToken: '' });
    expect([[], ['x', 'y'], ['x']].map((shown) => change(listed(false, shown)))).toEqual([false, false, true]);
    expect([[], ['x', 'y'], ['x']].map((shown) => change(listed(true, shown)))).toEqual([true, false, true]);
  });
});
