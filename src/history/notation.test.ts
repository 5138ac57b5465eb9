import { describe, expect, it } from 'vitest';
import type { Entry, Operation, Result } from './history.ts';
import { formatEntry, formatFilter, formatId, formatOperation, formatResult, formatToken } from './notation.ts';

const contents = { id: 'a', context: 'ctx', state: 'WORKING', history: [], artifacts: [], note: 'n' } as const;

describe('an id', () => {
  it.each([
    ['a', '"a"'],
    ['a b', '"a b"'],
    ['a\0', '"a\\u0000"'],
    ['\u00e9', '"\\u00e9"'],
    ['\u{1f600}', '"\\ud83d\\ude00"'],
    ['\ud800', '"\\ud800"'],
    ['"', '"\\""'],
  ])('%j is written so that every character can be told', (id, text) => {
    expect(formatId(id)).toBe(text);
  });

  it('that is long is cut, with its length', () => {
    expect(formatId('x'.repeat(300))).toMatch(/^"x{24}.*300 characters/);
  });

  it('is told from every other short one', () => {
    const ids = ['e\u0301', '\u00e9', 'a\u200db', 'ab', 'a\ufeff', 'a', 'A', 'a ', '\\u0000', '\0'];
    expect(new Set(ids.map(formatId)).size).toBe(ids.length);
  });
});

describe('a token', () => {
  it('is quoted, and cut where it is long', () => {
    expect(formatToken(' ')).toBe('" "');
    expect(formatToken('t'.repeat(200)).length).toBeLessThan(60);
  });
});

describe('a filter', () => {
  it('says each of its conditions', () => {
    expect(formatFilter(undefined)).toBe('');
    expect(formatFilter({})).toBe('');
    expect(formatFilter({ context: 'd', state: 'FAILED', after: '2001-01-01T00:00:00Z' })).toBe(
      ' where context "d" and status FAILED and status time from 2001-01-01T00:00:00Z',
    );
  });
});

describe('an operation', () => {
  it.each<[Operation, string]>([
    [{ op: 'create', contents }, 'create "a" (WORKING)'],
    [{ op: 'create', contents, caller: 'alice' }, 'alice: create "a" (WORKING)'],
    [
      { op: 'replace', contents: { ...contents, context: 'd', history: ['m1'], artifacts: ['r1'] }, ifRevision: '3' },
      'replace "a" (WORKING, context "d", history m1, artifacts r1) if revision 3',
    ],
    [{ op: 'append', id: 'a', message: 'm1' }, 'append message m1 to "a"'],
    [{ op: 'cancel', id: 'a', timestamp: '2001-01-01T00:00:00Z' }, 'cancel "a"'],
    [{ op: 'delete', id: 'a' }, 'delete "a"'],
    [{ op: 'get', id: 'a', caller: 'bob' }, 'bob: get "a"'],
    [{ op: 'list', walk: 'w0', page: 0, pageSize: 2 }, 'list w0 page 0 size 2'],
    [{ op: 'list', walk: 'w0', page: 1, token: 't', tokenFrom: 3 }, 'list w0 page 1 after page #3'],
    [{ op: 'list', token: 't', total: false, filter: { context: 'd' } }, 'list token "t" where context "d" no total'],
    [{ op: 'clock', micros: -5n }, 'clock to -5'],
    [{ op: 'tick' }, 'wait 3 ms'],
    [{ op: 'access', caller: 'bob', id: 'a', allowed: false }, 'deny bob "a"'],
    [{ op: 'access', caller: 'bob', id: 'a', allowed: true }, 'allow bob "a"'],
    [{ op: 'restart' }, 'restart'],
  ])('case %#: is one line', (operation, line) => {
    expect(formatOperation(operation)).toBe(line);
  });
});

describe('a result', () => {
  it.each<[Result, string]>([
    [{ kind: 'written' }, 'ok'],
    [{ kind: 'written', micros: 5n, revision: '2', deduplicated: true }, 'ok (deduplicated) @5 revision 2'],
    [{ kind: 'written', contents }, 'ok (WORKING)'],
    [{ kind: 'read' }, 'none'],
    [{ kind: 'read', contents, micros: 5n }, '"a" (WORKING) @5'],
    [{ kind: 'page', items: [], nextToken: '' }, '[] end'],
    [
      { kind: 'page', items: [contents], cursors: [{ id: 'a', micros: 5n }], nextToken: 't', totalSize: 2 },
      '["a" @5] next "t" total 2',
    ],
    [{ kind: 'done' }, 'ok'],
    [{ kind: 'error', code: 'not-found', message: 'gone' }, 'error not-found'],
    [{ kind: 'unknown', message: 'lost' }, 'outcome unknown'],
    [{ kind: 'malformed', what: 'nextPageToken is 1' }, 'malformed: nextPageToken is 1'],
  ])('case %#: is one line', (result, line) => {
    expect(formatResult(result)).toBe(line);
  });
});

describe('an entry', () => {
  const entry: Entry = {
    index: 3,
    client: 0,
    step: 1,
    call: 6,
    return: 7,
    operation: { op: 'get', id: 'a' },
    result: { kind: 'read' },
  };

  it('is its number, its operation and its result', () => {
    expect(formatEntry(entry)).toBe('#3 get "a" → none');
  });

  it('shows what a new task became where the subject decides that', () => {
    const asked = { ...contents, state: 'SUBMITTED' } as const;
    const made: Entry = {
      ...entry,
      operation: { op: 'create', contents: asked },
      result: { kind: 'written', contents },
    };
    expect(formatEntry(made)).toBe('#3 create "a" → ok (WORKING)');
  });

  it('names its client where there are several', () => {
    expect(formatEntry({ ...entry, client: 2 })).toBe('#3 c2 get "a" → none');
  });
});
