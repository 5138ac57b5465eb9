/** The profilers of clinic: 694 packages of their own, installed where they are first asked for. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EnvironmentError } from '../run/environment-error.ts';
import { runProgram } from './run-program.ts';

/** On a slow network. */
const installLimitMs = 10 * 60_000;

/** The folder of the profilers' package, in a checkout or in an installed package; `PAGECHECK_PROFILER` names another. */
export function profilerFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.PAGECHECK_PROFILER !== undefined && env.PAGECHECK_PROFILER !== '') return env.PAGECHECK_PROFILER;
  const here = dirname(fileURLToPath(import.meta.url));
  const places = ['../../bench/profiler', '../../../bench/profiler'].map((path) => join(here, path));
  return places.find((place) => existsSync(join(place, 'package.json'))) ?? places[0]!;
}

/**
 * Gives the path of the program clinic, after installing it where it is not there yet. Throws an `EnvironmentError` that
 * says what to do where it can't be installed.
 */
export async function installedClinic(
  folder: string,
  { tell, signal }: { readonly tell: (line: string) => void; readonly signal: AbortSignal },
): Promise<string> {
  const program = join(folder, 'node_modules/.bin/clinic');
  // npm writes its own lock file last: without it an installation was interrupted.
  if (existsSync(program) && existsSync(join(folder, 'node_modules/.package-lock.json'))) return program;
  tell(`installing clinic into ${folder}, this once: 694 packages, 154 MB`);
  const args = ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--fetch-retries=1', '--fetch-timeout=60000'];
  const end = await runProgram('npm', args, { cwd: folder, timeLimitMs: installLimitMs, signal });
  if (end.kind === 'ended' && end.status === 0 && existsSync(program)) return program;
  const why =
    end.kind === 'absent'
      ? 'there is no npm on the PATH, or no such folder'
      : end.kind === 'killed'
        ? end.why === 'time'
          ? 'npm was not done after 10 minutes'
          : 'it was interrupted'
        : lastError(end.output);
  throw new EnvironmentError(
    `clinic can't be installed into ${folder} (${why}): run "npm ci" there with a network, or use --kind cpu, which is Node's own profiler and needs nothing`,
  );
}

function lastError(output: string): string {
  const errors = output.split('\n').filter((line) => /^npm (error|ERR!)/.test(line) && !/log of this run/.test(line));
  const said = errors.map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim()).filter((line) => line !== '');
  return said[0] === undefined ? 'npm failed' : said.slice(0, 2).join(', ');
}
