/** The catalogue: every mutant, family by family. A new family is one line here. */
import type { Mutant } from './mutant.ts';

/** Loaded when asked for: the families of PostgreSQL and of the wire bring drivers with them. */
const families: readonly (() => Promise<readonly Mutant[]>)[] = [
  async () => (await import('./token.ts')).tokenMutants,
  async () => (await import('./memory.ts')).memoryMutants,
  async () => (await import('./wrong-stores.ts')).wrongStores,
  async () => (await import('./lone-stores.ts')).loneStores,
  async () => (await import('./older-release.ts')).olderReleaseMutants,
  async () => (await import('./authorization.ts')).authorizationMutants,
  async () => (await import('./wire.ts')).wireMutants,
  async () => (await import('./race.ts')).raceMutants,
  async () => (await import('./postgres.ts')).postgresFamily,
];

/** Gives every mutant, in the order of families and rows. */
export async function loadMutants(): Promise<readonly Mutant[]> {
  return (await Promise.all(families.map((load) => load()))).flat();
}
