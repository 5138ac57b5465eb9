/** The workflow that users copy, run as it stands but for the names and the size of the run. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../src/cli/run-program.ts';
import { parseCertificate } from '../src/report/json.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'pagecheck-workflow-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const workflow = readFileSync(join(root, 'examples/github-actions.yml'), 'utf8');
const commands = workflow.split('\n').filter((line) => line.includes('npx pagecheck'));
const summary = join(folder, 'summary.md');

/** Runs a line of the workflow in a shell, as a runner does. */
async function step(line: string, shard = ''): Promise<number | null> {
  const command = line
    .trim()
    .replaceAll(/\$\{\{ matrix\.shard \}\}/g, shard)
    .replace(
      'npx pagecheck',
      `"${process.execPath}" --import "${import.meta.resolve('tsx')}" "${join(root, 'src/cli/main.ts')}"`,
    )
    .replace('./my-store.subject.ts', join(root, 'examples/map-store.subject.ts'))
    .replace('--runs 24000', '--runs 40');
  const env = { GITHUB_STEP_SUMMARY: summary };
  const end = await runProgram('bash', ['-e', '-c', command], { cwd: folder, env, timeLimitMs: 100_000 });
  if (end.kind !== 'ended') throw new Error(`${command}: ${JSON.stringify(end)}`);
  return end.status;
}

describe('the workflow for GitHub Actions', () => {
  beforeAll(async () => {
    expect(commands).toHaveLength(2);
    for (const shard of ['1', '2', '3', '4']) expect(await step(commands[0]!, shard)).toBe(0);
    // So few programs leave rules undecided, which is status 2; a violation would be 1.
    expect(await step(commands[1]!)).toBe(2);
  }, 400_000);

  it('names as many shards as its matrix has', () => {
    const [, list = ''] = /shard: \[(.*)\]/.exec(workflow) ?? [];
    const shards = list.split(',').map((each) => each.trim());
    expect(commands[0]).toContain(`/${shards.length} `);
    for (const shard of shards) expect(commands[1]).toContain(`shard-${shard}.json`);
  });

  it('puts the shards together to one certificate, in which none is missing', () => {
    const { programs, notes } = parseCertificate(readFileSync(join(folder, 'certificate.json'), 'utf8'));
    expect(programs).toBeGreaterThanOrEqual(40);
    expect(notes[0]).toContain('merged from 4 shards');
    expect(notes.join(' ')).not.toContain('is missing');
  });

  it('writes the summary of the run and a page', () => {
    expect(readFileSync(summary, 'utf8')).toMatch(/^# pagecheck\n[\s\S]*\d+ passed, 0 failed, \d+ skipped\n$/);
    expect(readFileSync(join(folder, 'certificate.html'), 'utf8')).toMatch(/^<!doctype html>/);
  });
});
