/** The PostgreSQL store against the contract, on the embedded server, and on another major release where one is installed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmbeddedProvider } from '../src/run/postgres-embedded.ts';
import type { PostgresServer } from '../src/run/postgres-provider.ts';
import { createUrlProvider } from '../src/run/postgres-url.ts';
import { createPostgresSubject, type PostgresSubject } from '../src/subject/postgres.ts';
import type { Certificate } from '../src/suite/certificate.ts';
import { certify } from '../src/suite/certify.ts';

/** Rules that need several clients at once; everything else of scope P is judged. */
const atOnce = ['SNAP-1', 'SNAP-2'];

/** A run of all rules says what went in lockstep; nothing else is worth a note. */
const inLockstep = expect.stringMatching(
  /in lockstep with the model: \d+ operations, each answered as the model does\.$/,
);

function expectSound({ rules, notes, seed }: Certificate, told: readonly unknown[] = []): void {
  expect({ seed, failed: rules.filter(({ status }) => status === 'fail') }).toStrictEqual({ seed, failed: [] });
  expect(notes).toStrictEqual(told);
}

describe('the PostgreSQL store on the embedded server', () => {
  let server: PostgresServer;
  let subject: PostgresSubject;

  beforeAll(async () => {
    server = await createEmbeddedProvider().start();
    subject = createPostgresSubject({ provider: createUrlProvider(server.url) });
  });
  afterAll(async () => {
    await server?.stop();
  });

  it('passes every rule that one client can judge, each with its witnesses', { timeout: 240_000 }, async () => {
    const certificate = await certify(subject, { runs: 1_500, timeBudgetMs: 120_000 });
    expectSound(certificate, [inLockstep]);
    const judged = certificate.rules.filter(({ status }) => status !== 'not-applicable');
    const open = judged.filter(({ status }) => status !== 'pass').map(({ rule }) => rule);
    expect(open).toStrictEqual(atOnce);
    const ofDatabase = ['SCHEMA-1', 'SCHEMA-2', 'SCHEMA-3', 'SCHEMA-4', 'COST-3'];
    expect(judged.map(({ rule }) => rule)).toEqual(expect.arrayContaining(ofDatabase));
  });

  it('gives no finding with twenty seeds', { timeout: 240_000 }, async () => {
    const rules = ['TIME-2', 'TIME-3', 'ORDER-1', 'TOKEN-2', 'TOKEN-5', 'WALK-1', 'WALK-3', 'COUNT-1', 'STORE-3'];
    for (let seed = 2; seed <= 21; seed++) expectSound(await certify(subject, { seed, runs: 40, rules }));
  });
});
