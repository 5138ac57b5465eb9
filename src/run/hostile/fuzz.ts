/** A run of hostile requests against the agent: what it was asked, what it answered, and what it should not have. */
import { setTimeout } from 'node:timers/promises';
import type { Transport } from '../../wire/transport-error.ts';
import { WireError } from '../../wire/wire-error.ts';
import { seededNumbers } from '../seeded-numbers.ts';
import { BEARERS, startFuzzAgent } from './fuzz-agent.ts';
import type { Hostile, HostileRequest, Outcome } from './hostile.ts';
import { crowd, stall, vanish } from './hostile-clients.ts';
import { hostileGrpc } from './hostile-grpc.ts';
import { hostileHttp } from './hostile-http.ts';
import { hostileJsonRpc } from './hostile-jsonrpc.ts';
import { type Reading, readAnswer } from './judge-answer.ts';
import { type HostileSender, hostileSender } from './send-hostile.ts';

/** What is run. */
export interface FuzzOptions {
  readonly transport: Transport;
  /** Hostile requests; each is sent for a caller who has tasks and for one who has none. */
  readonly requests: number;
  readonly seed: number;
  /** Connections that are opened at once, first as many as the agent bears, then half as many more; 0 for none. */
  readonly crowd: number;
  /** Ends the run early. */
  readonly signal?: AbortSignal;
  /** Bytes of live memory, after a collection; told in the report where it is given. */
  readonly liveBytes?: () => number;
  readonly onProgress?: (sent: number, findings: number) => void;
}

/** An answer that the agent should not have given. */
export interface FuzzFinding {
  /** The number of the request in the run; undefined for what is about no single request. */
  readonly at?: number;
  readonly about: string;
  readonly problem: string;
  /** The request and the answers, each cut short. */
  readonly shown: string;
}

/** What a run came to. */
export interface FuzzReport {
  readonly transport: Transport;
  readonly seed: number;
  readonly sent: number;
  /** How often each outcome came, over both callers. */
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  readonly honest: number;
  readonly vanished: number;
  readonly stalled: number;
  /** Connections that were open at once, and how many of those beyond the limit the agent kept. */
  readonly crowded: number;
  readonly findings: readonly FuzzFinding[];
  readonly milliseconds: number;
  /** Live bytes at each tenth of the run. */
  readonly liveBytes: readonly number[];
}

const sources = { jsonrpc: hostileJsonRpc, http: hostileHttp, grpc: hostileGrpc } as const;

const LANES = 24;
const STALLED = 40;
/** How long the agent of the slow clients gives one request, from its first byte. */
const PATIENCE_MS = 1_000;
/** The longest that anything is waited for. */
const WAIT_MS = 20_000;
const HONEST_EVERY = 250;
const VANISH_EVERY = 25;
/** Requests after which the agent gets an empty store, so that memory which goes on growing is the agent's own. */
const BATCH = 5_000;
/** Connections of everybody else while a crowd is there. */
const OTHERS = 100;

/** Sends hostile requests until their number is reached or the signal comes; then come the crowds. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { transport, requests, seed, signal } = options;
  const from = performance.now();
  const run = { findings: [] as FuzzFinding[], outcomes: {}, honest: 0, vanished: 0, stalled: 0 };
  const agent = await startFuzzAgent(options.crowd > 0 ? { connections: options.crowd } : {});
  // Slow clients try the patience of an agent of their own: what is slow to one who waits for seconds is a matter of load.
  const impatient = await startFuzzAgent({ requestMs: PATIENCE_MS });
  const sender = hostileSender(agent.urls, WAIT_MS);
  const random = seededNumbers(~seed);
  const source = sources[transport](seed);
  const liveBytes: number[] = [];
  let crowded = 0;
  let sent = 0;

  const ask = async (): Promise<void> => {
    run.honest += 1;
    const problem = await agent
      .askHonestly(transport)
      // An agent may close a connection that was idle just as it is used again; a client then reads once more.
      .catch((error: Error) => {
        if (error instanceof WireError && error.code === 'unknown-outcome') return agent.askHonestly(transport);
        throw error;
      })
      .catch((error: Error) => `it failed: ${error.message}`);
    if (problem !== undefined) run.findings.push({ about: 'a right request', problem, shown: '' });
  };
  const bear = async (): Promise<void> => {
    const problem = await stall(transport, impatient.urls, random, WAIT_MS).catch((error: Error) => error.message);
    if (typeof problem === 'string') run.findings.push({ about: 'a slow client', problem, shown: '' });
    else run.stalled += 1;
  };
  const lane = async (upTo: number): Promise<void> => {
    while (sent < upTo && signal?.aborted !== true) {
      const at = sent++;
      run.findings.push(...(await sendOne(sender, transport, source.next().value, at, run.outcomes)));
      if (at % HONEST_EVERY === 0) await ask();
      if (at % VANISH_EVERY === 0) {
        await vanish(transport, agent.urls, random);
        run.vanished += 1;
      }
    }
  };

  try {
    const slow = Array.from({ length: STALLED }, bear);
    const batch = Math.min(BATCH, Math.ceil(requests / 10));
    while (sent < requests && signal?.aborted !== true) {
      const upTo = Math.min(requests, sent + batch);
      await Promise.all(Array.from({ length: LANES }, () => lane(upTo)));
      await agent.renew();
      if (options.liveBytes !== undefined) liveBytes.push(options.liveBytes());
      options.onProgress?.(sent, run.findings.length);
    }
    await Promise.all(slow);
    if (options.crowd > 0 && signal?.aborted !== true) {
      // With places left the others are served meanwhile; with none left, as soon as the crowd is gone.
      await crowd(transport, agent.urls, Math.max(1, options.crowd - OTHERS), ask);
      crowded = options.crowd + Math.ceil(options.crowd / 2);
      await crowd(transport, agent.urls, crowded, async (isOpen) => {
        const kept = await fallsTo(options.crowd, isOpen);
        if (kept > options.crowd)
          run.findings.push({ about: 'a crowd', problem: `${kept} connections were kept`, shown: '' });
      });
    }
    await ask();
  } finally {
    sender.close();
    await Promise.all([agent.close(0), impatient.close(0)]);
  }
  return { transport, seed, sent, ...run, crowded, milliseconds: performance.now() - from, liveBytes };
}

/** Waits until a number has fallen to `bound`, no longer than `WAIT_MS`, and gives it. */
async function fallsTo(bound: number, number: () => number): Promise<number> {
  for (const until = performance.now() + WAIT_MS; number() > bound && performance.now() < until; ) await setTimeout(20);
  return number();
}

/** Sends one request for each caller, and gives what is wrong with the answers. */
async function sendOne(
  sender: HostileSender,
  transport: Transport,
  { about, request, right }: Hostile,
  at: number,
  outcomes: Partial<Record<Outcome, number>>,
): Promise<FuzzFinding[]> {
  const readings = await Promise.all(
    BEARERS.map((bearer) =>
      sender.send(request, bearer).then(
        (answer) => readAnswer(transport, answer),
        (error: Error): Reading => ({ wrong: error.message, text: '' }),
      ),
    ),
  );
  const problems: string[] = [];
  for (const reading of readings) {
    if ('wrong' in reading) problems.push(reading.wrong);
    else {
      outcomes[reading.outcome] = (outcomes[reading.outcome] ?? 0) + 1;
      if (!right.includes(reading.outcome)) problems.push(`${reading.outcome} instead of ${right.join(' or ')}`);
    }
  }
  const told = new Set(
    readings.map((reading) => ('outcome' in reading && reading.outcome === 'answer' ? '' : reading.text)),
  );
  if (problems.length === 0 && told.size > 1) problems.push('another answer for another caller');
  if (problems.length === 0) return [];
  const shown = [shownRequest(request), ...readings.map(({ text }) => text)].map((text) => text.slice(0, 300));
  return [{ at, about, problem: problems.join('; '), shown: shown.join('\n') }];
}

function shownRequest(request: HostileRequest): string {
  switch (request.kind) {
    case 'bytes':
      return JSON.stringify(request.bytes.toString('latin1').slice(0, 200));
    case 'http':
      return `${request.verb} ${request.path} ${JSON.stringify(request.headers)} ${Buffer.from(request.body).toString('latin1')}`;
    case 'grpc':
      return `${request.path} ${JSON.stringify(request.headers)} ${request.data.toString('hex')}`;
  }
}
