/** The PostgreSQL store while connections, the server, locks, the pool and the mode of its database fail. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { createEmbeddedProvider } from '../src/run/postgres-embedded.ts';
import { createPostgresSubject } from '../src/subject/postgres.ts';
import { certifyUnderFaults } from '../src/suite/faults.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

describe('the PostgreSQL store under faults', () => {
  it('loses nothing that it acknowledged, and works again after each', { timeout: 120_000 }, async () => {
    const provider = createEmbeddedProvider({ durable: true });
    const subject = createPostgresSubject({ provider, faults: true });
    const { certificate, counts } = await certifyUnderFaults(subject, { timeBudgetMs: 1 });
    expect(certificate.rules.filter(({ status }) => status === 'fail')).toStrictEqual([]);
    expect(counts.lost).toBe(0);
    expect(counts.acknowledged).toBeGreaterThan(100);
    expect(Object.keys(counts.injected).sort()).toStrictEqual([
      'calls canceled',
      'connections killed',
      'deadlocks',
      'pool exhausted',
      'read-only mode',
      'serialization failures',
      'server killed',
      'statements timed out',
    ]);
  });

  it('is interrupted without leaving anything behind', { timeout: 120_000 }, async () => {
    const server = await createEmbeddedProvider().start();
    const admin = new pg.Client({ connectionString: server.url });
    admin.on('error', () => {});
    await admin.connect();
    const databases = async (): Promise<string[]> =>
      (await admin.query<{ datname: string }>('SELECT datname FROM pg_database ORDER BY 1')).rows.map(
        ({ datname }) => datname,
      );
    const before = await databases();
    const args = ['--import', 'tsx', 'src/cli/main.ts', 'certify', 'postgres', '--faults', '--postgres', server.url];
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'ignore', timeout: 60_000 });
    const ended = once(child, 'exit');
    for (let look = 0; look < 3_000 && (await databases()).length === before.length; look++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    child.kill('SIGINT');
    expect((await ended)[0]).toBe(130);
    expect(await databases()).toStrictEqual(before);
    await admin.end();
    await server.stop();
  });
});
