/**
 * The schedule proxy: between a store, in any language, and its PostgreSQL server. A store connects to it by its
 * connection string; each of its requests waits until the schedule lets it go on.
 */
import { once } from 'node:events';
import net from 'node:net';
import pg from 'pg';
import type { RequestGate, Turns } from '../subject/subject.ts';
import { EnvironmentError } from './environment-error.ts';
import { ProxiedConnection } from './proxied-connection.ts';

/** So long a statement is left to the server before it is asked whether it waits for a lock. */
const LOOK_MS = 2;
/**
 * Who was let go on, asks for nothing and does not end for so many turns of the event loop, a millisecond each, waits
 * inside the store, for another client. Turns, since time alone also passes while this process gets none.
 */
const QUIET_TURNS = 25;
/** Whatever goes on for so long is passed over: the bound of an operation ends it, if anything must. */
const LIMIT_MS = 2_000;
/** Turns of the event loop without news after which nothing more comes by itself. */
const STILL_TURNS = 3;

/** A listening proxy. */
export class ScheduleProxy implements RequestGate {
  /** The connection string that leads through it, with all that the server's own said. */
  readonly url: string;
  readonly #server: net.Server;
  readonly #target: { readonly host: string; readonly port: number };
  readonly #sideUrl: string;
  readonly #connections = new Set<ProxiedConnection>();
  #turns: Turns | undefined;
  #side: Promise<pg.Client> | undefined;
  /** Counts what happens, so that an answer of the server about a moment that has passed is known as one. */
  #events = 0;
  #waiters: (() => void)[] = [];
  #heldBefore = 0;

  private constructor(server: net.Server, directUrl: string, sideUrl: string) {
    const { target, url } = addresses(directUrl, (server.address() as net.AddressInfo).port);
    this.#server = server;
    this.#sideUrl = sideUrl;
    this.#target = target;
    this.url = url;
    server.on('connection', (socket) => this.#connect(socket));
  }

  /**
   * Listens on a port of the loopback. `sideUrl` is for what the proxy asks the server itself. Throws an
   * `EnvironmentError` where the server takes no plain TCP: a gate can't tell requests apart inside TLS.
   */
  static async listen(directUrl: string, sideUrl: string = directUrl): Promise<ScheduleProxy> {
    addresses(directUrl, 0);
    const server = net.createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ScheduleProxy(server, directUrl, sideUrl);
  }

  get held(): number {
    return [...this.#connections].reduce((sum, { held }) => sum + held, this.#heldBefore);
  }

  control(turns: Turns | undefined): void {
    this.#turns = turns;
  }

  async settled(isAtRest: () => boolean): Promise<void> {
    const from = performance.now();
    let seen = this.#events;
    let since = from;
    let asked = -1;
    for (let still = 0; performance.now() - from < LIMIT_MS; ) {
      await new Promise((resolve) => setImmediate(resolve));
      const now = performance.now();
      still = this.#events === seen ? still + 1 : 0;
      if (still === 0) since = now;
      seen = this.#events;
      const atWork = [...this.#connections].filter(({ state }) => ['starting', 'working', 'blocked'].includes(state));
      const blocked = atWork.filter(({ state }) => state === 'blocked');
      if (blocked.length === atWork.length && (blocked.length === 0 || asked === seen)) {
        // Nothing more comes from the server.
        const waits = isAtRest() || blocked.some(({ owner }) => owner === this.#turns?.current);
        if (still >= (waits ? STILL_TURNS : QUIET_TURNS)) return;
        if (still > STILL_TURNS) await this.#moves(1);
      } else if (blocked.length === 0 && now - since < LOOK_MS) {
        await this.#moves(LOOK_MS);
      } else {
        const waiting = await this.#waitingForLocks(atWork);
        // The answer is of a moment: whatever happened since then has it asked again.
        if (this.#events !== seen) continue;
        for (const connection of atWork) connection.sees(waiting.has(connection.pid ?? 0));
        asked = seen;
        if (atWork.some(({ state }) => state !== 'blocked')) await this.#moves(1);
      }
    }
  }

  describe(): readonly string[] {
    return [...this.#connections].flatMap(({ state, owner, isInTransaction }) => {
      const whose = owner === undefined ? 'the store itself' : `client ${owner}`;
      if (state === 'blocked') return [`a request of ${whose} waits in the server for a lock`];
      if (state === 'working') return [`the server is at a request of ${whose}`];
      if (state === 'held' || state === 'answered') return [`a request of ${whose} waits for its turn`];
      return state === 'idle' && isInTransaction ? [`${whose} asks for nothing, in an open transaction`] : [];
    });
  }

  /** Ends every connection and the proxy. */
  async close(): Promise<void> {
    this.#turns = undefined;
    for (const connection of this.#connections) connection.close();
    const side = await this.#side?.catch(() => undefined);
    await side?.end().catch(() => {});
    this.#server.close();
    await once(this.#server, 'close');
  }

  #connect(socket: net.Socket): void {
    const connection = new ProxiedConnection(
      { target: this.#target, turns: () => this.#turns, moved: () => this.#moved() },
      socket,
    );
    this.#connections.add(connection);
    socket.on('close', () => {
      this.#connections.delete(connection);
      this.#heldBefore += connection.held;
    });
  }

  #moved(): void {
    this.#events++;
    for (const wake of this.#waiters.splice(0)) wake();
  }

  /** Resolves at the next event, after so many milliseconds at the latest. */
  #moves(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#waiters.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Which server processes wait for locks of others. */
  async #waitingForLocks(connections: readonly ProxiedConnection[]): Promise<ReadonlySet<number>> {
    const pids = connections.flatMap(({ pid }) => pid ?? []);
    if (pids.length === 0) return new Set();
    this.#side ??= connectAside(this.#sideUrl);
    const side = await this.#side;
    const { rows } = await side.query<{ pid: number }>({
      name: 'pagecheck_waiting',
      text: `SELECT pid FROM unnest($1::integer[]) AS pid WHERE cardinality(pg_catalog.pg_blocking_pids(pid)) > 0`,
      values: [pids],
    });
    return new Set(rows.map(({ pid }) => pid));
  }
}

async function connectAside(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    application_name: 'pagecheck schedule',
    connectionTimeoutMillis: LIMIT_MS,
    statement_timeout: LIMIT_MS,
  });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Where the server is, and the same connection string by way of the proxy's port. */
function addresses(directUrl: string, port: number): { target: { host: string; port: number }; url: string } {
  const url = new URL(directUrl);
  const sslMode = url.searchParams.get('sslmode') ?? 'disable';
  if (!['disable', 'allow', 'prefer'].includes(sslMode) || url.searchParams.has('host'))
    throw new EnvironmentError(
      'A schedule can only be controlled over plain TCP: give a PostgreSQL URL without sslmode and without a socket.',
    );
  const target = { host: url.hostname, port: Number(url.port || 5432) };
  url.hostname = '127.0.0.1';
  url.port = String(port);
  url.searchParams.delete('sslmode');
  return { target, url: url.href };
}
