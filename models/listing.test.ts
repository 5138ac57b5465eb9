import { describe, expect, it } from 'vitest';
import type { Contents } from '../src/history/history.ts';
import { listAfter, matches } from './listing.ts';

const contents: Contents = {
  id: 'a',
  context: 'ctx',
  state: 'WORKING',
  timestamp: '2001-01-01T00:00:00.500Z',
  history: [],
  artifacts: [],
  note: '',
};
const { timestamp: _, ...timeless } = contents;

describe('a filter', () => {
  it.each([
    [undefined, true],
    [{}, true],
    [{ context: 'ctx' }, true],
    [{ context: '' }, true],
    [{ context: 'CTX' }, false],
    [{ state: 'WORKING' as const }, true],
    [{ state: 'UNSPECIFIED' as const }, true],
    [{ state: 'COMPLETED' as const }, false],
    [{ after: '2001-01-01T00:00:00.5Z' }, true],
    [{ after: '2001-01-01T01:00:00.500+01:00' }, true],
    [{ after: '2001-01-01T00:00:00.500001Z' }, false],
    [{ after: '2001-01-01T00:00:00.499999Z' }, true],
    [{ context: 'ctx', state: 'WORKING' as const, after: '2001-01-01T00:00:00Z' }, true],
    [{ context: 'ctx', state: 'FAILED' as const, after: '2001-01-01T00:00:00Z' }, false],
  ])('%j selects: %s', (filter, selected) => {
    expect(matches(contents, filter)).toBe(selected);
  });

  it('by status time leaves out a task that has none', () => {
    expect(matches(timeless, { after: '1970-01-01T00:00:00Z' })).toBe(false);
  });
});

describe('a list', () => {
  const tasks = [
    { id: 'a', micros: 1n },
    { id: 'c', micros: 2n },
    { id: 'b', micros: 2n },
  ];
  const ids = (listed: readonly { id: string }[]) => listed.map(({ id }) => id);

  it('starts with the newest, and at one time with the greatest id', () => {
    expect(ids(listAfter(tasks, undefined))).toEqual(['c', 'b', 'a']);
  });

  it('goes on below a boundary that need not stand', () => {
    expect(ids(listAfter(tasks, { id: 'bb', micros: 2n }))).toEqual(['b', 'a']);
    expect(ids(listAfter(tasks, { id: 'b', micros: 2n }))).toEqual(['a']);
    expect(ids(listAfter(tasks, { id: 'a', micros: 1n }))).toEqual([]);
  });

  it('leaves what it was given as it was', () => {
    expect(ids(tasks)).toEqual(['a', 'c', 'b']);
  });
});
