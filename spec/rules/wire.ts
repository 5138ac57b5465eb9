/** WIRE, PUSH: what crosses the three transports, and what stays at home. */
import type { Rule } from '../rule.ts';
import { A2A_LIST, COSTS, OPENING } from './source.ts';

export const wireRules: readonly Rule[] = [
  {
    id: 'WIRE-1',
    title: 'the three transports agree',
    level: 'M',
    scope: ['W'],
    basis: 'seed',
    words: 'JSON-RPC, HTTP+JSON and gRPC answer one request with the same tasks, order, total and token.',
    source: OPENING,
    concurrent: false,
  },
  {
    id: 'WIRE-2',
    title: 'internal fields never cross the wire',
    level: 'M',
    scope: ['W'],
    basis: 'seed',
    words:
      'No response carries `task_cursors`, and `include_total_size` is neither sent nor obeyed when a client sends it.',
    source: COSTS,
    concurrent: false,
  },
  {
    id: 'WIRE-3',
    title: 'errors have their codes and no detail',
    level: 'M',
    scope: ['W'],
    basis: 'A2A',
    words:
      'An invalid argument is −32602, 400 and INVALID_ARGUMENT; a missing task −32001, 404 and NOT_FOUND; an internal ' +
      'error −32603, 500 and INTERNAL. No message shows a stack, SQL or a path.',
    source: 'A2A 1.0 §5.4 (Error Code Mappings)',
    concurrent: false,
  },
  {
    id: 'WIRE-4',
    title: 'required fields are always there',
    level: 'M',
    scope: ['W'],
    basis: 'A2A',
    words:
      'JSON carries tasks, nextPageToken, pageSize and totalSize also when they are empty or zero, and gRPC yields them ' +
      'after decoding. Artifacts come only where they were asked for; the history is cut to historyLength.',
    source: A2A_LIST,
    concurrent: false,
  },
  {
    id: 'WIRE-5',
    title: 'page sizes run from 1 to 100',
    level: 'M',
    scope: ['I', 'P', 'D', 'W', 'X'],
    basis: 'A2A',
    basisNote: 'X, a page never holds more tasks than were asked for: our reading',
    words:
      'A page size is 1 to 100, and 50 where none is given; any other is an invalid argument. Of an external store, ' +
      'which may leave the range to the server before it, one thing is judged: no page holds more tasks than were ' +
      'asked for.',
    source: A2A_LIST,
    concurrent: false,
  },
];

export const pushRules: readonly Rule[] = [
  {
    id: 'PUSH-1',
    title: 'push configurations page on their own',
    level: 'M',
    scope: ['D', 'W'],
    basis: 'seed',
    basisNote: 'tokens of the two lists are not exchangeable: ours',
    words:
      'The listing of push-notification configurations keeps a pagination of its own, and neither list takes the ' +
      "other's token.",
    source: COSTS,
    concurrent: false,
  },
];
