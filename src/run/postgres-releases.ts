/** The PostgreSQL releases that a machine has beside the embedded one. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createEmbeddedProvider, type EmbeddedOptions } from './postgres-embedded.ts';
import type { PostgresProvider } from './postgres-provider.ts';

/** Where Debian and its kin keep each release's programs. */
const RELEASES = '/usr/lib/postgresql';

/** Gives a provider for the embedded release and for each that is installed, by name; each starts a server of its own. */
export function availableReleases(options: EmbeddedOptions = {}): [name: string, provider: PostgresProvider][] {
  const installed = existsSync(RELEASES) ? readdirSync(RELEASES) : [];
  return [
    ['embedded', createEmbeddedProvider(options)],
    ...installed
      .map((release): [string, string] => [release, join(RELEASES, release, 'bin')])
      .filter(([, programs]) => existsSync(join(programs, 'postgres')))
      .map(([release, programs]): [string, PostgresProvider] => [
        release,
        createEmbeddedProvider({ ...options, programs }),
      ]),
  ];
}
