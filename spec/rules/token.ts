/** TOKEN: what a page token is, and what it never does. */
import type { Rule } from '../rule.ts';
import { COMPATIBILITY, OPENING } from './source.ts';

export const tokenRules: readonly Rule[] = [
  {
    id: 'TOKEN-1',
    title: 'empty starts, copy on, empty ends',
    level: 'M',
    scope: ['T', 'I', 'P', 'D', 'W', 'X'],
    basis: 'seed',
    words:
      'A walk starts with an empty token, sends each returned token back as it came, and has ended where the returned ' +
      'token is empty.',
    source: OPENING,
    concurrent: false,
  },
  {
    id: 'TOKEN-2',
    title: "the store's own token works and loses nothing",
    level: 'M',
    scope: ['T', 'I', 'P', 'X'],
    basis: 'seed',
    words:
      'A store accepts the token that it just gave, and the boundary in it is exact for every id that the store takes: ' +
      'delimiters, NUL where it is kept, any Unicode, long ids. A v1 token carries its version.',
    source: OPENING,
    concurrent: false,
  },
  {
    id: 'TOKEN-3',
    title: 'numeric offsets are refused',
    level: 'M',
    scope: ['T', 'I', 'P', 'D', 'W', 'X'],
    basis: 'seed',
    words: 'The offset tokens of the older release are plain numbers. Each is an invalid argument now, `0` too.',
    source: COMPATIBILITY,
    concurrent: false,
  },
  {
    id: 'TOKEN-4',
    title: 'one error for every bad token',
    level: 'M',
    scope: ['T', 'I', 'P', 'D', 'W', 'X'],
    basis: 'seed',
    basisNote: 'exactly one valid spelling of each boundary (T, I, P): ours',
    words:
      'An unknown version, a broken encoding, an empty id and a time out of range are answered by one and the same ' +
      'invalid argument, whatever is stored and whoever asks. Answers are compared on one transport, without what the ' +
      'request itself varies. Of an external store only tokens that are wrong in any format are judged, unless it ' +
      'declares the v1 codec.',
    source: COMPATIBILITY,
    concurrent: false,
  },
  {
    id: 'TOKEN-5',
    title: 'a page never needs its boundary task',
    level: 'M',
    scope: ['I', 'P', 'D', 'W', 'X'],
    basis: 'seed',
    words:
      'When the task at the boundary was updated, revoked or deleted meanwhile, the next page is still the one that ' +
      "the boundary's key gives, with the token that follows from it, and nothing in it tells which of these happened.",
    source: OPENING,
    concurrent: false,
  },
  {
    id: 'TOKEN-6',
    title: 'only a returned task supplies a token',
    level: 'M',
    scope: ['I', 'P', 'D', 'W', 'X'],
    basis: 'seed',
    words: 'A token holds the key, as it was at selection, of a task that the page returned to an authorized caller.',
    source: OPENING,
    concurrent: false,
  },
  {
    id: 'TOKEN-7',
    title: 'tokens pass between transports',
    level: 'M',
    scope: ['W'],
    basis: 'seed',
    words: 'A token got over JSON-RPC, HTTP+JSON or gRPC works over the other two on the same store.',
    source: OPENING,
    concurrent: false,
  },
  {
    id: 'TOKEN-8',
    title: 'a token is no credential',
    level: 'M',
    scope: ['D', 'W', 'X'],
    basis: 'seed',
    words:
      'With another caller or other filters a token is a mere boundary: it is applied to what that caller may see and ' +
      'those filters match, and opens nothing more.',
    source: COMPATIBILITY,
    concurrent: false,
  },
];
