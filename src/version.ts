/** The version of this package, as its package.json says. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Reads the nearest package.json above this file, in a checkout and in an installed package alike. */
function read(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    try {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
        name: string;
        version: string;
      };
      if (name === 'pagecheck') return version;
    } catch {
      if (dirname(folder) === folder) throw new Error('package.json of pagecheck is missing');
    }
  }
}

export const version: string = read();
