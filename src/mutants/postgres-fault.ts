/** What a fault in the PostgreSQL store or its schema is. */
import { choosePostgresProvider, type PostgresProvider } from '../run/postgres-provider.ts';
import { sharePostgres } from '../run/postgres-shared.ts';
import type { PostgresTaskStore } from '../store/postgres.ts';
import { createPostgresSubject, type PostgresSubjectOptions } from '../subject/postgres.ts';
import type { Subject } from '../subject/subject.ts';
import type { Mutant } from './mutant.ts';

/** One row of the catalogue: the pieces of the store, of its migration or of what it found that differ. */
export interface PostgresFault
  extends Pick<Mutant, 'id' | 'fault' | 'breaks'>,
    Pick<PostgresSubjectOptions, 'parts' | 'schemaParts' | 'prepare' | 'wrap'> {
  /** As in `Mutant`. */
  readonly equivalent?: string;
}

/** The methods of a store as an object of their own, so that some can be replaced. */
export function methodsOf(store: PostgresTaskStore): PostgresTaskStore {
  return {
    create: (task) => store.create(task),
    replace: (task, options) => store.replace(task, options),
    append: (taskId, message) => store.append(taskId, message),
    cancel: (taskId, options) => store.cancel(taskId, options),
    delete: (taskId) => store.delete(taskId),
    get: (taskId, projection) => store.get(taskId, projection),
    list: (request) => store.list(request),
    close: () => store.close(),
    counters: store.counters,
  };
}

// A second for each of them would be a minute for all.
const server: PostgresProvider = sharePostgres(
  { name: 'shared', start: () => choosePostgresProvider().start() },
  { linger: true },
);

/** Makes a right subject on the server that all mutants stand on. */
export function rightPostgres(name: string): Subject {
  return createPostgresSubject({ name, provider: server });
}

/** Makes the mutants of an area; all stand on one server. */
export function postgresMutants(area: Mutant['area'], faults: readonly PostgresFault[]): readonly Mutant[] {
  return faults.map(({ id, fault, breaks, equivalent, ...pieces }) => ({
    id,
    area,
    fault,
    breaks,
    ...(equivalent === undefined ? {} : { equivalent }),
    subject: () => createPostgresSubject({ name: id, provider: server, ...pieces }),
  }));
}
