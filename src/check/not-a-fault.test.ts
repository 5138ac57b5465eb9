import { describe, expect, it } from 'vitest';
import { encodePageToken } from '../../models/page-token.ts';
import { a2a, type Judges, judge, type Story, unseen } from './story.sample.ts';

/** Behaviour that looks wrong and is right: a finding here is a false alarm. */
interface Control {
  readonly what: string;
  readonly tell: (story: Story) => unknown;
  readonly judges?: Judges;
}

const three = (s: Story) => s.create('a', 1n).create('b', 2n).create('c', 3n);
const after = (id: string, lastUpdatedMicros: bigint) => encodePageToken({ id, lastUpdatedMicros })!;

const controls: readonly Control[] = [
  {
    what: 'a task that was updated between two pages is missing from the rest of the walk',
    tell: (s) => three(s).page('w', 'c', { size: 1 }).replace('a', 4n).page('w', 'b', { next: '' }),
  },
  {
    what: 'a task that was cancelled between two pages is missing from the rest of the walk',
    tell: (s) => three(s).page('w', 'c', { size: 1 }).cancel('b', 4n).page('w', 'a'),
  },
  {
    what: 'an updated task is omitted from the running walk and leads the next one (A2A#1263)',
    tell: (s) =>
      s
        .create('a')
        .create('b')
        .create('c')
        .page('w', 'c', { next: 't' })
        .replace('a')
        .page('w', 'b', { next: '' })
        .page('v', 'a c b', { next: '' }),
    judges: unseen,
  },
  {
    what: 'a page is empty and the last, after every task below the boundary was updated',
    tell: (s) => three(s).page('w', 'c b', { size: 2 }).replace('a', 4n).page('w', ''),
  },
  {
    what: 'a page is empty and the last, after every task below the boundary was deleted',
    tell: (s) => three(s).page('w', 'c b', { size: 2 }).delete('a').page('w', ''),
  },
  {
    what: 'a page is empty although the total is not zero',
    tell: (s) => three(s).page('w', 'c b', { size: 2 }).append('a', 'm1', 4n).page('w', '', { total: 3 }),
  },
  {
    what: 'a task that was created meanwhile shows only on a fresh walk',
    tell: (s) =>
      three(s)
        .page('w', 'c', { size: 1 })
        .create('d', 4n)
        .page('w', 'b')
        .page('w', 'a')
        .page('v', 'd c b a', { size: 9 }),
  },
  {
    what: 'a task that was inserted at the boundary time, below it, shows on a later page',
    tell: (s) =>
      s
        .clock(5n)
        .create('b', 5n)
        .create('d', 5n)
        .page('w', 'd', { size: 1 })
        .create('c', 5n)
        .page('w', 'c')
        .page('w', 'b'),
  },
  {
    what: 'totals differ from page to page while others write',
    tell: (s) =>
      three(s).page('w', 'c', { size: 1 }).create('d', 4n).page('w', 'b', { total: 4 }).delete('d').page('w', 'a'),
  },
  {
    what: 'all tasks have one time',
    tell: (s) =>
      s.clock(5n).create('a', 5n).create('c', 5n).create('b', 5n).page('w', 'c b', { size: 2 }).page('w', 'a'),
  },
  {
    what: 'the clock strictly increases over all tasks, faster than the wall',
    tell: (s) => s.create('a', 5n).create('b', 1_000n).replace('a', 2_000n).append('b', 'm1', 3_000n).page('w', 'b a'),
    judges: { capabilities: { clock: false, ties: false } },
  },
  {
    what: 'one task is written so often that it runs ahead of later writes',
    tell: (s) =>
      s.clock(5n).create('a', 5n).replace('a', 6n).replace('a', 7n).create('b', 5n).replace('b', 6n).page('w', 'a b'),
  },
  {
    what: 'the page size in the answer is the number of tasks that are left',
    tell: (s) => {
      three(s).page('w', 'c b', { size: 2 });
      const from = s.history().entries.length - 1;
      const token = after('b', 2n);
      s.add(
        { op: 'list', walk: 'w3', page: 1, token, tokenFrom: from, pageSize: 2 },
        {
          kind: 'page',
          items: [{ id: 'a', context: 'ctx', state: 'WORKING', history: [], artifacts: [], note: '0' }],
          cursors: [{ id: 'a', micros: 1n }],
          nextToken: '',
          totalSize: 3,
          pageSize: 1,
        },
      );
    },
  },
  {
    what: 'pages are shorter than asked for, each with a token while tasks are left',
    tell: (s) => three(s).page('w', 'c', { size: 3 }).page('w', 'b').page('w', 'a'),
  },
  {
    what: 'an id that was deleted and created again appears twice in a walk: it is two tasks',
    tell: (s) =>
      three(s).page('w', 'c', { size: 1 }).delete('c').create('c', 2n).page('w', 'c').page('w', 'b').page('w', 'a'),
  },
  {
    what: 'the boundary task was deleted and created again, and the page below it stays',
    tell: (s) => three(s).page('w', 'c', { size: 1 }).peek('w', 'b a').delete('c').create('c', 9n).peek('w', 'b a'),
  },
  {
    what: 'a filter stops selecting a task during the walk',
    tell: (s) =>
      s
        .create('a', 1n, { context: 'd' })
        .create('b', 2n, { context: 'd' })
        .page('w', 'b', { size: 1, filter: { context: 'd' } })
        .replace('a', 3n, { context: 'e' })
        .page('w', ''),
  },
  {
    what: 'two tasks of one millisecond come in either order, where times are unseen',
    tell: (s) => s.create('a').create('b').page('w', 'a b').create('c').page('w', 'a c b'),
    judges: unseen,
  },
  {
    what: 'under A2A a list runs by last update, against every status time',
    tell: (s) =>
      s
        .create('a', undefined, { timestamp: '2003-01-01T00:00:00Z' })
        .tick()
        .create('b', undefined, { timestamp: '2002-01-01T00:00:00Z' })
        .page('w', 'b a'),
    judges: a2a,
  },
  {
    what: 'under A2A a number is a token',
    tell: (s) => s.create('a').create('b').page('w', 'b', { next: '1' }).page('w', 'a', { next: '' }),
    judges: a2a,
  },
];

describe('no fault', () => {
  it.each(controls)('$what', ({ tell, judges }) => {
    expect(judge(tell, judges).findings).toEqual([]);
  });
});
