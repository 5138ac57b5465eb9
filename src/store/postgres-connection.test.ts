import { EventEmitter } from 'node:events';
import type pg from 'pg';
import { expect, it } from 'vitest';
import { PostgresConnection } from './postgres-connection.ts';
import { postgresParts } from './postgres-parts.ts';

/** A pool of one client, as far as a connection looks at it; `given` is called as the client is handed out. */
function poolOf(client: EventEmitter, given: () => void): pg.Pool {
  const connect = (): Promise<unknown> =>
    new Promise((resolve) => {
      pool.emit('acquire', client);
      resolve(client);
      given();
    });
  const pool = Object.assign(new EventEmitter(), { connect });
  return pool as unknown as pg.Pool;
}

function clientThat(query: () => Promise<unknown>): EventEmitter {
  return Object.assign(new EventEmitter(), { query, release: () => undefined, getTransactionStatus: () => 'I' });
}

const statement = { name: '', text: 'SELECT 1', parameters: 0 };

it('lives through a session that is ended in the very moment in which it begins', async () => {
  const client = clientThat(async () => ({ rows: [['1']] }));
  // The server's word that the session is ready and its last word may come in one packet.
  const pool = poolOf(client, () => client.emit('error', new Error('terminating connection')));
  await expect(new PostgresConnection(pool, postgresParts).read(statement, [])).resolves.toEqual([['1']]);
});

it('listens once to a client, however often it is handed out, and no more to a pool that it leaves', async () => {
  const client = clientThat(async () => ({ rows: [] }));
  const pool = poolOf(client, () => undefined);
  const connection = new PostgresConnection(pool, postgresParts);
  for (let time = 0; time < 3; time++) await connection.read(statement, []);
  expect(client.listenerCount('error')).toBe(1);
  connection.detach();
  expect(['error', 'acquire'].map((name) => pool.listenerCount(name))).toEqual([0, 0]);
});

it('listens to a pool once for all stores that share it, until the last one leaves', () => {
  const pool = poolOf(
    clientThat(async () => ({ rows: [] })),
    () => undefined,
  );
  const connections = Array.from({ length: 12 }, () => new PostgresConnection(pool, postgresParts));
  const listeners = () => ['error', 'acquire'].map((name) => pool.listenerCount(name));
  expect(listeners()).toEqual([1, 1]);
  const [first, ...others] = connections;
  for (const connection of others) connection.detach();
  others[0]?.detach();
  expect(listeners()).toEqual([1, 1]);
  first?.detach();
  expect(listeners()).toEqual([0, 0]);
});
