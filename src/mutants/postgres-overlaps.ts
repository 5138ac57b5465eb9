/** Faults of any store that waits, put on the PostgreSQL store: there each request is a wait. */
import type { Subject, SubjectStore } from '../subject/subject.ts';
import type { StoreMethods } from '../subject/task-store-methods.ts';
import type { Mutant } from './mutant.ts';
import { type RaceStoreFault, raceStoreFaults } from './race-store-faults.ts';

const nobody = 'nobody has this id';

/** Makes the mutants; `make` gives a right subject on PostgreSQL under a name. */
export function overlapMutants(make: (name: string) => Subject): readonly Mutant[] {
  return raceStoreFaults.map(({ methods, ...row }) => {
    const id = `${row.id}-postgres`;
    return { ...row, id, area: 'race', subject: () => withMethods(make(id), methods) };
  });
}

function withMethods(right: Subject, methods: RaceStoreFault['methods']): Subject {
  const faulty = (store: SubjectStore): SubjectStore => {
    // A subject on PostgreSQL has them all.
    const at = store as StoreMethods;
    const pause = async () => {
      await at.get(nobody, { client: 0 });
    };
    return { ...store, ...methods({ at, pause, locked: (work) => work() }) };
  };
  const { openGated } = right;
  return {
    ...right,
    open: async () => faulty(await right.open()),
    ...(openGated === undefined
      ? {}
      : {
          openGated: async () => {
            const { store, gate } = await openGated();
            return { store: faulty(store), gate };
          },
        }),
  };
}
