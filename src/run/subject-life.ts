/** Starting and stopping what all stores of a subject share, with a bound on the wait for each. */
import type { Subject } from '../subject/subject.ts';
import { Deadline } from './deadline.ts';

/** Long enough for a server that must be fetched first. */
const LIMIT_MS = 180_000;

/** Starts a subject; throws a `SubjectFault` of kind `hang` where it has not started within three minutes. */
export function startSubject(subject: Subject, limitMs: number = LIMIT_MS): Promise<void> {
  return bounded(`${subject.name}: start`, subject.start?.(), limitMs);
}

/** Stops a subject; throws a `SubjectFault` of kind `hang` where it has not stopped within three minutes. */
export function stopSubject(subject: Subject, limitMs: number = LIMIT_MS): Promise<void> {
  return bounded(`${subject.name}: stop`, subject.stop?.(), limitMs);
}

async function bounded(what: string, work: Promise<void> | undefined, limitMs: number): Promise<void> {
  if (work === undefined) return;
  const deadline = new Deadline(limitMs);
  try {
    await deadline.within(what, Promise.resolve(work));
  } finally {
    deadline.stop();
  }
}
