/** `pagecheck profile`, by the real command line. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { runProgram } from '../src/cli/run-program.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'pagecheck-profile-spec-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const brief = ['--duration', '500ms', '--tasks', '200'];

async function profile(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const main = join(root, 'src/cli/main.ts');
  const words = ['--import', 'tsx', main, 'profile', ...args];
  const end = await runProgram(process.execPath, words, { cwd: root, env, timeLimitMs: 55_000 });
  if (end.kind !== 'ended') throw new Error(`pagecheck profile: ${JSON.stringify(end)}`);
  return end;
}

/** A profiler folder whose clinic is this script. */
function fakeClinic(name: string, script: string): string {
  const place = join(folder, name);
  mkdirSync(join(place, 'node_modules/.bin'), { recursive: true });
  writeFileSync(join(place, 'package.json'), '{}');
  writeFileSync(join(place, 'node_modules/.package-lock.json'), '{}');
  writeFileSync(join(place, 'node_modules/.bin/clinic'), script);
  chmodSync(join(place, 'node_modules/.bin/clinic'), 0o755);
  return place;
}

describe("a profile by Node's own profiler", () => {
  it.each([
    ['memory', 'src/store/'],
    ['dispatcher', 'src/dispatcher/'],
    ['examples/map-store.subject.ts', 'examples/map-store'],
  ])('of %s names what served the pages, in %s', async (subject, source) => {
    const out = join(folder, `${subject.replaceAll('/', '-')}.cpuprofile`);
    const { status, output } = await profile([subject, '--kind', 'cpu', '--out', out, ...brief]);
    expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
    expect(output).toMatch(/[1-9]\d* pages and \d+ updates over 200 tasks/);
    expect(output).toContain("Node's own profiler");
    const { nodes } = JSON.parse(readFileSync(out, 'utf8')) as { nodes: { callFrame: { url: string } }[] };
    expect(nodes.filter(({ callFrame }) => callFrame.url.includes(source))).not.toEqual([]);
  });
});

describe('clinic', () => {
  it('is asked nothing and asks nothing: no input, no consent, no news', async () => {
    const asks = `
      const args = process.argv.slice(2);
      const dest = args[args.indexOf('--dest') + 1];
      const load = args.slice(args.indexOf('--') + 2);
      process.stdin.on('data', () => process.exit(9)).on('end', () => {
        if (process.env.NO_INSIGHT !== '1' || args[1] !== '--open=false') process.exit(8);
        require('node:child_process').execFileSync(process.execPath, load, { stdio: 'inherit' });
        require('node:fs').writeFileSync(dest + '/1.clinic-flame.html', 'a flame');
      });`;
    const out = join(folder, 'flame.html');
    const env = { PAGECHECK_PROFILER: fakeClinic('asks', asks) };
    const { status, output } = await profile(['memory', '--kind', 'flame', '--out', out, ...brief], env);
    expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
    expect(readFileSync(out, 'utf8')).toBe('a flame');
  });

  it('that is not done in time is stopped, and what helps is said', async () => {
    const env = { PAGECHECK_PROFILER: fakeClinic('hangs', 'setInterval(() => {}, 1000); console.log("thinking")') };
    const { status, output } = await profile(['memory', '--kind', 'doctor', '--time-limit', '2s', ...brief], env);
    expect(status).toBe(4);
    expect(output).toMatch(/doctor was not done after 2\.0 s: give a shorter --duration.*--kind cpu.*thinking/);
  });

  it('that gives nothing is told with its last words', async () => {
    const env = { PAGECHECK_PROFILER: fakeClinic('fails', 'console.error("no perf here"); process.exit(3)') };
    const { status, output } = await profile(['memory', '--kind', 'heap', ...brief], env);
    expect(status).toBe(4);
    expect(output).toContain('heap gave no result (status 3); it said: no perf here');
  });

  it("that can't be installed without a network says where to install it, and what works without", async () => {
    const place = join(folder, 'offline');
    mkdirSync(place);
    for (const name of ['package.json', 'package-lock.json']) {
      const text = readFileSync(join(root, 'bench/profiler', name), 'utf8');
      // A port on which nothing listens, in place of the registry that the lock file names.
      writeFileSync(join(place, name), text.replaceAll('https://registry.npmjs.org/', 'http://127.0.0.1:9/'));
    }
    writeFileSync(join(place, '.npmrc'), 'registry=http://127.0.0.1:9/\nfetch-retries=0\n');
    const env = { PAGECHECK_PROFILER: place, npm_config_cache: join(folder, 'empty-cache') };
    const { status, output } = await profile(['memory', '--kind', 'flame', ...brief], env);
    expect(status).toBe(4);
    expect(output).toMatch(
      /clinic can't be installed into .*offline \(.*\): run "npm ci" there with a network, or use --kind cpu/,
    );
    expect(existsSync(join(place, 'node_modules/.bin/clinic'))).toBe(false);
  });
});

describe('bad usage of profile', () => {
  it.each([
    [
      'an unknown kind',
      ['memory', '--kind', 'flames'],
      /--kind flames is no kind of profile: name one of flame, doctor, bubbleprof, heap, cpu/,
    ],
    ['two subjects', ['memory', 'postgres'], /takes one subject/],
    ['no such subject', ['no-such.ts', '--kind', 'cpu'], /no-such\.ts is neither a bundled subject/],
  ])('%s ends with 3', async (_, args, message) => {
    const { status, output } = await profile(args);
    expect({ status, output }).toEqual({ status: 3, output: expect.stringMatching(message) });
  });

  it('a place that may not be written to ends with 4', async () => {
    const { status, output } = await profile(['memory', '--kind', 'cpu', '--out', '/proc/no/file', ...brief]);
    expect({ status, output }).toEqual({
      status: 4,
      output: expect.stringContaining("/proc/no/file can't be written"),
    });
  });
});
