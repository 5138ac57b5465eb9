import { describe, expect, it } from 'vitest';
import { encodePageToken } from '../../models/page-token.ts';
import type { TokenMeaning } from '../history/program.ts';
import { type Case, judge, type Story, unseen } from './story.sample.ts';

const number: TokenMeaning = { kind: 'number' };
const foreign: TokenMeaning = { kind: 'foreign' };
const short: TokenMeaning = { kind: 'invalid-v1', reason: 'short' };
const refused = { error: 'invalid-argument' };
const because = (next: string) => ({ ...refused, next });
const after = (id: string, lastUpdatedMicros: bigint) => encodePageToken({ id, lastUpdatedMicros })!;
const boundary = (id: string, micros: bigint): TokenMeaning => ({ kind: 'v1', id, micros: String(micros) });
const listed = (s: Story) =>
  s.create('a', 1n).create('c', 3n).page('w', 'c a').page('v', 'c', { size: 1 }).page('v', 'a');

const cases: readonly Case[] = [
  {
    what: 'a number is answered with a page',
    breaks: ['TOKEN-3'],
    wrong: (s) => s.create('a').token('0', number, 'a'),
    right: (s) => s.create('a').token('0', number, '', refused),
    judges: unseen,
  },
  {
    what: 'foreign text is answered with an empty page',
    breaks: ['TOKEN-4'],
    wrong: (s) => s.create('a').token(' ', foreign, ''),
    right: (s) => s.create('a').token(' ', foreign, '', refused),
    judges: unseen,
  },
  {
    what: 'foreign text is an internal error',
    breaks: ['TOKEN-4'],
    wrong: (s) => s.token('!', foreign, '', { error: 'internal' }),
    right: (s) => s.token('!', foreign, '', refused),
    judges: unseen,
  },
  {
    what: 'a near miss of v1 is taken',
    breaks: ['TOKEN-4'],
    wrong: (s) => s.create('a', 1n).token('v1.1.', short, 'a'),
    right: (s) => s.create('a', 1n).token('v1.1.', short, '', refused),
  },
  {
    what: 'two invalid tokens get two errors',
    breaks: ['TOKEN-4'],
    wrong: (s) => s.token('!', foreign, '', because('no base64')).token('5', number, '', because('no boundary')),
    right: (s) => s.token('!', foreign, '', because('bad token')).token('5', number, '', because('bad token')),
    judges: unseen,
  },
  {
    what: 'the error repeats the token',
    breaks: ['TOKEN-4'],
    wrong: (s) => s.token('!', foreign, '', because('!')).token('?', foreign, '', because('?')),
    right: (s) => s.token('!', foreign, '', because('bad token')).token('?', foreign, '', because('bad token')),
    judges: unseen,
  },
  {
    what: 'a v1 boundary that no task has ends the list',
    breaks: ['TOKEN-5'],
    wrong: (s) => listed(s).token(after('b', 2n), boundary('b', 2n), ''),
    right: (s) => listed(s).token(after('b', 2n), boundary('b', 2n), 'a'),
  },
  {
    what: 'the v1 token of a standing task is refused',
    breaks: ['TOKEN-2'],
    wrong: (s) => listed(s).token(after('c', 3n), boundary('c', 3n), '', refused),
    right: (s) => listed(s).token(after('c', 3n), boundary('c', 3n), 'a'),
  },
];

describe('tokens that no page gave', () => {
  it.each(cases)('$breaks: $what', ({ wrong, right, breaks, judges }) => {
    expect(judge(wrong, judges).broken).toEqual([...breaks].sort());
    expect(judge(right, judges).broken).toEqual([]);
    expect(judge(right, judges).witnesses(breaks[0])).toBeGreaterThan(0);
  });

  it('get one error, but for what the request itself varies', () => {
    const ids = ['request 9f1c2d3e-0000-4000-8000-0123456789ab', 'request 1b2c3d4e-1111-4111-9111-ba9876543210'];
    const told = judge(
      (s) => s.token('!', foreign, '', because(ids[0]!)).token('5', number, '', because(ids[1]!)),
      unseen,
    );
    expect(told.broken).toEqual([]);
  });

  it('that are no v1 are not held against another format', () => {
    const told = judge((s) => s.create('a').token('YQ', short, 'a'), unseen);
    expect(told.broken).toEqual([]);
    expect(told.witnesses('TOKEN-4')).toBe(0);
  });
});
