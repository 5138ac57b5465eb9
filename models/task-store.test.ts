import { describe, expect, it } from 'vitest';
import type { Contents } from '../src/history/history.ts';
import { expectMutation, keepsId, type ModelOptions, type ModelTask, type Mutation } from './task-store.ts';

const options: ModelOptions = { create: 'reject', deduplicates: true, nul: true, maxBytes: 64 };
const contents: Contents = { id: 'a', context: 'ctx', state: 'WORKING', history: ['m1'], artifacts: ['r1'], note: 'n' };
const task = (change: Partial<ModelTask> = {}): ModelTask => ({ contents, revision: '3', micros: 5n, ...change });
const create: Mutation = { op: 'create', contents: { ...contents, note: 'new' } };
const replace: Mutation = { op: 'replace', contents: { ...contents, note: 'new' } };
const cancel: Mutation = { op: 'cancel', id: 'a', timestamp: '2001-01-01T00:00:00Z' };
const append = (message: string): Mutation => ({ op: 'append', id: 'a', message });
const remove: Mutation = { op: 'delete', id: 'a' };
const ended = task({ contents: { ...contents, state: 'FAILED' } });

describe('a mutation', () => {
  it.each([
    ['a create writes', create, undefined, 'write'],
    ['a create of a standing task is refused', create, task(), 'already-exists'],
    ['a replace writes', replace, task(), 'write'],
    ['a replace of nothing is refused', replace, undefined, 'not-found'],
    ['a replace at the current revision writes', { ...replace, ifRevision: '3' }, task(), 'write'],
    ['a replace at another revision is refused', { ...replace, ifRevision: '2' }, task(), 'revision-conflict'],
    ['an append writes', append('m2'), task(), 'write'],
    ['a repeated append does nothing', append('m1'), task(), 'nothing'],
    ['an append to nothing is refused', append('m1'), undefined, 'not-found'],
    ['a cancel writes', cancel, task(), 'write'],
    ['a cancel of an ended task is refused', cancel, ended, 'not-cancelable'],
    ['a delete removes', remove, task(), 'remove'],
    ['a delete of nothing is refused', remove, undefined, 'not-found'],
  ] as const)('%s', (_, mutation, before, outcome) => {
    const expected = expectMutation(mutation, before, options);
    expect(expected.kind === 'refuse' ? expected.code : expected.kind).toBe(outcome);
  });

  it('at the end of time is refused, but for a repeated append and a delete', () => {
    const last = task({ micros: 2n ** 63n - 1n });
    const outcomes = [replace, append('m2'), append('m1'), cancel, remove].map((one) =>
      expectMutation(one, last, options),
    );
    expect(outcomes.map((one) => (one.kind === 'refuse' ? one.code : one.kind))).toEqual([
      'internal',
      'internal',
      'nothing',
      'internal',
      'remove',
    ]);
  });

  it('leaves of a task what it does not say', () => {
    expect(expectMutation(append('m2'), task(), options)).toEqual({
      kind: 'write',
      contents: { ...contents, history: ['m1', 'm2'] },
    });
    expect(expectMutation(cancel, task(), options)).toEqual({
      kind: 'write',
      contents: { ...contents, state: 'CANCELED', timestamp: '2001-01-01T00:00:00Z' },
    });
  });
});

describe('a subject that writes over', () => {
  const upsert: ModelOptions = { ...options, create: 'upsert' };

  it('writes where another refuses, or refuses like another', () => {
    expect(expectMutation(create, task(), upsert)).toMatchObject({ kind: 'write', orRefuse: 'already-exists' });
    expect(expectMutation(replace, undefined, upsert)).toMatchObject({ kind: 'write', orRefuse: 'not-found' });
  });

  it('refuses a revision where no task stands', () => {
    expect(expectMutation({ ...replace, ifRevision: '1' }, undefined, upsert).kind).toBe('refuse');
  });
});

describe('an id', () => {
  it.each([
    ['', false],
    ['a', true],
    ['\ud800', false],
    ['a\ud83d', false],
    ['\u{1f600}', true],
    ['a\0b', true],
    ['x'.repeat(64), true],
    ['x'.repeat(65), false],
    ['\u00e9'.repeat(32), true],
    ['\u00e9'.repeat(33), false],
  ])('%j is kept: %s', (id, kept) => {
    expect(keepsId(id, options)).toBe(kept);
    expect(expectMutation({ op: 'create', contents: { ...contents, id } }, undefined, options).kind).toBe(
      kept ? 'write' : 'refuse',
    );
  });

  it('with NUL is kept only where the subject says so', () => {
    expect(keepsId('a\0b', { ...options, nul: false })).toBe(false);
  });

  it('of a context is held to the same limits, and may be empty', () => {
    const inContext = (context: string) =>
      expectMutation({ op: 'create', contents: { ...contents, context } }, undefined, options).kind;
    expect(['', 'c', '\udc00', 'c'.repeat(65)].map(inContext)).toEqual(['write', 'write', 'refuse', 'refuse']);
  });
});
