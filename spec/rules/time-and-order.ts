/** TIME and ORDER: when a task's time moves, and how a list is ordered by it. */
import type { Rule } from '../rule.ts';
import { OPENING } from './source.ts';

export const timeRules: readonly Rule[] = [
  {
    id: 'TIME-1',
    title: 'the storage assigns the time',
    level: 'M',
    scope: ['I', 'P', 'X'],
    basis: 'seed',
    words:
      'The last-update time that orders a list is given by the storage. What a client writes into `status.timestamp` ' +
      'never decides it.',
    source: OPENING,
    concurrent: false,
  },
  {
    id: 'TIME-2',
    title: 'every mutation advances the time',
    level: 'M',
    scope: ['I', 'P', 'X'],
    basis: 'seed',
    words:
      'A create, a replace (conditional or not, of any field, even with the contents that stand there), a cancel or a ' +
      "history append that succeeds moves the task's time on by 1 µs or more. A clock that stands still or runs " +
      'backwards, or a wait for a lock, changes nothing in that.',
    source: OPENING,
    concurrent: false,
  },
  {
    id: 'TIME-3',
    title: 'what is rejected changes nothing',
    level: 'M',
    scope: ['I', 'P', 'X'],
    basis: 'seed',
    basisNote: 'contents and revision: ours',
    words:
      'A write that is rejected, a replace with an outdated revision, a cancel that is refused and a repeated history ' +
      'append leave time, contents and revision as they were.',
    source: OPENING,
    concurrent: false,
  },
  {
    id: 'TIME-4',
    title: 'a repeated append succeeds',
    level: 'M',
    scope: ['I', 'P', 'X'],
    basis: 'seed',
    words: 'Appending a message whose id stands in the history already is a success, not an error.',
    source: OPENING,
    concurrent: false,
  },
  {
    id: 'TIME-5',
    title: 'the end of time is an error, not a wrap',
    level: 'M',
    scope: ['I'],
    basis: 'seed',
    words:
      'Once the time of a task is the largest signed 64-bit number (a custom clock can lead there), any further ' +
      'mutation of it fails with an internal error and leaves contents, revision and position alone. A repeated append ' +
      'still succeeds, and no other task is affected.',
    source: OPENING,
    concurrent: false,
  },
];

export const orderRules: readonly Rule[] = [
  {
    id: 'ORDER-1',
    title: 'newest first, ties by id bytes',
    level: 'M',
    scope: ['I', 'P', 'D', 'W', 'X'],
    basis: 'seed',
    words:
      'The task with the later time stands first; where times are equal, the id whose UTF-8 bytes are greater. UTF-16 ' +
      'code units or a locale would order some ids otherwise.',
    source: OPENING,
    concurrent: false,
  },
  {
    id: 'ORDER-2',
    title: 'nothing else orders a list',
    level: 'M',
    scope: ['I', 'P', 'D', 'W', 'X'],
    basis: 'seed',
    words: 'Two stores that hold the same times and ids list them alike, whatever else differs.',
    source: OPENING,
    concurrent: false,
  },
];
