import { describe, expect, it } from 'vitest';
import type { Operation, Result } from '../history/history.ts';
import { broken, contents, deleted, judged, overlapping, page, type Span, unknown, wrote } from './overlap.sample.ts';

const a = wrote('create', [0, 1], 'a', 10);
const b = wrote('create', [2, 3], 'b', 20);
const c = wrote('create', [4, 5], 'c', 30);

const get = (at: Span['at'], id: string, read: Result): Span => ({ at, operation: { op: 'get', id }, result: read });
const reads = (id: string, micros: number, history: readonly string[] = []): Result => ({
  kind: 'read',
  contents: contents(id, `${id}@${micros}`, { history }),
});
const appended = (at: Span['at'], id: string, message: string, micros: number): Span => ({
  at,
  operation: { op: 'append', id, message },
  result: { kind: 'written', micros: BigInt(micros), deduplicated: false },
});
const refused = (at: Span['at'], operation: Operation, code: string): Span => ({
  at,
  operation,
  result: { kind: 'error', code, message: '' },
});

describe('a walk while others write', () => {
  it('may leave out a task that is written meanwhile, and show one that is created', () => {
    const updated = wrote('replace', [11, 14], 'a', 40);
    const added = wrote('create', [12, 15], 'd', 5);
    expect(
      broken(
        overlapping(
          a,
          b,
          updated,
          added,
          page([10, 13], 'w0', 0, [['b', 20]], { next: 't' }),
          page([16, 17], 'w0', 1, [['d', 5]]),
        ),
      ),
    ).toEqual([]);
  });

  it('may not leave out a stable task', () => {
    expect(
      broken(
        overlapping(
          a,
          b,
          c,
          page([10, 11], 'w0', 0, [
            ['c', 30],
            ['a', 10],
          ]),
        ),
      ),
    ).toEqual(['SNAP-2', 'WALK-3']);
  });

  it('may leave out a task whose write had not returned when it began', () => {
    const slow = wrote('create', [6, 20], 'd', 40);
    expect(broken(overlapping(a, slow, page([10, 11], 'w0', 0, [['a', 10]])))).toEqual([]);
    expect(
      broken(
        overlapping(
          a,
          slow,
          page([10, 11], 'w0', 0, [
            ['d', 40],
            ['a', 10],
          ]),
        ),
      ),
    ).toEqual([]);
  });

  it('judges what it has passed where it goes no further', () => {
    const left = page(
      [10, 11],
      'w0',
      0,
      [
        ['c', 30],
        ['a', 10],
      ],
      { next: 't' },
    );
    expect(broken(overlapping(a, b, c, left))).toContain('WALK-3');
    const above = page([10, 11], 'w0', 0, [['c', 30]], { next: 't' });
    expect(broken(overlapping(a, b, c, above))).toEqual([]);
  });

  it('judges what it has passed before that is changed', () => {
    const left = page(
      [10, 11],
      'w0',
      0,
      [
        ['c', 30],
        ['a', 10],
      ],
      { next: 't' },
    );
    const last = page([14, 15], 'w0', 1, []);
    const changed = wrote('replace', [12, 13], 'b', 50);
    expect(broken(overlapping(a, b, c, left, changed, last))).toContain('WALK-3');
  });

  it('may not show a task that is gone, or that never was', () => {
    const gone = deleted([6, 7], 'b');
    expect(
      broken(
        overlapping(
          a,
          b,
          gone,
          page([10, 11], 'w0', 0, [
            ['b', 20],
            ['a', 10],
          ]),
        ),
      ),
    ).toContain('WALK-4');
    expect(
      broken(
        overlapping(
          a,
          page([10, 11], 'w0', 0, [
            ['x', 20],
            ['a', 10],
          ]),
        ),
      ),
    ).toContain('WALK-4');
  });

  it('may show a task whose delete is under way, or may never have happened', () => {
    const shown = page([10, 11], 'w0', 0, [
      ['b', 20],
      ['a', 10],
    ]);
    expect(broken(overlapping(a, b, deleted([9, 12], 'b'), shown))).toEqual([]);
    expect(broken(overlapping(a, b, unknown(deleted([6, 7], 'b')), shown))).toEqual([]);
    expect(broken(overlapping(a, b, unknown(deleted([6, 7], 'b')), page([10, 11], 'w0', 0, [['a', 10]])))).toEqual([]);
  });

  it('may not show on a page what was gone before the page was called', () => {
    const first = page([10, 11], 'w0', 0, [['c', 30]], { next: 't' });
    const second = page([14, 15], 'w0', 1, [['b', 20]]);
    expect(broken(overlapping(b, c, first, deleted([12, 13], 'b'), second))).toEqual(['SNAP-2']);
  });

  it('may not show a task twice, but may where it was deleted and created again', () => {
    const twice = [page([10, 11], 'w0', 0, [['c', 30]], { next: 't' }), page([20, 21], 'w0', 1, [['c', 25]])];
    expect(broken(overlapping(c, ...twice))).toContain('WALK-1');
    const again = wrote('create', [14, 15], 'c', 25);
    expect(broken(overlapping(c, ...twice, deleted([12, 13], 'c'), again))).toEqual([]);
  });

  it('has keys that descend, pages within their size, and no token on an empty page', () => {
    expect(
      broken(
        overlapping(
          a,
          b,
          page([10, 11], 'w0', 0, [
            ['a', 10],
            ['b', 20],
          ]),
        ),
      ),
    ).toContain('WALK-2');
    expect(
      broken(
        overlapping(
          a,
          b,
          page(
            [10, 11],
            'w0',
            0,
            [
              ['b', 20],
              ['a', 10],
            ],
            { pageSize: 1 },
          ),
        ),
      ),
    ).toContain('WIRE-5');
    expect(broken(overlapping(page([10, 11], 'w0', 0, [], { next: 't' })))).toContain('WALK-5');
  });

  it('ends once nothing changes any more', () => {
    const pages = Array.from({ length: 6 }, (_, number) =>
      page([10 + 2 * number, 11 + 2 * number], 'w0', number, [['a', 10]], { next: 't' }),
    );
    const reports = judged(overlapping(a, ...pages));
    expect(
      reports.find(({ rule }) => rule === 'WALK-5')?.findings.some(({ saw }) => saw.includes('pages or more')),
    ).toBe(true);
  });

  it('may go on under A2A while each write between its pages moves what was shown to an older status time', () => {
    const pages = Array.from({ length: 6 }, (_, number) =>
      page([10 + 10 * number, 11 + 10 * number], 'w0', number, [['a', 10]], number < 5 ? { next: 't' } : {}),
    );
    const moved = Array.from({ length: 5 }, (_, at) =>
      wrote('replace', [15 + 10 * at, 16 + 10 * at], 'a', 100 + at, { timestamp: `20${20 - at}-01-01T00:00:00Z` }),
    );
    expect(broken(overlapping(a, ...pages, ...moved), {}, 'status-timestamp')).toEqual([]);
    expect(broken(overlapping(a, ...pages), {}, 'status-timestamp')).toContain('WALK-5');
  });

  it('counts how often each rule could have failed', () => {
    const reports = judged(
      overlapping(
        a,
        b,
        c,
        page([10, 11], 'w0', 0, [
          ['c', 30],
          ['b', 20],
          ['a', 10],
        ]),
      ),
    );
    const witnesses = Object.fromEntries(reports.map((report) => [report.rule, report.witnesses]));
    expect(witnesses).toMatchObject({ 'WALK-1': 2, 'WALK-2': 2, 'WALK-3': 3, 'WALK-4': 3, 'WALK-5': 1 });
  });
});

describe('a total while others write', () => {
  const total = (totalSize: number) => page([10, 11], 'w0', 0, [['a', 10]], { totalSize });

  it('lies between what matches throughout and what matches at some moment', () => {
    const slow = wrote('create', [9, 12], 'b', 5);
    expect(broken(overlapping(a, slow, total(1)))).toEqual([]);
    expect(broken(overlapping(a, slow, total(3)))).toContain('COUNT-1');
    expect(broken(overlapping(a, slow, total(0)))).toContain('COUNT-1');
  });

  it('is of the same state as the tasks beside it', () => {
    const slow = wrote('create', [9, 12], 'b', 5);
    expect(broken(overlapping(a, slow, total(2)))).toEqual(['SNAP-1']);
  });
});

describe('the times of one task', () => {
  const later = (at: Span['at'], micros: number) => wrote('replace', at, 'a', micros);

  it('go up where one write is called after another returned', () => {
    expect(broken(overlapping(a, later([2, 3], 11), later([4, 5], 12)))).toEqual([]);
    expect(broken(overlapping(a, later([2, 3], 12), later([4, 5], 11)))).toEqual(['TIME-2']);
  });

  it('differ where writes overlap, in either order', () => {
    expect(broken(overlapping(a, later([2, 5], 12), later([3, 4], 11)))).toEqual([]);
    expect(broken(overlapping(a, later([2, 5], 11), later([3, 4], 11)))).toEqual(['TIME-2']);
  });

  it('begin anew with a delete', () => {
    expect(broken(overlapping(a, deleted([2, 3], 'a'), wrote('create', [4, 5], 'a', 5), later([6, 7], 6)))).toEqual([]);
  });

  it('may stand still where an append was deduplicated', () => {
    const repeated: Span = {
      at: [4, 5],
      operation: { op: 'append', id: 'a', message: 'm1' },
      result: { kind: 'written', micros: 11n, deduplicated: true },
    };
    expect(broken(overlapping(a, appended([2, 3], 'a', 'm1', 11), repeated))).toEqual([]);
  });
});

describe('the order of one task', () => {
  it('loses no append', () => {
    const both = [appended([2, 6], 'a', 'm1', 11), appended([3, 7], 'a', 'm2', 12)];
    const whole: Result = { kind: 'read', contents: contents('a', 'a@10', { history: ['m2', 'm1'] }) };
    const one: Result = { kind: 'read', contents: contents('a', 'a@10', { history: ['m2'] }) };
    expect(broken(overlapping(a, ...both, get([8, 9], 'a', whole)))).toEqual([]);
    expect(broken(overlapping(a, ...both, get([8, 9], 'a', one)))).toEqual(['SNAP-2']);
  });

  it('lets one conditional write win on one revision', () => {
    const made = wrote('create', [0, 1], 'a', 10, { revision: '1' });
    const first = wrote('replace', [2, 6], 'a', 11, { ifRevision: '1', revision: '2' });
    const second = wrote('replace', [3, 7], 'a', 12, { ifRevision: '1', revision: '3' });
    expect(broken(overlapping(made, first, second))).toEqual(['SNAP-2']);
    expect(broken(overlapping(made, first, refused([3, 7], second.operation, 'revision-conflict')))).toEqual([]);
    expect(broken(overlapping(made, refused([3, 7], second.operation, 'revision-conflict')))).toEqual(['SNAP-2']);
  });

  it('takes an unknown write as done, not done, or done late', () => {
    const lost = unknown(wrote('replace', [2, 3], 'a', 11));
    const old = get([4, 5], 'a', reads('a', 10));
    const fresh = get([6, 7], 'a', reads('a', 11));
    expect(broken(overlapping(a, lost, old, fresh))).toEqual([]);
    expect(broken(overlapping(a, lost, old))).toEqual([]);
    expect(broken(overlapping(a, lost, { ...fresh, at: [4, 5] }, { ...old, at: [6, 7] }))).toEqual(['SNAP-2']);
  });

  it('holds not-found and already-exists against what stands', () => {
    const remove = { op: 'delete', id: 'a' } as const;
    expect(broken(overlapping(a, refused([2, 3], remove, 'not-found')))).toEqual(['SNAP-2']);
    expect(broken(overlapping(refused([2, 3], a.operation, 'already-exists')))).toEqual(['SNAP-2']);
    expect(broken(overlapping(a, deleted([2, 5], 'a'), refused([3, 4], remove, 'not-found')))).toEqual([]);
  });

  it('takes an error that no state explains as no effect', () => {
    expect(
      broken(overlapping(a, refused([2, 3], { op: 'delete', id: 'a' }, 'internal'), get([4, 5], 'a', reads('a', 10)))),
    ).toEqual([]);
  });

  it('tells Let, Then and However of the operations that matter only', () => {
    const noise = Array.from({ length: 6 }, (_, at) => get([20 + 2 * at, 21 + 2 * at], 'a', reads('a', 10)));
    const history = overlapping(a, ...noise, wrote('replace', [40, 41], 'a', 11), get([42, 43], 'a', reads('a', 10)));
    const found = judged(history).find(({ rule }) => rule === 'SNAP-2')?.findings[0];
    expect(found?.entries).toHaveLength(3);
    expect(found?.then).toEqual(['#8 c8 get "a" → "a" (WORKING), note a@10  (from 42 to 43)']);
    expect(found?.let).toContain('#7 c7 replace "a" (WORKING) → ok @11, note a@11  (from 40 to 41)');
  });
});

describe('a page of a small store', () => {
  it('is of one moment', () => {
    const moved = wrote('replace', [9, 20], 'a', 40);
    const before = page([10, 11], 'w0', 0, [
      ['b', 20],
      ['a', 10],
    ]);
    const after = page([12, 13], 'v0', 0, [
      ['a', 40],
      ['b', 20],
    ]);
    expect(broken(overlapping(a, b, moved, before, after))).toEqual([]);
    expect(broken(overlapping(a, b, moved, { ...after, at: [10, 11] }, { ...before, at: [12, 13] }))).toEqual([
      'SNAP-2',
    ]);
  });

  it('of callers is not held to one moment: a dispatcher scans', () => {
    const moved = wrote('replace', [9, 20], 'a', 40);
    const after = page([10, 11], 'w0', 0, [
      ['a', 40],
      ['b', 20],
    ]);
    const before = page([12, 13], 'v0', 0, [
      ['b', 20],
      ['a', 10],
    ]);
    expect(broken(overlapping(a, b, moved, after, before), { callers: true })).toEqual([]);
  });
});
