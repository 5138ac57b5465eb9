/** Stores with a right codec that use page tokens wrongly. */
import { refusesOwnToken } from './codec-fault.ts';
import { asking, byOffset, lookingUp, remembering, swallowing, type TokenUse } from './token-use.ts';

/** A fault in what a store does with tokens. */
export interface TokenUseFault {
  readonly id: string;
  readonly fault: string;
  /** As in `Mutant`. */
  readonly breaks: readonly string[];
  readonly use: TokenUse;
}

const repeats = ['WALK-1', 'WALK-2', 'WALK-4', 'WALK-5'];
const lifetimeMicros = 1_000_000n;

/** In the order of their rows. */
export const tokenUseFaults: readonly TokenUseFault[] = [
  {
    id: 'TOK-01',
    fault: 'the next token is a numeric offset',
    breaks: [
      'TOKEN-2',
      'TOKEN-3',
      'TOKEN-4',
      'TOKEN-5',
      'TOKEN-6',
      'WALK-1',
      'WALK-2',
      'WALK-3',
      'WALK-4',
      'WALK-7',
      'COST-2',
    ],
    use: byOffset,
  },
  {
    id: 'TOK-02',
    fault: 'the token 0, and no other number, asks for the first page',
    breaks: ['TOKEN-3', 'TOKEN-4'],
    use: asking((token) => (token === '0' ? '' : token)),
  },
  {
    id: 'TOK-04',
    fault: 'a wrong token gets an empty page',
    breaks: ['TOKEN-3', 'TOKEN-4'],
    use: swallowing(async () => true),
  },
  {
    id: 'TOK-35',
    fault: 'a blank token is taken for an empty one',
    breaks: ['TOKEN-4'],
    use: asking((token) => (token.trim() === '' ? '' : token)),
  },
  {
    id: 'TOK-39',
    fault: 'an empty store looks at no token',
    breaks: ['TOKEN-3', 'TOKEN-4'],
    use: swallowing(async (store, call) => (await store.list({ pageSize: 1 }, call)).tasks.length === 0),
  },
  {
    id: 'TOK-46',
    fault: "a token is a handle into the process's memory",
    breaks: [...refusesOwnToken, 'TOKEN-5', 'TOKEN-7'],
    use: remembering((age) => age !== undefined),
  },
  {
    id: 'TOK-47',
    fault: 'a token expires after a second',
    breaks: refusesOwnToken,
    use: remembering((age) => age === undefined || age <= lifetimeMicros),
  },
  {
    id: 'TOK-49',
    fault: 'the boundary task is looked up, and where it is gone the list starts again',
    breaks: ['TOKEN-2', 'TOKEN-5', ...repeats],
    use: lookingUp((boundary, now) => (now === boundary.lastUpdatedMicros ? 'as it is' : 'first page')),
  },
  {
    id: 'TOK-50',
    fault: 'the boundary task is looked up, and where it is gone the list ends',
    breaks: ['TOKEN-2', 'TOKEN-5', 'WALK-3'],
    use: lookingUp((boundary, now) => (now === boundary.lastUpdatedMicros ? 'as it is' : 'empty page')),
  },
  {
    id: 'TOK-51',
    fault: 'the boundary task is looked up, and its time of now is used',
    breaks: ['TOKEN-2', 'TOKEN-5', ...repeats],
    use: lookingUp((boundary, now) => (now === undefined ? 'as it is' : { ...boundary, lastUpdatedMicros: now })),
  },
];
