/** How a store talks to its database: clients from a pool, retries where they are safe, and nothing left open. */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { UnknownOutcomeError } from '../task/errors.ts';
import type { Row } from './postgres-document.ts';
import { classifyFailure, internalError, mayConnectAgain } from './postgres-errors.ts';
import type { PostgresParts } from './postgres-parts.ts';
import type { Statement } from './postgres-statements.ts';

/** What a store has sent and got since it was opened. */
export interface PostgresCounters {
  /** Statements sent, `BEGIN` and `COMMIT` included. */
  statements: number;
  /** Statements that count tasks. */
  counts: number;
  /** Rows of tasks that the database sent. */
  rows: number;
}

/** Sends one statement and gives its rows. */
export type Send = (statement: Statement, values: readonly unknown[]) => Promise<Row[]>;

const ATTEMPTS = 8;
const FIRST_PAUSE_MS = 10;

// Every value as the server spelled it: what a program sets for its own queries must not change what a store reads.
const asSpelled = { getTypeParser: () => (value: unknown) => value } as unknown as pg.CustomTypesConfig;

/** How many stores share a pool: the first begins to listen to it, the last one ends it. */
const sharers = new WeakMap<pg.Pool, number>();

/** The connections of one store. */
export class PostgresConnection {
  readonly counters: PostgresCounters = { statements: 0, counts: 0, rows: 0 };
  readonly #pool: pg.Pool;
  readonly #parts: PostgresParts;
  #isDetached = false;

  constructor(pool: pg.Pool, parts: PostgresParts) {
    this.#pool = pool;
    this.#parts = parts;
    const others = sharers.get(pool) ?? 0;
    sharers.set(pool, others + 1);
    if (others > 0) return;
    // An idle client whose server goes away is an event of the pool; without a listener it ends the process.
    pool.on('error', ignore);
    pool.on('acquire', hush);
  }

  /** Stops listening to the pool, which stays open, unless other stores share it. Once is enough. */
  detach(): void {
    if (this.#isDetached) return;
    this.#isDetached = true;
    const others = (sharers.get(this.#pool) ?? 1) - 1;
    sharers.set(this.#pool, others);
    if (others > 0) return;
    this.#pool.off('error', ignore);
    this.#pool.off('acquire', hush);
  }

  /**
   * Sends one statement that reads. Tries again after a lost connection or a rolled-back transaction: a read that is
   * sent twice is one read. Throws `internal` when that does not help.
   */
  read(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return this.#attempts('read', (send) => send(statement, values));
  }

  /**
   * Sends statements that read in one transaction, all in one go where the pool's clients pipeline (`pipeline: true`,
   * pg 8.23) and one after the other where they don't. Tries again as `read` does.
   */
  readTogether(pieces: readonly (readonly [Statement, readonly unknown[]])[]): Promise<Row[][]> {
    const begin = plain(this.#parts.begin);
    const commit = plain(this.#parts.commit);
    return this.#attempts('read', async (send) => {
      const sent = [send(begin, []), ...pieces.map(([statement, values]) => send(statement, values)), send(commit, [])];
      // All have ended before the client goes back: a statement still under way would belong to its next user.
      const settled = await Promise.allSettled(sent);
      const failed = settled.find((result) => result.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      return settled.slice(1, -1).map((result) => (result as PromiseFulfilledResult<Row[]>).value);
    });
  }

  /**
   * Sends one statement that writes, in a transaction of its own. Tries again only where the server says that it rolled
   * back. Throws `unknown-outcome` where the connection breaks after the statement was sent, `internal` for the rest.
   */
  write(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return this.#attempts('write', (send) => send(statement, values));
  }

  async #attempts<T>(kind: 'read' | 'write', work: (send: Send) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const client = await this.#client();
      let error: unknown;
      let before: Promise<unknown> = Promise.resolve();
      const send: Send = (statement, values) => {
        // A client that does not pipeline must not be given a statement while it is at another.
        const now = (): Promise<Row[]> => this.#send(client, statement, values);
        const sent = isPipelined(client) ? now() : before.then(now, now);
        before = sent;
        return sent;
      };
      try {
        return await work(send);
      } catch (thrown) {
        error = thrown;
      } finally {
        this.#release(client, error !== undefined);
      }
      const failure = classifyFailure(error);
      if (failure === 'lost' && kind === 'write') throw new UnknownOutcomeError({ cause: error });
      if (failure === 'refused' || attempt === ATTEMPTS) throw internalError(error);
      await delay(pauseMs(attempt));
    }
  }

  /** A client outside any transaction. One that somebody gave back inside one is closed: its writes would be lost. */
  async #client(): Promise<pg.PoolClient> {
    for (let attempt = 1; ; attempt++) {
      try {
        const client = await this.#pool.connect();
        if (this.#parts.takesClient(transactionStatus(client))) return client;
        client.release(true);
      } catch (error) {
        if (attempt === ATTEMPTS || !mayConnectAgain(error)) throw internalError(error);
        await delay(pauseMs(attempt));
      }
    }
  }

  #release(client: pg.PoolClient, failed: boolean): void {
    client.release(!this.#parts.keepsClient(failed, transactionStatus(client)));
  }

  async #send(client: pg.PoolClient, statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    this.counters.statements++;
    const config =
      statement.parameters === 0 && statement.name === ''
        ? { text: statement.text, types: asSpelled }
        : { ...statement, values: values.slice(0, statement.parameters), types: asSpelled };
    const { rows } = await client.query<string[]>({ ...config, rowMode: 'array' });
    return rows;
  }
}

function plain(text: string): Statement {
  return { name: '', text, parameters: 0 };
}

function isPipelined(client: pg.PoolClient): boolean {
  return (client as { pipeline?: boolean }).pipeline === true;
}

/** The server's word on the connection: `I` idle, `T` in a transaction, `E` in a failed one. */
function transactionStatus(client: pg.PoolClient): string | undefined {
  const { getTransactionStatus } = client as { getTransactionStatus?: () => string | null };
  return getTransactionStatus?.call(client) ?? undefined;
}

/** Doubles from 10 ms, so that eight attempts outlast a restart (about 80 ms) several times over; with jitter. */
function pauseMs(attempt: number): number {
  return FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
}

function ignore(): void {}

const hushed = new WeakSet<pg.PoolClient>();

/**
 * A client in use whose connection breaks emits an error as well as failing its query. A session that is ended as it
 * begins does so before a promise for the client has told anybody of it, so this listens from within the pool's event.
 */
function hush(client: pg.PoolClient): void {
  if (hushed.has(client)) return;
  hushed.add(client);
  client.on('error', ignore);
}
