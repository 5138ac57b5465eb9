import { describe, expect, it } from 'vitest';
import type { Entry, History, Result } from '../history/history.ts';
import type { CheckContext } from './check.ts';
import { broken, deleted, judged, overlapping, page, type Span, unknown, wrote } from './overlap.sample.ts';
import type { Finding } from './verdict.ts';

const a = wrote('create', [0, 1], 'a', 10);
const b = wrote('create', [2, 3], 'b', 20);
const c = wrote('create', [4, 5], 'c', 30);
const [atA, atB, atC] = [['a', 10] as const, ['b', 20] as const, ['c', 30] as const];
const onward = { next: 't' };

/** The findings against one rule: entries that prove them, lines of Then by their numbers, and marks. */
function proofs(rule: string, history: History, order: CheckContext['order'] = 'storage-time') {
  const found: readonly Finding[] = judged(history, {}, order).find((one) => one.rule === rule)?.findings ?? [];
  return found.map(({ entries, then, marks }) => ({
    entries,
    then: then.map((line) => Number(/^#(\d+)/.exec(line)?.[1])),
    marks,
  }));
}

function witnesses(rule: string, history: History): number | undefined {
  return judged(history).find((one) => one.rule === rule)?.witnesses;
}

/** A page whose cursors say something else than its tasks, or nothing. */
function cursored(span: Span, ...cursors: readonly (readonly [id: string, micros: number])[]): Span {
  const { cursors: _, ...result } = span.result as Extract<Result, { kind: 'page' }>;
  if (cursors.length === 0) return { ...span, result };
  return { ...span, result: { ...result, cursors: cursors.map(([id, micros]) => ({ id, micros: BigInt(micros) })) } };
}

function failed(span: Span): Span {
  return { ...span, result: { kind: 'error', code: 'internal', message: '' } };
}

function access(at: Span['at'], id: string, caller: string, allowed: boolean): Span {
  return { at, operation: { op: 'access', id, caller, allowed }, result: { kind: 'done' } };
}

const byOneClient = ({ entries }: History): History => ({
  entries: entries.map((one): Entry => ({ ...one, client: 0 })),
});

describe('a walk under way', () => {
  it('is over where its client begins another of that name', () => {
    const begun = (first: string, second: string) =>
      byOneClient(
        overlapping(
          ...[a, b, c, page([10, 11], first, 0, [atC], onward), page([12, 13], second, 0, [atC, atB, atA])],
          wrote('replace', [14, 15], 'c', 40),
        ),
      );
    // What is written later has been passed by the first walk only where that one is still under way.
    expect(witnesses('WALK-3', begun('w9', 'w10'))).toBe(3);
    expect(witnesses('WALK-3', begun('w1x0', 'w2x0'))).toBe(4);
    const ofTwo = overlapping(...[a, c, page([10, 11], 'w9', 0, [atC], onward), page([12, 13], 'w10', 0, [atC, atA])]);
    const later = overlapping(
      ...[a, c, page([10, 11], 'w9', 0, [atC], onward), page([12, 13], 'w10', 0, [atC, atA])],
      wrote('replace', [14, 15], 'c', 40),
    );
    expect([witnesses('WALK-3', ofTwo), witnesses('WALK-3', later)]).toEqual([2, 3]);
  });

  it('is over where a page fails', () => {
    const first = page([10, 11], 'w0', 0, [atC, atA], onward);
    const error = failed(page([12, 13], 'w0', 1, []));
    expect(broken(overlapping(a, b, c, first, error))).toContain('WALK-3');
    expect(witnesses('WALK-3', overlapping(a, c, first, error, wrote('replace', [14, 15], 'c', 40)))).toBeUndefined();
  });

  it('is told from another one', () => {
    const first = page([10, 11], 'w0', 0, [atC], onward);
    const other = page([12, 13], 'v0', 0, [atC, atB, atA]);
    expect(broken(overlapping(a, b, c, first, other, page([14, 15], 'w0', 1, [atB, atA])))).toEqual([]);
    expect(broken(overlapping(a, b, c, first, other, page([14, 15], 'w0', 1, [atC, atB, atA])))).toContain('WALK-1');
  });

  it('counts what it could have shown twice, or could have ended with, over all its pages', () => {
    const two = overlapping(a, b, c, page([10, 11], 'w0', 0, [atC], onward), page([12, 13], 'w0', 1, [atB, atA]));
    expect([witnesses('WALK-1', two), witnesses('WALK-5', two)]).toEqual([2, 1]);
  });
});

describe('keys that do not descend while others write', () => {
  const ascending = [page([10, 11], 'w0', 0, [atB], onward), page([12, 13], 'w0', 1, [atA], onward)];

  it('are proved by the pages up to the one that shows it', () => {
    const history = overlapping(
      a,
      b,
      c,
      ...ascending,
      page([14, 15], 'w0', 2, [atC], onward),
      page([16, 17], 'w0', 3, []),
    );
    expect(proofs('WALK-2', history)).toEqual([
      { entries: [3, 4, 5], then: [5], marks: [{ id: 'c', how: 'misplaced', entry: 5 }] },
    ]);
  });

  it('may be equal ones', () => {
    expect(broken(overlapping(a, page([10, 11], 'w0', 0, [atA, atA])))).toContain('WALK-2');
  });

  it('are asked about where lists run by them, and only of cursors that are there and of the tasks beside them', () => {
    const up = overlapping(a, b, page([10, 11], 'w0', 0, [atA, atB]));
    expect(broken(up)).toEqual(['WALK-2', 'SNAP-2'].sort());
    expect(judged(up, {}, 'status-timestamp').map(({ rule }) => rule)).not.toContain('WALK-2');
    const whole = page([10, 11], 'w0', 0, [atC, atB, atA]);
    expect(broken(overlapping(a, b, c, cursored(whole)))).toEqual([]);
    expect(broken(overlapping(a, b, c, cursored(whole, atC, ['x', 99], atA)))).not.toContain('WALK-2');
  });
});

describe('a task that a walk shows twice', () => {
  const d = wrote('create', [6, 7], 'd', 40);
  const twice = [
    page([10, 11], 'w0', 0, [['d', 40], atC], onward),
    page([20, 21], 'w0', 1, [atB], onward),
    page([30, 31], 'w0', 2, [atC], onward),
  ];

  it('is proved by the two pages that show it last, after all pages and its writes', () => {
    expect(proofs('WALK-1', overlapping(b, c, d, ...twice))).toEqual([
      { entries: [1, 3, 4, 5], then: [3, 5], marks: [{ id: 'c', how: 'repeated', entry: 5 }] },
    ]);
    const thrice = overlapping(b, c, d, ...twice, page([40, 41], 'w0', 3, [atC]));
    expect(proofs('WALK-1', thrice).map(({ then }) => then)).toEqual([
      [3, 5],
      [5, 6],
    ]);
    expect(proofs('WALK-1', overlapping(c, page([10, 11], 'w0', 0, [atC, atC]))).map(({ then }) => then)).toEqual([
      [1],
    ]);
  });

  it('is one too often though it was written meanwhile, or was deleted before', () => {
    const updated = overlapping(b, c, d, ...twice, wrote('replace', [12, 13], 'c', 15));
    expect(broken(updated)).toContain('WALK-1');
    const reborn = [deleted([6, 7], 'c'), wrote('create', [8, 9], 'c', 35)];
    const again = [page([10, 11], 'w0', 0, [['c', 35]], onward), page([12, 13], 'w0', 1, [['c', 35]])];
    expect(broken(overlapping(c, ...reborn, ...again))).toContain('WALK-1');
  });

  it('is none under A2A where it was written meanwhile', () => {
    const updated = overlapping(b, c, d, ...twice, wrote('replace', [12, 13], 'c', 15));
    expect(broken(updated, {}, 'status-timestamp')).not.toContain('WALK-1');
    expect(broken(overlapping(b, c, d, ...twice), {}, 'status-timestamp')).toContain('WALK-1');
  });
});

describe('a task that may not be shown', () => {
  it('is proved by its changes and the page', () => {
    const gone = overlapping(a, b, c, deleted([6, 7], 'b'), page([10, 11], 'w0', 0, [atC, atB, atA]));
    expect(proofs('WALK-4', gone)).toEqual([
      { entries: [1, 3, 4], then: [4], marks: [{ id: 'b', how: 'intruding', entry: 4 }] },
    ]);
  });

  it('is one whose caller had no access at any moment of the call', () => {
    const shown = page([10, 13], 'w0', 0, [atB, atA], { caller: 'eve' });
    const denied = access([4, 5], 'b', 'eve', false);
    expect(proofs('AUTH-3', overlapping(a, b, denied, shown))).toEqual([
      { entries: [1, 2, 3], then: [3], marks: [{ id: 'b', how: 'intruding', entry: 3 }] },
    ]);
    expect(broken(overlapping(a, b, denied, access([6, 7], 'b', 'eve', true), shown))).toEqual([]);
    expect(broken(overlapping(a, b, access([11, 12], 'b', 'eve', false), shown))).toEqual([]);
    expect(witnesses('AUTH-3', overlapping(a, b, denied, access([6, 7], 'b', 'eve', true), shown))).toBe(1);
    expect(witnesses('AUTH-3', overlapping(a, b, shown))).toBeUndefined();
  });
});

describe('the pages of a walk while others write', () => {
  it('may be full, and empty at the end', () => {
    const full = page([10, 11], 'w0', 0, [atB], { ...onward, pageSize: 1 });
    const rest = page([12, 13], 'w0', 1, [atA], { ...onward, pageSize: 1 });
    expect(broken(overlapping(a, b, full, rest, page([14, 15], 'w0', 2, [], { pageSize: 1 })))).toEqual([]);
  });

  it('prove alone that they are too long, or empty and go on', () => {
    const long = overlapping(a, b, page([10, 11], 'w0', 0, [atB, atA], { pageSize: 1 }));
    expect(proofs('WIRE-5', long).map(({ entries }) => entries)).toEqual([[2]]);
    const empty = overlapping(a, page([10, 11], 'w0', 0, [atA], onward), page([12, 13], 'w0', 1, [], onward));
    expect(proofs('WALK-5', empty)).toEqual([{ entries: [1, 2], then: [2], marks: undefined }]);
  });

  const endless = (every: number, length: number, many: number) =>
    Array.from({ length: many }, (_, number) =>
      page([20 + every * number, 20 + every * number + length], 'w0', number, [atA], onward),
    );

  it('are proved to be too many by the last four of them', () => {
    const d = wrote('create', [6, 7], 'd', 40);
    expect(proofs('WALK-5', overlapping(a, b, c, d, ...endless(2, 1, 5)))).toEqual([]);
    const told = proofs('WALK-5', overlapping(a, b, c, d, ...endless(2, 1, 8)));
    expect(told.map(({ entries, then }) => [entries, then])).toEqual([
      [
        [6, 7, 8, 9],
        [6, 7, 8, 9],
      ],
    ]);
  });

  it('may be many while something is written, during a page, between them, or perhaps', () => {
    const written = (from: number) =>
      Array.from({ length: 9 }, (_, at) => wrote('replace', [from + 10 * at, from + 1 + 10 * at], 'b', 100 + at));
    expect(broken(overlapping(a, b, ...endless(10, 5, 9)))).toContain('WALK-5');
    expect(broken(overlapping(a, b, ...endless(10, 5, 9), ...written(22)))).not.toContain('WALK-5');
    expect(broken(overlapping(a, b, ...endless(10, 5, 9), ...written(27)))).not.toContain('WALK-5');
    const perhaps = unknown(wrote('replace', [6, 7], 'b', 40));
    expect(broken(overlapping(a, b, perhaps, ...endless(10, 5, 9)))).not.toContain('WALK-5');
  });

  it('are too many from the last disturbance on', () => {
    const pages = endless(10, 5, 9);
    const within = proofs('WALK-5', overlapping(a, b, ...pages, wrote('replace', [42, 43], 'b', 40)));
    expect(within.map(({ then }) => then)).toEqual([[6, 7, 8, 9]]);
    const between = proofs('WALK-5', overlapping(a, b, ...pages, wrote('replace', [37, 38], 'b', 40)));
    expect(between.map(({ then }) => then)).toEqual([[5, 6, 7, 8]]);
  });
});

describe('a task that a walk leaves out', () => {
  const skips = page([10, 11], 'w0', 0, [atC, atA], onward);
  const changed = wrote('replace', [12, 13], 'b', 50);
  const left = (...spans: readonly Span[]) => proofs('WALK-3', overlapping(a, c, skips, ...spans)).length;

  it('is proved by its changes, the latest six others during the walk, and the pages', () => {
    const others = Array.from({ length: 7 }, (_, at) => wrote('replace', [20 + 2 * at, 21 + 2 * at], 'c', 50 + at));
    const history = overlapping(
      ...[a, b, c, access([6, 7], 'b', 'ann', true), access([8, 9], 'c', 'ann', true)],
      page([10, 11], 'w0', 0, [atC], { ...onward, caller: 'ann' }),
      page([14, 15], 'v0', 0, [atC, atB, atA]),
      ...others,
      { at: [34, 35], operation: { op: 'get', id: 'b' }, result: { kind: 'unknown', message: '' } },
      page([36, 37], 'w0', 1, [], { ...onward, caller: 'ann' }),
      page([38, 39], 'w0', 2, [atA], { caller: 'ann' }),
      wrote('replace', [40, 41], 'a', 60),
    );
    expect(proofs('WALK-3', history)).toEqual([
      {
        entries: [1, 3, 5, 8, 9, 10, 11, 12, 13, 15, 16],
        then: [16],
        marks: [{ id: 'b', how: 'lost', entry: 16 }],
      },
    ]);
    expect(proofs('WALK-3', overlapping(a, b, c, skips)).map(({ entries }) => entries)).toEqual([[1, 3]]);
  });

  it('is one that the filter selects, and none that is gone', () => {
    const filter = { context: 'ctx' };
    expect(broken(overlapping(a, b, page([10, 11], 'w0', 0, [atA], { filter })))).toContain('WALK-3');
    expect(broken(overlapping(a, b, page([10, 11], 'w0', 0, [], { filter: { context: 'other' } })))).toEqual([]);
    const gone = overlapping(a, b, deleted([6, 7], 'b'), page([10, 11], 'w0', 0, [atA]));
    expect(broken(gone)).toEqual([]);
    expect(witnesses('WALK-3', gone)).toBe(1);
  });

  it('is a witness too, and was stable', () => {
    expect(witnesses('WALK-3', overlapping(a, b, c, page([10, 11], 'w0', 0, [atC, atA])))).toBe(3);
    const during = overlapping(a, b, wrote('replace', [11, 12], 'b', 40), page([10, 13], 'w0', 0, [['b', 40], atA]));
    expect(witnesses('WALK-3', during)).toBe(1);
  });

  it('is one though it was written in turn before, and none where its last writes overlapped', () => {
    const inTurn = [wrote('create', [2, 3], 'b', 20), wrote('replace', [6, 7], 'b', 25)];
    expect([left(...inTurn), left(...inTurn, changed)]).toEqual([1, 1]);
    const atOnce = [wrote('create', [2, 7], 'b', 20), wrote('replace', [3, 6], 'b', 25)];
    expect([left(...atOnce), left(...atOnce, changed)]).toEqual([0, 0]);
    expect(witnesses('WALK-3', overlapping(a, c, skips, ...atOnce, changed))).toBeUndefined();
  });

  it('was passed, or nothing is said of it: not where its time, or that of the last one shown, is not known', () => {
    expect(left(b)).toBe(1);
    const timeless: Span = { ...b, result: { kind: 'written' } };
    expect([left(timeless), left(timeless, changed)]).toEqual([0, 0]);
    const [blind, astray] = [cursored(skips), cursored(skips, atC, ['x', 1])];
    expect(broken(overlapping(a, b, c, blind))).not.toContain('WALK-3');
    expect(broken(overlapping(a, b, c, astray))).not.toContain('WALK-3');
  });

  it('is none where lists do not run by the times of writes, until a walk is complete', () => {
    expect(broken(overlapping(a, b, c, skips), {}, 'status-timestamp')).not.toContain('WALK-3');
    const whole = page([10, 11], 'w0', 0, [atC, atA]);
    expect(broken(overlapping(a, b, c, whole), {}, 'status-timestamp')).toContain('WALK-3');
  });

  it('could have been the last one that was shown, and none that is new', () => {
    const first = page([10, 11], 'w0', 0, [atC], onward);
    expect(witnesses('WALK-3', overlapping(a, c, first, wrote('replace', [12, 13], 'c', 40)))).toBe(1);
    expect(witnesses('WALK-3', overlapping(a, c, first, wrote('create', [12, 13], 'd', 40)))).toBeUndefined();
  });
});
