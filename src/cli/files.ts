/** Files that the command line reads and writes, with errors that say what to do. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from './usage-error.ts';

/** Where counterexamples are kept, in the current folder. */
const replayFolder = '.pagecheck/replays';

/** Reads a file as text; throws a `UsageError` where it can't be read. */
export function readInput(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError({
      where: path,
      problem: `can't be read (${codeOf(error)})`,
      remedy: 'name a file that exists and that you may read',
    });
  }
}

/** Writes a file, and the folders above it; throws a `UsageError` where it can't be written. */
export function writeOutput(path: string, text: string): void {
  write(path, text, writeFileSync);
}

/** Adds to the end of a file that `writeOutput` began. */
export function addOutput(path: string, text: string): void {
  write(path, text, appendFileSync);
}

function write(path: string, text: string, how: (path: string, text: string) => void): void {
  try {
    makeFolder(dirname(path));
    how(path, text);
  } catch (error) {
    throw new UsageError(
      { where: path, problem: `can't be written (${codeOf(error)})`, remedy: 'name a place that you may write to' },
      4,
    );
  }
}

/** Makes a folder and those above it, one by one: Node's own recursive mkdir never returns below /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { recursive: false });
}

/** Keeps a counterexample or a history and gives the command that replays it, as this program was called. */
export function saveReplay(name: string, text: string, kind: 'json' | 'jsonl' = 'json'): string {
  const path = `${replayFolder}/${name}.${kind}`;
  writeOutput(path, text);
  return `${thisProgram()} replay ${path}`;
}

/** How this program was called: through the checkout's script, or installed. */
export function thisProgram(): string {
  const script = process.env.npm_lifecycle_event;
  return script === 'certify' || script === 'pagecheck' ? 'npm run -s pagecheck --' : 'npx pagecheck';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
