/** The subjects that come with the package, by the name under which the command line knows them. */
import { createLegacySubject } from './legacy.ts';
import { createMemorySubject } from './memory.ts';
import type { Subject } from './subject.ts';

/** What a run chooses for every subject. */
export interface SubjectSettings {
  /** `embedded`, `container` or a connection URL; embedded where absent. */
  readonly postgres?: string;
}

/** Each entry makes a fresh subject. */
export const bundledSubjects: Readonly<Record<string, (settings: SubjectSettings) => Promise<Subject>>> = {
  memory: async () => createMemorySubject(),
  legacy: async () => createLegacySubject(),
};

/** What `certify` judges where nothing is named. */
export const defaultSubjects: readonly string[] = ['memory'];
