/** The PostgreSQL store against the contract on PostgreSQL 15, by the URL of a server as an operator would give it. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createEmbeddedProvider } from '../src/run/postgres-embedded.ts';

const programs = '/usr/lib/postgresql/15/bin';
const root = fileURLToPath(new URL('../', import.meta.url));

function pagecheck(args: readonly string[]): Promise<{ status: number | null; out: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'src/cli/main.ts', ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 170_000,
    });
    let out = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        out += text;
      });
    }
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, out }));
  });
}

describe('pagecheck certify postgres --postgres URL', () => {
  it('exits with 0 on PostgreSQL 15', { timeout: 180_000 }, async ({ skip }) => {
    if (!existsSync(`${programs}/postgres`)) {
      const reason = `PostgreSQL 15 is not in ${programs}: apt-get install postgresql-15`;
      process.stderr.write(`skipped: ${reason}\n`);
      skip(reason);
      return;
    }
    const server = await createEmbeddedProvider({ programs }).start();
    try {
      const { status, out } = await pagecheck(['certify', 'postgres', '--postgres', server.url]);
      expect(out).toMatch(/passed, 0 failed/);
      expect({ status, out: status === 0 ? '' : out }).toStrictEqual({ status: 0, out: '' });
    } finally {
      await server.stop();
    }
  });
});
