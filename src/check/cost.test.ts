import { describe, expect, it } from 'vitest';
import { contentsFor } from '../run/content.ts';
import { type Case, type Judges, judge, type Story } from './story.sample.ts';

const counted: Judges = { cost: true };
const name = (number: number) => `t${String(number).padStart(5, '0')}`;

/** Fills a store and lists its newest at each of these sizes; counters say what each operation moved them by. */
function grown(s: Story, visits: (tasks: number) => number, moves: (tasks: number) => number): Story {
  let tasks = 0;
  for (const size of [64, 1024]) {
    for (; tasks < size; tasks++) {
      const contents = contentsFor(name(tasks), undefined, '');
      s.add({ op: 'create', contents }, { kind: 'written', micros: BigInt(tasks) }, { moves: moves(tasks) });
    }
    s.add(
      { op: 'list', walk: `w${size}`, page: 0, pageSize: 1 },
      {
        kind: 'page',
        items: [contentsFor(name(tasks - 1), undefined, '')],
        cursors: [{ id: name(tasks - 1), micros: BigInt(tasks - 1) }],
        nextToken: 't',
        totalSize: tasks,
      },
      { visits: visits(tasks), comparisons: visits(tasks) },
    );
  }
  return s;
}

const cases: readonly Case[] = [
  {
    what: 'a page visits one entry more than it may',
    breaks: ['COST-2'],
    wrong: (s) =>
      grown(
        s,
        () => 3,
        () => 1,
      ),
    right: (s) =>
      grown(
        s,
        () => 2,
        () => 1,
      ),
  },
  {
    what: 'a write costs as much as there are tasks',
    breaks: ['COST-1'],
    wrong: (s) =>
      grown(
        s,
        () => 2,
        (tasks) => tasks,
      ),
    right: (s) =>
      grown(
        s,
        () => 2,
        (tasks) => Math.log2(tasks + 1),
      ),
  },
];

describe('cost', () => {
  it.each(cases)('$breaks: $what', ({ wrong, right, breaks }) => {
    expect(judge(wrong, counted).broken).toEqual([...breaks].sort());
    expect(judge(right, counted).broken).toEqual([]);
    expect(judge(right, counted).witnesses(breaks[0])).toBeGreaterThan(0);
  });

  it('that grows with the number of tasks shows in any counter of a page', () => {
    const told = judge((s) => {
      grown(
        s,
        () => 2,
        () => 1,
      );
      for (const { result } of s.history().entries) expect(result.kind).not.toBe('error');
    }, counted);
    expect(told.witnesses('COST-2')).toBeGreaterThan(2);
  });

  it('is not judged of a store without counters', () => {
    const told = judge((s) => s.create('a', 1n).page('w', 'a'), counted);
    expect(told.witnesses('COST-1') + told.witnesses('COST-2')).toBe(0);
  });
});
