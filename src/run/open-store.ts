/** Opens a store of a subject, and says what is wrong where it can't be. */
import type { Subject, SubjectStore } from '../subject/subject.ts';
import type { Deadline } from './deadline.ts';
import { SubjectFault } from './subject-fault.ts';

/** Gives a fresh store; throws a `SubjectFault` where `open` throws, hangs or gives something that is no store. */
export async function openStore(subject: Subject, deadline: Deadline): Promise<SubjectStore> {
  let store: SubjectStore;
  try {
    store = await deadline.within(`${subject.name}: open`, Promise.resolve(subject.open()));
  } catch (error) {
    if (error instanceof SubjectFault) throw error;
    throw new SubjectFault(
      'open',
      `${subject.name}: open failed: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
  for (const method of ['create', 'list'] as const) {
    if (typeof store?.[method] !== 'function')
      throw new SubjectFault('interface', `${subject.name}: open gave an object without the method ${method}`);
  }
  return store;
}
