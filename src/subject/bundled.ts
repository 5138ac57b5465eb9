/**
 * The subjects that come with the package, by the name under which the command line knows them. Each is loaded when it
 * is asked for: who certifies the in-memory store waits for no web server and no database.
 */
import type { StoreBacking } from './store-backing.ts';
import type { Subject } from './subject.ts';
import type { WireChoice } from './wire.ts';

/** What a run chooses for every subject. */
export interface SubjectSettings {
  /** `embedded`, `container` or a connection URL; embedded where absent. */
  readonly postgres?: string;
  /** Makes subjects on PostgreSQL durable, with a place where faults can happen. */
  readonly faults?: boolean;
}

/** Each entry makes a fresh subject. */
export const bundledSubjects: Readonly<Record<string, (settings: SubjectSettings) => Promise<Subject>>> = {
  memory: async () => (await import('./memory.ts')).createMemorySubject(),
  postgres: async (settings) => {
    const { createPostgresSubject } = await import('./postgres.ts');
    const { faults = false } = settings;
    return createPostgresSubject({ provider: await postgresProvider(settings), faults });
  },
  dispatcher: async () => (await import('./dispatcher.ts')).createDispatcherSubject(),
  'dispatcher:postgres': async (settings) =>
    (await import('./dispatcher.ts')).createDispatcherSubject(await backedByPostgres(settings)),
  wire: () => wire('all'),
  'wire:jsonrpc': () => wire('jsonrpc'),
  'wire:http': () => wire('http'),
  'wire:grpc': () => wire('grpc'),
  legacy: async () => (await import('./legacy.ts')).createLegacySubject(),
};

/**
 * What `certify` judges where nothing is named, each with the share of time that its programs take: under two minutes
 * together. `legacy` is not among them, since it fails every profile but its own.
 */
export const defaultSubjects: readonly { readonly name: string; readonly timeBudgetMs: number }[] = [
  { name: 'memory', timeBudgetMs: 20_000 },
  { name: 'postgres', timeBudgetMs: 18_000 },
  { name: 'dispatcher', timeBudgetMs: 10_000 },
  { name: 'dispatcher:postgres', timeBudgetMs: 16_000 },
  { name: 'wire', timeBudgetMs: 20_000 },
];

async function wire(choice: WireChoice): Promise<Subject> {
  return (await import('./wire.ts')).createWireSubject(choice);
}

async function backedByPostgres(settings: SubjectSettings): Promise<StoreBacking> {
  const { postgresBacking } = await import('./postgres-backing.ts');
  return postgresBacking(await postgresProvider(settings));
}

async function postgresProvider({ postgres, faults = false }: SubjectSettings) {
  const { choosePostgresProvider } = await import('../run/postgres-provider.ts');
  return choosePostgresProvider({ postgres, durable: faults });
}
