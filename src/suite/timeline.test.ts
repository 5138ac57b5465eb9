import { describe, expect, it } from 'vitest';
import type { Finding } from '../check/verdict.ts';
import type { Contents, Entry, Operation, Result } from '../history/history.ts';
import { timelineOf } from './timeline.ts';

const contents = (id: string): Contents => ({
  id,
  context: 'ctx',
  state: 'WORKING',
  history: [],
  artifacts: [],
  note: '',
});
const entry = (index: number, operation: Operation, result: Result): Entry => ({
  index,
  client: 0,
  step: index,
  call: 2 * index,
  return: 2 * index + 1,
  operation,
  result,
});
const finding = (entries: readonly number[]): Finding => ({
  rule: 'WALK-3',
  entries,
  saw: '',
  allowed: '',
  let: [],
  then: [],
  however: '',
});

describe('the data of a picture', () => {
  it('tell what each operation was about, and what each page showed and started from', () => {
    const entries = [
      entry(0, { op: 'create', contents: { ...contents('a'), state: 'FAILED' } }, { kind: 'written', micros: 5n }),
      entry(
        1,
        { op: 'list', walk: 'w', page: 0, pageSize: 1 },
        { kind: 'page', items: [contents('a')], nextToken: 't' },
      ),
      entry(2, { op: 'delete', id: 'a' }, { kind: 'error', code: 'not-found', message: '' }),
      entry(3, { op: 'access', id: 'a', caller: 'u', allowed: false }, { kind: 'done' }),
      entry(
        4,
        {
          op: 'list',
          walk: 'w',
          page: 1,
          token: 't',
          tokenFrom: 1,
          pageSize: Number.NaN,
          filter: { state: 'WORKING' },
          caller: 'u',
        },
        { kind: 'page', items: [], nextToken: '', totalSize: 1 },
      ),
    ];
    expect(timelineOf({ entries }, finding([1, 4]))).toEqual([
      { entry: 0, client: 0, call: 0, return: 1, op: 'create', task: 'a', detail: 'FAILED, at 5 µs' },
      {
        entry: 1,
        client: 0,
        call: 2,
        return: 3,
        op: 'list',
        page: { items: ['a'], walk: 'w', number: 0, size: 1, ends: false },
      },
      { entry: 2, client: 0, call: 4, return: 5, op: 'delete', task: 'a', error: 'not-found' },
      { entry: 3, client: 0, call: 6, return: 7, op: 'deny', task: 'a', caller: 'u' },
      {
        entry: 4,
        client: 0,
        call: 8,
        return: 9,
        op: 'list',
        caller: 'u',
        page: { items: [], after: 1, walk: 'w', number: 1, where: 'where status WORKING', ends: true, total: 1 },
      },
    ]);
  });

  it('keep of a long history its ends and what the finding names', () => {
    const entries = Array.from({ length: 10_000 }, (_, index) =>
      entry(index, { op: 'create', contents: contents(`t${index}`) }, { kind: 'written' }),
    );
    const kept = timelineOf({ entries }, finding([5_000])).map((event) => event.entry);
    expect(kept).toHaveLength(61);
    expect(kept).toContain(5_000);
  });
});
