import { describe, expect, it } from 'vitest';
import type { Transport } from '../../wire/transport-error.ts';
import { fuzz } from './fuzz.ts';
import type { Hostile } from './hostile.ts';
import { hostileGrpc } from './hostile-grpc.ts';
import { hostileHttp } from './hostile-http.ts';
import { hostileJsonRpc } from './hostile-jsonrpc.ts';
import { readAnswer } from './judge-answer.ts';

const transports: readonly Transport[] = ['jsonrpc', 'http', 'grpc'];
const REQUESTS = 1_200;
const json = 'application/json';

describe('an agent under hostile requests', () => {
  it.each(transports)(
    `over %s answers ${REQUESTS} as it should, the same for all callers, and bears slow clients, vanishing ones and a crowd`,
    async (transport) => {
      const report = await fuzz({ transport, requests: REQUESTS, seed: 7, crowd: 200 });
      expect(report.findings).toEqual([]);
      expect(report.sent).toBe(REQUESTS);
      const { vanished, stalled, crowded } = report;
      expect({ vanished, stalled, crowded }).toEqual({ vanished: REQUESTS / 25, stalled: 40, crowded: 300 });
      const answers = Object.values(report.outcomes).reduce((sum, count) => sum + count, 0);
      expect(answers).toBe(2 * REQUESTS);
      for (const outcome of ['invalid-argument', 'not-found', 'unauthenticated', 'unsupported', 'answer'] as const) {
        expect(report.outcomes[outcome]).toBeGreaterThan(0);
      }
    },
    120_000,
  );

  it('stops early when it is told to', async () => {
    const control = new AbortController();
    control.abort();
    const { sent } = await fuzz({ transport: 'http', requests: 1_000, seed: 1, crowd: 0, signal: control.signal });
    expect(sent).toBe(0);
  });
});

describe('hostile requests', () => {
  const first = (source: Generator<Hostile, never>): string =>
    JSON.stringify(Array.from({ length: 100 }, () => source.next().value));

  it.each([
    ['jsonrpc', hostileJsonRpc],
    ['http', hostileHttp],
    ['grpc', hostileGrpc],
  ] as const)('of %s are decided by their seed', (_transport, source) => {
    const [one, again, other] = [3, 3, 4].map((seed) => first(source(seed)));
    expect([one === again, one === other]).toEqual([true, false]);
  });
});

describe('the answer to a hostile request', () => {
  const rpc = (body: unknown, status = 200) =>
    readAnswer('jsonrpc', { status, body: JSON.stringify(body), contentType: json });
  const http = (body: unknown, status: number) =>
    readAnswer('http', { status, body: JSON.stringify(body), contentType: json });
  const failure = (message: unknown, code = -32602) => ({ jsonrpc: '2.0', id: 1, error: { code, message } });

  it('is read by its code, status or reason', () => {
    expect(rpc(failure('no'))).toMatchObject({ outcome: 'invalid-argument' });
    expect(http({ error: { code: 404, status: 'NOT_FOUND', message: 'no', details: [] } }, 404)).toMatchObject({
      outcome: 'not-found',
    });
    expect(readAnswer('grpc', { status: 3, body: 'no' })).toMatchObject({ outcome: 'invalid-argument' });
  });

  it.each([
    ['an internal error', rpc(failure('Internal error', -32603))],
    ['a code of no meaning', rpc(failure('no', -1))],
    ['both a result and an error', rpc({ ...failure('no'), result: {} })],
    ['neither', rpc({ jsonrpc: '2.0', id: 1 })],
    ['an id that is none', rpc({ ...failure('no'), id: {} })],
    ['no message', rpc(failure(undefined))],
    ['a stack', rpc(failure('boom at f (/srv/a.ts:3:5)'))],
    ['a path', rpc(failure('open /home/me/secret'))],
    ['a statement', rpc(failure('SELECT 1'))],
    ['an error of the runtime', rpc(failure('x is not a function'))],
    ['another status than its code', http({ error: { code: 400, status: 'NOT_FOUND', message: 'no' } }, 404)],
    ['a failure of the server', http({ error: { code: 500, status: 'INTERNAL', message: 'no' } }, 500)],
    ['a page for people', readAnswer('http', { status: 400, body: '<html>', contentType: 'text/html' })],
    ['no words', readAnswer('grpc', { status: 3, body: '' })],
    ['an unknown error of gRPC', readAnswer('grpc', { status: 2, body: 'no' })],
  ])('is wrong with %s', (_what, reading) => {
    expect(reading).toHaveProperty('wrong');
  });
});
