/** How an in-memory store with one fault becomes a subject. */
import { createMemoryTaskStore } from '../store/memory.ts';
import type { MemoryParts } from '../store/memory-parts.ts';
import { createMemorySubject } from '../subject/memory.ts';
import type { Subject, SubjectStore } from '../subject/subject.ts';

/** A fault in the parts of an in-memory store. */
export interface PartsFault {
  readonly id: string;
  readonly fault: string;
  /** As in `Mutant`. */
  readonly breaks: readonly string[];
  readonly parts: Partial<MemoryParts>;
}

/** Makes a subject whose stores are right but for the parts given. */
export function memoryWithParts(name: string, parts: Partial<MemoryParts>): Subject {
  return createMemorySubject({ name, newStore: (clock) => createMemoryTaskStore({ clock, parts }) });
}

/** Makes a subject whose stores are right but for the methods that `change` gives for each. */
export function memoryWithMethods(name: string, change: (store: SubjectStore) => Partial<SubjectStore>): Subject {
  const right = createMemorySubject({ name });
  return {
    ...right,
    open: async () => {
      const store = await right.open();
      return { ...store, ...change(store) };
    },
  };
}
