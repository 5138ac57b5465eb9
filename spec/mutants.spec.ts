import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { parseKillMatrix } from '../src/report/kill-matrix.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'pagecheck-mutants-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Far above what a run takes, far below what a hang does. */
const boundMs = 100_000;

/** The real command line; `onError` sees what it tells while it runs. */
function run(
  args: readonly string[],
  onError: (text: string, child: ChildProcess) => void = () => {},
): Promise<{ readonly status: number | null; readonly out: string; readonly err: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(root, 'src/cli/main.ts'), 'mutants', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: boundMs,
    killSignal: 'SIGKILL',
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    err += text;
    onError(err, child);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, out, err }));
  });
}

const rowsIn = (path: string): readonly string[] =>
  (parseKillMatrix(readFileSync(path, 'utf8'))?.rows ?? []).map(({ id }) => id);

describe('pagecheck mutants', () => {
  it('says of an id that there is none, and which are near', async () => {
    const { status, err } = await run(['MEM-133']);
    expect(err).toMatch(/^pagecheck: pagecheck mutants MEM-133 is no mutant and no area: perhaps MEM-13,[^\n]*\n$/);
    expect(status).toBe(3);
  });

  it('keeps the rows of a run that was interrupted, and goes on from them', async () => {
    const json = join(folder, 'matrix.json');
    const files = ['--json', json, '--markdown', join(folder, 'matrix.md')];
    const two = ['MEM-02', 'MEM-13'];
    const quick = ['--runs', '60', '--time-budget', '5s', '--jobs', '1'];
    const ended = await run([...two, ...quick, ...files], (err, child) => {
      if (err.includes('1/2 ')) child.kill('SIGINT');
    });
    expect(ended.status).toBe(130);
    const kept = rowsIn(json);
    expect(kept).toEqual(['MEM-02']);

    const resumed = await run([...two, ...quick, ...files, '--resume']);
    expect(resumed.err).toContain('1 rows are there already');
    expect(resumed.out).toMatch(/2 mutants: 2 killed; 0 with stray rules/);
    expect(resumed.out).toMatch(/\n2 passed, 0 failed, 0 skipped\n$/);
    expect(resumed.status).toBe(0);
    expect(rowsIn(json)).toEqual(two);
  }, 240_000);
});
