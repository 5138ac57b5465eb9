import { expect, it } from 'vitest';
import { classifyFailure, internalError, mayConnectAgain } from './postgres-errors.ts';

const fromServer = (code: string, severity = 'ERROR') => Object.assign(new Error('m'), { code, severity });
const fromSystem = (code: string) => Object.assign(new Error(`write ${code}`), { code, errno: -32, syscall: 'write' });

it.each([
  [fromServer('40001'), 'transient'],
  [fromServer('40P01'), 'transient'],
  [new Error('Client has encountered a connection error and is not queryable'), 'transient'],
  [fromServer('57014'), 'refused'],
  [fromServer('25006'), 'refused'],
  [fromServer('22008'), 'refused'],
  [fromServer('53100'), 'refused'],
  [fromServer('53100', 'PANIC'), 'lost'],
  [fromServer('XX000', 'FATAL'), 'lost'],
  [fromServer('57P01', 'FATAL'), 'lost'],
  [fromServer('25P03', 'FATAL'), 'lost'],
  [fromServer('08006', 'FATAL'), 'lost'],
  // Five capital letters, as an SQLSTATE has.
  [fromSystem('EPIPE'), 'lost'],
  [fromSystem('ECONNRESET'), 'lost'],
  [new Error('Connection terminated unexpectedly'), 'lost'],
  [new Error('Query read timeout'), 'lost'],
])('takes %o for %s', (error, failure) => {
  expect(classifyFailure(error)).toBe(failure);
});

it('connects again where the server starts or is full, and not where it refuses', () => {
  for (const error of [fromSystem('ECONNREFUSED'), fromServer('57P03', 'FATAL'), fromServer('53300', 'FATAL')]) {
    expect(mayConnectAgain(error)).toBe(true);
  }
  for (const error of [
    fromServer('28P01', 'FATAL'),
    fromServer('3D000', 'FATAL'),
    new Error('timeout exceeded when trying to connect'),
  ]) {
    expect(mayConnectAgain(error)).toBe(false);
  }
});

it('keeps what the server said out of the message', () => {
  const secret = Object.assign(new Error('relation "s.a2a_tasks" SELECT'), { code: '42P01', severity: 'ERROR' });
  expect(internalError(secret)).toMatchObject({
    code: 'internal',
    message: 'The database lacks the table of tasks',
    cause: secret,
  });
  expect(internalError(new Error('s.a2a_tasks')).message).toBe('Internal error');
});
