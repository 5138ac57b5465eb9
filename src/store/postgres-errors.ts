/** What an error of the driver or the server means: whether it certainly had no effect, and whether trying again is safe. */
import { InternalError, type TaskStoreError } from '../task/errors.ts';

/**
 * - `transient`: nothing was done, and the same call may succeed now: a serialization failure, a deadlock, or a
 *   connection that was found broken before anything was sent.
 * - `refused`: the statement had no effect, and would fail again.
 * - `lost`: the connection is gone; what was sent may have taken effect.
 */
export type Failure = 'transient' | 'refused' | 'lost';

// 08: connection exceptions. 57P0x: shut down, crashed, starting, dropped, idle session. 25P03: idle in a transaction.
const LOST = /^(08...|57P0.|25P03|40003)$/;
// What the driver says of a query that it did not send.
const UNSENT = /is not queryable$/;
// Resources, system and internal errors: the server goes on after an ERROR, but not after a FATAL or PANIC.
const LOST_UNLESS_ERROR = /^(53|58|XX)/;

/**
 * Says what an error from a query means. Only the server's errors have a severity; one without is the driver's or the
 * system's, and the connection broke. Their codes alone don't tell: `EPIPE` looks like an SQLSTATE.
 */
export function classifyFailure(error: unknown): Failure {
  const { code, severity, message } = error as { code?: unknown; severity?: unknown; message?: unknown };
  if (code === undefined && UNSENT.test(String(message))) return 'transient';
  if (typeof severity !== 'string' || typeof code !== 'string' || LOST.test(code)) return 'lost';
  if (LOST_UNLESS_ERROR.test(code) && severity !== 'ERROR') return 'lost';
  return code === '40001' || code === '40P01' ? 'transient' : 'refused';
}

// Nothing was sent yet, so each may be tried again: the server starts, is full, or was just restarted.
const CONNECT_AGAIN = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03', '53300']);

/** Tells whether a failed connection attempt is worth another one. */
export function mayConnectAgain(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return CONNECT_AGAIN.has(code);
  return /^Connection terminated unexpectedly$/.test(String(message));
}

/** Gives the contract's error for a failure that had no effect. The cause holds what the server said, for logs only. */
export function internalError(error: unknown): TaskStoreError {
  const reason = reasons[(error as { code?: string }).code ?? ''];
  return new InternalError(reason, { cause: error });
}

const reasons: Readonly<Record<string, string>> = {
  '25006': 'The database takes no writes',
  '40001': 'The database could not order the call among others',
  '40P01': 'The database could not order the call among others',
  '42501': 'The database refuses the store access',
  '42P01': 'The database lacks the table of tasks',
  '42703': 'The table of tasks lacks a column',
  '53300': 'The database has no connection free',
  '55P03': 'The task is locked',
  '57014': 'The database canceled the call',
};
