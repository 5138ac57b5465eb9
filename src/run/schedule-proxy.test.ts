import net from 'node:net';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEmbeddedProvider } from './postgres-embedded.ts';
import type { PostgresServer } from './postgres-provider.ts';
import { fixedStrategy, pctStrategy, randomStrategy, Scheduler, type Strategy } from './schedule.ts';
import { ScheduleProxy } from './schedule-proxy.ts';

let server: PostgresServer;
let proxy: ScheduleProxy;
const open: pg.Client[] = [];

beforeAll(async () => {
  server = await createEmbeddedProvider().start();
  const client = await connect(server.url);
  await client.query('CREATE TABLE counters (id integer PRIMARY KEY, count integer)');
  await client.query(`ALTER SYSTEM SET deadlock_timeout = '50ms'`);
  await client.query('SELECT pg_reload_conf()');
}, 60_000);
beforeEach(async () => {
  proxy = await ScheduleProxy.listen(server.url);
  const client = await connect(server.url);
  await client.query('TRUNCATE counters; INSERT INTO counters VALUES (1, 0), (2, 0)');
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.end().catch(() => undefined)));
  await proxy.close();
});
afterAll(async () => {
  await server?.stop();
});

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  open.push(client);
  return client;
}

/** A client that runs these statements on a connection of its own, and says what each gave. */
async function running(statements: readonly string[], log: string[], name: string): Promise<() => Promise<void>> {
  const client = await connect(proxy.url);
  return async () => {
    for (const statement of statements) {
      try {
        const { rows } = await client.query({ text: statement, rowMode: 'array' });
        log.push(`${name} ${statement.split(' ')[0]} ${rows.flat().join()}`);
      } catch (error) {
        log.push(`${name} ${(error as { code?: string }).code}`);
      }
    }
  };
}

async function runAll(
  strategy: Strategy,
  scripts: readonly (readonly string[])[],
): Promise<{ log: string[]; taken: number[] }> {
  const log: string[] = [];
  const clients: (() => Promise<void>)[] = [];
  for (const [at, script] of scripts.entries()) clients.push(await running(script, log, 'abc'[at] as string));
  const scheduler = new Scheduler(strategy, proxy);
  await scheduler.run(clients);
  return { log, taken: scheduler.taken };
}

const lost = ['SELECT count FROM counters WHERE id = 1', 'UPDATE counters SET count = 1 WHERE id = 1'];
const add = (id: number) => `UPDATE counters SET count = count + 1 WHERE id = ${id} RETURNING count`;
const locking = ['BEGIN', add(1), add(2), 'COMMIT'];

describe('a schedule of requests', () => {
  it('decides which request reaches the server first', async () => {
    const both = [['SELECT 1'], ['SELECT 2']];
    expect((await runAll(fixedStrategy([0, 1, 1, 0]), both)).log).toEqual(['b SELECT 2', 'a SELECT 1']);
    expect((await runAll(fixedStrategy([0, 1, 0, 1]), both)).log).toEqual(['a SELECT 1', 'b SELECT 2']);
  });

  it('stands between a read and the write that depends on it', async () => {
    const { log } = await runAll(fixedStrategy([0, 0, 1, 1, 1, 0]), [lost, [add(1)]]);
    expect(log).toEqual(['a SELECT 0', 'b UPDATE 1', 'a UPDATE ']);
  });

  it('moves on from a request that waits for a lock, and lets its answer wait for its turn', async () => {
    const { log, taken } = await runAll(fixedStrategy([0, 1, 0, 0, 1, 1, 0, 0, 0]), [locking, [add(1)]]);
    expect(log).toEqual(['a BEGIN ', 'a UPDATE 1', 'a UPDATE 1', 'a COMMIT ', 'b UPDATE 2']);
    // The blocked request went on once, its answer once more.
    expect(taken.filter((client) => client === 1)).toHaveLength(3);
  });

  it('lives through a deadlock, which the server ends', async () => {
    const { log } = await runAll(fixedStrategy([0, 1, 0, 1, 0, 1, 0, 1, 0, 1]), [
      locking,
      ['BEGIN', add(2), add(1), 'COMMIT'],
    ]);
    expect(log.filter((line) => line.endsWith('40P01'))).toHaveLength(1);
    expect(log).toHaveLength(8);
  });

  it.each([
    { name: 'random 3', strategy: randomStrategy(3) },
    { name: 'random 4', strategy: randomStrategy(4) },
    { name: 'PCT', strategy: pctStrategy(5, 3, 12, 3) },
  ])('shows the same run again, 20 times of 20: $name', { timeout: 60_000 }, async ({ strategy }) => {
    // Which side of a deadlock the server ends is a matter of milliseconds: there is none among these.
    const scripts = [locking, ['BEGIN', add(2), 'COMMIT', add(1)], [...lost, add(2)]];
    const reset = await connect(server.url);
    const first = await runAll(strategy, scripts);
    for (let again = 0; again < 20; again++) {
      await reset.query('UPDATE counters SET count = 0');
      expect(await runAll(fixedStrategy(first.taken), scripts)).toEqual(first);
    }
  });
});

describe('the proxy', () => {
  it('lets everything pass where nobody schedules: pools, pipelines, copies, cancels, prepared statements', async () => {
    const client = await connect(proxy.url);
    const answers = await Promise.all(
      [1, 2, 3].map((value) => client.query({ name: 'one', text: 'SELECT $1::integer AS one', values: [value] })),
    );
    expect(answers.map(({ rows }) => rows[0].one)).toEqual([1, 2, 3]);
    await expect(client.query('COPY counters TO STDOUT')).resolves.toBeDefined();
    await expect(client.query('no such statement')).rejects.toThrow('syntax error');
    await expect(client.query('SELECT 1')).resolves.toBeDefined();
    expect(proxy.held).toBe(0);
  });

  it('goes on without a client that dies while its request waits, or while it is in the server', async () => {
    const [first, second, third] = [await connect(proxy.url), await connect(proxy.url), await connect(proxy.url)];
    const failed: string[] = [];
    const dying = async (client: pg.Client, query: Promise<unknown>): Promise<void> => {
      (client as unknown as { connection: { stream: net.Socket } }).connection.stream.destroy();
      await query.catch(({ message }: Error) => failed.push(message));
    };
    const scheduler = new Scheduler(fixedStrategy([0, 1, 1]), proxy);
    await scheduler.run([
      () => dying(first, first.query(add(1))),
      async () => {
        const query = second.query('SELECT pg_sleep(10)');
        await scheduler.pause();
        await dying(second, query);
      },
      async () => {
        await third.query(add(2));
      },
    ]);
    expect(failed).toHaveLength(2);
  });

  it('says what stands still', async () => {
    const holder = await connect(server.url);
    await holder.query('BEGIN');
    await holder.query(add(1));
    const told: string[] = [];
    const scheduler = new Scheduler(randomStrategy(1), proxy);
    const client = await connect(proxy.url);
    const run = scheduler.run([
      async () => {
        await client.query(add(1));
      },
    ]);
    while (!told.includes('a request of client 0 waits in the server for a lock')) {
      told.push(...proxy.describe());
      await new Promise((resolve) => setImmediate(resolve));
    }
    await holder.query('COMMIT');
    await run;
    expect(proxy.describe()).toEqual([]);
  });

  it('refuses what is no PostgreSQL by closing', async () => {
    const socket = net.connect(Number(new URL(proxy.url).port), '127.0.0.1');
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\n\r\n');
    await closed;
  });

  it('says in one line that it can not look into TLS', async () => {
    await expect(ScheduleProxy.listen('postgres://u@db.example/x?sslmode=require')).rejects.toThrow('over plain TCP');
  });
});
