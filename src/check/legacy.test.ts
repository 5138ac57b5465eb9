import { describe, expect, it } from 'vitest';
import { type Case, type Judges, judge, type Story, unseen } from './story.sample.ts';

const older: Judges = { ...unseen, order: 'creation' };
const three = (s: Story) => s.create('a').create('b').create('c');

const cases: readonly Case[] = [
  {
    what: 'the last written comes first',
    breaks: ['LEGACY-1'],
    wrong: (s) => three(s).replace('b').page('w', 'b a c'),
    right: (s) => three(s).replace('b').page('w', 'a b c'),
  },
  {
    what: 'a token is no offset',
    breaks: ['LEGACY-1'],
    wrong: (s) => three(s).page('w', 'a b', { size: 2, next: 'b' }).page('w', 'c', { next: '' }),
    right: (s) => three(s).page('w', 'a b', { size: 2, next: '2' }).page('w', 'c', { next: '' }),
  },
  {
    what: 'a quiet walk leaves out a task',
    breaks: ['WALK-3'],
    wrong: (s) => three(s).page('w', 'a', { size: 1, next: '1' }).page('w', 'c', { next: '' }),
    right: (s) => three(s).page('w', 'a b', { size: 2, next: '2' }).page('w', 'c', { next: '' }),
  },
];

describe('the older release', () => {
  it.each(cases)('$breaks: $what', ({ wrong, right, breaks }) => {
    expect(judge(wrong, older).broken).toEqual([...breaks].sort());
    expect(judge(right, older).broken).toEqual([]);
    expect(judge(right, older).witnesses(breaks[0])).toBeGreaterThan(0);
  });

  it('may leave out and repeat where writes shift the offsets', () => {
    const told = judge(
      (s) => three(s).page('w', 'a', { size: 1, next: '1' }).delete('a').page('w', 'c', { next: '' }),
      older,
    );
    expect(told.broken).toEqual([]);
  });
});
