/** Lists over the three transports, beside the released SDK's own handler and store behind the same transports. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DefaultRequestHandler, InMemoryTaskStore, ServerCallContext } from '@a2a-js/sdk/server';
import { jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { A2AService, UserBuilder as GrpcUserBuilder, grpcService } from '@a2a-js/sdk/server/grpc';
import { Server as GrpcServer, ServerCredentials } from '@grpc/grpc-js';
import express from 'express';
import { createDispatcher, type Dispatcher } from '../src/dispatcher/dispatcher.ts';
import type { AccessPolicy } from '../src/dispatcher/policy.ts';
import { createMemoryTaskStore } from '../src/store/memory.ts';
import { startAgent } from '../src/wire/agent.ts';
import { type AgentUrls, agentCard } from '../src/wire/agent-card.ts';
import { bearerTable } from '../src/wire/callers.ts';
import { createWireClient, type WirePage } from '../src/wire/client.ts';
import { keepMessages } from '../src/wire/executor.ts';
import { createPushConfigs } from '../src/wire/push-configs.ts';
import type { Transport } from '../src/wire/transport-error.ts';
import { seededNumbers, taskAt } from './dataset.ts';
import { type BenchCase, type Interleaved, interleave, type Rounds } from './interleave.ts';
import type { BenchOptions, BenchPart, BenchRow, BenchTable, Measure } from './table.ts';

const TRANSPORTS: readonly Transport[] = ['jsonrpc', 'http', 'grpc'];
const PAGE = 50;
/** Requests under way at once: one case is so many, and their time is shared. */
const AT_ONCE = 4;
/** How many times the requests a second of the SDK's the brief asks for, over HTTP+JSON and gRPC. */
const TIMES_FASTER: Readonly<Record<number, number>> = { 100: 1, 1e5: 50 };
const BEARER = 'bench-token';
const CALLER = 'bench';

/** A running agent, whatever it is made of, with `n` tasks behind it. */
interface Running {
  readonly name: string;
  readonly urls: AgentUrls;
  /** The bare call beneath the transports, where there is one of ours. */
  readonly dispatcher?: Dispatcher;
  stop(): Promise<void>;
}

/** Who may call may see everything: what the SDK's own store gives a caller without authentication. */
const everything: AccessPolicy = {
  projection: 'light',
  scopeDecides: true,
  scopeTaskList: () => ({ contextIds: 'all' }),
  canAccessTask: () => true,
};
/** The same, asked task by task. */
const taskByTask: AccessPolicy = { ...everything, scopeDecides: false };

async function ownAgents(places: readonly number[]): Promise<Running[]> {
  let now = 1_700_000_000_000_000n;
  const store = createMemoryTaskStore({ clock: () => now++ });
  for (const place of places) await store.create(taskAt(place));
  const start = async (name: string, policy: AccessPolicy): Promise<Running> => {
    const dispatcher = createDispatcher({ store, policy });
    const backend = { dispatcher, executor: keepMessages, pushConfigs: createPushConfigs(10) };
    const agent = await startAgent({ backend: () => backend, authenticate: bearerTable({ [BEARER]: CALLER }) });
    return { name, urls: agent.urls, dispatcher, stop: () => agent.close(0) };
  };
  return [await start(OWN, everything), await start(OWN_SCAN, taskByTask)];
}

async function sdkAgent(name: string, places: readonly number[]): Promise<Running> {
  const store = new InMemoryTaskStore();
  const context = new ServerCallContext();
  for (const place of places) await store.save(taskAt(place), context);
  const idle = { execute: async () => {}, cancelTask: async () => {} };
  const card = agentCard({ jsonrpc: '', http: '', grpc: '' });
  const requestHandler = new DefaultRequestHandler(card, store, idle);
  const app = express();
  const userBuilder = UserBuilder.noAuthentication;
  app.use('/jsonrpc', jsonRpcHandler({ requestHandler, userBuilder }));
  app.use('/http', restHandler({ requestHandler, userBuilder }));
  const server = await new Promise<Server>((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening));
  });
  const grpc = new GrpcServer({ 'grpc.max_send_message_length': -1 });
  grpc.addService(A2AService, grpcService({ requestHandler, userBuilder: GrpcUserBuilder.noAuthentication }));
  const port = await new Promise<number>((resolve, reject) => {
    grpc.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    name,
    urls: { jsonrpc: `${baseUrl}/jsonrpc`, http: `${baseUrl}/http`, grpc: `127.0.0.1:${port}` },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      grpc.forceShutdown();
    },
  };
}

const OWN = 'own agent, scope decides';
const OWN_SCAN = 'own agent, asked task by task';
const SDK = 'SDK, saved in time order';
const SDK_SHUFFLED = 'SDK, saved in no order';

const over = (transport: Transport, name: string) => `${transport}: ${name}`;
const bare = (name: string) => `in process: ${name}`;

/** A case that lists the first page with its total over a transport; one that is not right ends the benchmark. */
async function listCase(
  transport: Transport,
  { name, urls }: Running,
  n: number,
): Promise<BenchCase & { close(): void }> {
  const client = createWireClient(transport, { urls, bearer: BEARER, timeoutMs: 60_000 });
  // A connection that was idle while others had their turn may be closed under a request: then another is opened.
  const list = (attempts = 5): Promise<WirePage> =>
    client.list({ pageSize: PAGE }).catch((error: unknown) => {
      if (attempts === 1) throw error;
      return list(attempts - 1);
    });
  const page = await list();
  if (page.tasks.length !== Math.min(PAGE, n) || page.totalSize !== n) {
    throw new Error(`${over(transport, name)} shows ${page.tasks.length} of ${page.totalSize} tasks, not of ${n}`);
  }
  const run = (): Promise<unknown> => Promise.all(Array.from({ length: AT_ONCE }, () => list()));
  return { what: over(transport, name), batch: AT_ONCE, run, close: () => client.close() };
}

async function rowsAt(n: number, { quick, progress }: BenchOptions): Promise<BenchRow[]> {
  progress(`wire: ${n.toLocaleString('en')} tasks`);
  const ordered = Array.from({ length: n }, (_, place) => place);
  const agents = [
    ...(await ownAgents(ordered)),
    await sdkAgent(SDK, ordered),
    await sdkAgent(SDK_SHUFFLED, shuffled(ordered)),
  ];
  const onWire = await Promise.all(
    TRANSPORTS.flatMap((transport) => agents.map((agent) => listCase(transport, agent, n))),
  );
  const inProcess = agents.flatMap(({ name, dispatcher }): BenchCase[] => {
    if (dispatcher === undefined) return [];
    const list = () => dispatcher.list(CALLER, { pageSize: PAGE });
    return [{ what: bare(name), batch: AT_ONCE, run: () => Promise.all(Array.from({ length: AT_ONCE }, list)) }];
  });
  try {
    const measured = await interleave([...onWire, ...inProcess], roundsAt(n, quick));
    return TRANSPORTS.flatMap((transport) => rowsOf(transport, n, measured));
  } finally {
    for (const each of onWire) each.close();
    await Promise.all(agents.map((agent) => agent.stop()));
  }
}

function rowsOf(transport: Transport, n: number, measured: Interleaved): BenchRow[] {
  const rate = (what: string): Measure => perSecond(measured.measure(what));
  const beside = (name: string, reference: string): BenchRow => ({
    n,
    measure: rate(over(transport, name)),
    reference: rate(over(transport, reference)),
    // A rate is the inverse of a time.
    ratio: measured.ratio(over(transport, reference), over(transport, name)),
  });
  const times = transport === 'jsonrpc' ? undefined : TIMES_FASTER[n];
  const held = (row: BenchRow): BenchRow =>
    times === undefined ? row : { ...row, target: { text: `≥ ${times}×`, met: (row.ratio ?? 0) >= times } };
  return [
    held(beside(OWN, SDK)),
    held(beside(OWN, SDK_SHUFFLED)),
    beside(OWN_SCAN, SDK),
    {
      n,
      measure: measured.measure(over(transport, OWN)),
      reference: measured.measure(bare(OWN)),
      ratio: measured.ratio(over(transport, OWN), bare(OWN)),
    },
  ];
}

/** A page of the SDK's takes a fifth of a second at 1e5 tasks in no order: three rounds have to do. */
function roundsAt(n: number, quick: boolean): Rounds {
  if (quick) return { rounds: 2, timeMs: 100 };
  return n < 1e5 ? { rounds: 5, timeMs: 400 } : { rounds: 3, timeMs: 200 };
}

function perSecond({ what, unit, median, low, high, rounds }: Measure): Measure {
  const units = unit === 'µs' ? 1e6 : 1e9;
  return { what, unit: 'ops/s', median: units / median, low: units / high, high: units / low, rounds };
}

function shuffled(places: readonly number[]): number[] {
  const below = seededNumbers(places.length);
  const mixed = [...places];
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = below(at + 1);
    [mixed[at], mixed[other]] = [mixed[other]!, mixed[at]!];
  }
  return mixed;
}

async function run(options: BenchOptions): Promise<BenchTable> {
  const rows: BenchRow[] = [];
  for (const n of options.quick ? [100, 1e3] : [100, 1e4, 1e5]) rows.push(...(await rowsAt(n, options)));
  return {
    name: 'wire',
    title: `Lists over the wire: first page of ${PAGE} with the exact total, ${AT_ONCE} requests at once, beside the SDK's own handler and store`,
    rows,
    notes: [
      'Agents, clients and stores share one process: a rate includes the client, the same one for all agents.',
      'Both give an exact total of all tasks: their caller may see every one. Ours authenticates by a bearer token as well.',
      "The SDK's page sorts all tasks: saved in time order is its best case, in no order what updates make of any store.",
      'The last row of a transport is its overhead: a request over the wire beside the same call of the dispatcher.',
    ],
  };
}

/** The wire part of `npm run bench`. */
export const wireBench: BenchPart = { name: 'wire', run };
