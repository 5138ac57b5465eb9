import { describe, expect, it } from 'vitest';
import { defineSubject, type ListReply, type ReadReply, type WriteReply } from '../subject/subject.ts';
import { UnknownOutcomeError } from '../task/errors.ts';
import { contentsFor, taskOf } from './content.ts';
import { errorResult, pageResult, readResult, writtenResult } from './replies.ts';
import { SubjectFault } from './subject-fault.ts';

const task = taskOf(contentsFor('a', undefined, 'n'));
const contents = contentsFor('a', undefined, 'n');

/** What a subject is told of an answer that breaks the interface. */
function faultOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(SubjectFault);
    return (error as SubjectFault).message;
  }
  return 'no fault';
}

describe('the answer to a write', () => {
  it('may be nothing', () => {
    expect(writtenResult('create', undefined)).toEqual({ kind: 'written' });
    expect(writtenResult('create', null as never)).toEqual({ kind: 'written' });
  });

  it('tells time, revision and deduplication, each only where it is given', () => {
    expect(writtenResult('append', { lastUpdatedMicros: 5n, revision: '7', deduplicated: true })).toEqual({
      kind: 'written',
      micros: 5n,
      revision: '7',
      deduplicated: true,
    });
  });

  it.each([
    ['done', 'create answered a string'],
    [{ lastUpdatedMicros: 5 }, 'lastUpdatedMicros is of type number'],
    [{ revision: 7 }, 'revision is of type number'],
  ])('%j is a fault of the interface', (reply, message) => {
    expect(faultOf(() => writtenResult('create', reply as unknown as WriteReply))).toContain(message);
  });
});

describe('the answer to a get', () => {
  it('may be that there is no such task', () => {
    expect(readResult(undefined)).toEqual({ kind: 'read' });
  });

  it('tells the contents', () => {
    expect(readResult({ task, revision: '1' })).toEqual({ kind: 'read', contents, revision: '1' });
  });

  it.each([
    [7, 'get answered a number'],
    [{}, 'get answered a task that is none'],
    [{ task: { id: 7 } }, "a task's id is number, not a string"],
    [{ task: { id: 'a', history: [null] } }, 'get answered a task that is none'],
  ])('%j is a fault of the interface', (reply, message) => {
    expect(faultOf(() => readResult(reply as unknown as ReadReply))).toContain(message);
  });
});

describe('the answer to a list', () => {
  it('tells tasks, cursors, token and total', () => {
    const reply = {
      tasks: [task],
      taskCursors: [{ id: 'a', lastUpdatedMicros: 5n }],
      nextPageToken: 't',
      pageSize: 1,
      totalSize: 3,
    };
    expect(pageResult(reply)).toEqual({
      kind: 'page',
      items: [contents],
      cursors: [{ id: 'a', micros: 5n }],
      nextToken: 't',
      pageSize: 1,
      totalSize: 3,
    });
  });

  it('keeps cursors that are fewer or misplaced: those are judged', () => {
    const page = pageResult({ tasks: [task], taskCursors: [], nextPageToken: '' });
    expect(page).toMatchObject({ cursors: [] });
  });

  it('with a token that is no text is malformed, and judged', () => {
    expect(pageResult({ tasks: [], nextPageToken: 7 as never })).toEqual({
      kind: 'malformed',
      what: 'nextPageToken is of type number, not a string',
    });
  });

  it.each([
    [undefined, 'list answered a value of type undefined'],
    [null, 'list answered null'],
    [{ nextPageToken: '' }, 'without an array in `tasks`'],
    [{ tasks: {}, nextPageToken: '' }, 'without an array in `tasks`'],
    [{ tasks: [null], nextPageToken: '' }, 'a task is null'],
    [{ tasks: [], taskCursors: {}, nextPageToken: '' }, 'taskCursors that are no array'],
    [{ tasks: [], taskCursors: [null], nextPageToken: '' }, 'taskCursors[0] is no cursor'],
    [{ tasks: [], taskCursors: [{ id: 'a', lastUpdatedMicros: 5 }], nextPageToken: '' }, 'a bigint'],
    [{ tasks: [], nextPageToken: '', totalSize: '3' }, 'a totalSize of type string'],
  ])('case %#: a fault of the interface', (reply, message) => {
    expect(faultOf(() => pageResult(reply as unknown as ListReply))).toContain(message);
  });
});

describe('what a subject throws', () => {
  const subject = defineSubject({ name: 's', open: async () => ({}) as never });

  it.each([
    [Object.assign(new Error('gone'), { code: 'not-found' }), { kind: 'error', code: 'not-found', message: 'gone' }],
    [new Error('gone'), { kind: 'error', code: 'unclassified', message: 'gone' }],
    [Object.assign(new Error('x'), { code: 'ENOENT' }), { kind: 'error', code: 'unclassified', message: 'x' }],
    ['gone', { kind: 'error', code: 'unclassified', message: 'gone' }],
    [undefined, { kind: 'error', code: 'unclassified', message: 'undefined' }],
  ])('case %# is a definite error', (thrown, result) => {
    expect(errorResult(subject, thrown)).toMatchObject(result);
  });

  it('is read by the subject first', () => {
    const reading = { ...subject, classifyError: () => 'internal' };
    expect(errorResult(reading, new Error('x'))).toMatchObject({ kind: 'error', code: 'internal' });
  });

  it('leaves the outcome unknown where it says so', () => {
    expect(errorResult(subject, new UnknownOutcomeError())).toMatchObject({ kind: 'unknown' });
  });
});
