/** WALK and SNAP: what a sequence of pages shows while tasks change, and what one call sees. */
import type { Rule } from '../rule.ts';
import { COMPATIBILITY, CONSISTENCY, OWN } from './source.ts';

export const walkRules: readonly Rule[] = [
  {
    id: 'WALK-1',
    title: 'no task twice in one walk',
    level: 'M',
    scope: ['I', 'P', 'D', 'W', 'X'],
    basis: 'seed',
    words: 'Whatever is written meanwhile, one walk shows no task a second time.',
    source: CONSISTENCY,
    concurrent: false,
  },
  {
    id: 'WALK-2',
    title: 'keys descend across the whole walk',
    level: 'M',
    scope: ['I', 'P', 'D', 'W', 'X'],
    basis: 'seed',
    words:
      'From the first task of a walk to its last, each key at selection is strictly below the one before it. Judged ' +
      'where the keys are known.',
    source: CONSISTENCY,
    concurrent: false,
  },
  {
    id: 'WALK-3',
    title: 'a stable task appears exactly once',
    level: 'M',
    scope: ['I', 'P', 'D', 'W', 'X'],
    basis: 'seed',
    words:
      'A task that is visible, matching and unwritten from before the first call of a walk until the page that passed ' +
      'it has returned, is shown once: neither lost nor repeated.',
    source: CONSISTENCY,
    concurrent: false,
  },
  {
    id: 'WALK-4',
    title: 'nothing appears that never matched',
    level: 'M',
    scope: ['I', 'P', 'D', 'W', 'X'],
    basis: 'seed',
    words:
      'A walk does not show a task that was at no instant of it visible and matching. One that was created, written, ' +
      'deleted, revoked or matched again meanwhile may appear, once at most.',
    source: CONSISTENCY,
    concurrent: false,
  },
  {
    id: 'WALK-5',
    title: 'a walk ends',
    level: 'M',
    scope: ['I', 'P', 'D', 'W', 'X'],
    basis: 'seed',
    words:
      'A page without tasks carries an empty token, even where the total is above zero. When nothing enters below its ' +
      'boundary any more, a walk needs at most one page beyond those that hold the remaining tasks.',
    source: COMPATIBILITY,
    concurrent: false,
  },
  {
    id: 'WALK-6',
    title: 'page sizes do not matter',
    level: 'M',
    shouldIn: ['X'],
    scope: ['I', 'P', 'X'],
    basis: 'ours',
    words:
      'While nothing is written, any mix of page sizes gives the same list, and a last page that is full is not ' +
      'followed by an empty one.',
    source: OWN,
    concurrent: false,
  },
  {
    id: 'WALK-7',
    title: 'an equal-time insert is seen below the boundary',
    level: 'M',
    scope: ['I', 'P', 'D', 'W', 'X'],
    basis: 'seed',
    words:
      "A task that is inserted at the boundary's very time, and then left alone and visible until it is passed, is " +
      "shown later in the walk where its id comes after the boundary's in list order, and never where it comes before. " +
      'This needs a clock that can be set and allows ties.',
    source: CONSISTENCY,
    concurrent: false,
  },
];

export const snapshotRules: readonly Rule[] = [
  {
    id: 'SNAP-1',
    title: 'count and page are of one state',
    level: 'M',
    scope: ['I', 'P'],
    basis: 'seed',
    words:
      'Total and tasks of one store call come from a single state of the store: one lock in memory, one ' +
      'repeatable-read, read-only transaction in PostgreSQL.',
    source: CONSISTENCY,
    concurrent: true,
  },
  {
    id: 'SNAP-2',
    title: 'each operation takes effect at one moment',
    level: 'M',
    shouldIn: ['X'],
    scope: ['I', 'P', 'X'],
    basis: 'ours',
    words:
      'Every operation happens at one instant between its call and its return. An acknowledged write is not lost, two ' +
      'conditional replaces of one revision do not both succeed, and no appended message disappears.',
    source: OWN,
    concurrent: true,
  },
];
