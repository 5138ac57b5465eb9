/**
 * Listens to what any store sends to a PostgreSQL database, without its source or its help: a proxy on the connection,
 * and `auto_explain` in its sessions, whose plans the proxy takes out of the stream. The store notices neither. A store
 * that raises `client_min_messages` hides its plans.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';
import type { StatementPlan } from '../history/database.ts';
import { noticedPlan } from './postgres-plan.ts';

/** What was heard. */
export interface Heard {
  /** Statements that ended well, `BEGIN` and `COMMIT` included. */
  readonly statements: number;
  readonly plans: readonly StatementPlan[];
}

/** What listens, to every database that is opened through it. */
export interface StatementTap {
  /** Gives what was heard since the last time, and forgets it. */
  take(): Heard;
}

/** Opens ways through itself. */
export interface DatabaseTap extends StatementTap {
  /** True once some database was opened through it. */
  readonly used: boolean;
  /** Gives the port of this machine that leads to the server of a connection string. */
  lead(url: string): Promise<number>;
  /** Vacuums and analyses every database that was opened, as time would: plans are then those of a table at rest. */
  settle(): Promise<void>;
  /** Closes every way. */
  close(): Promise<void>;
}

// On the global object: a module of a user may be loaded beside another copy of this file.
const KEY = Symbol.for('pagecheck.databaseTap');
const place = globalThis as { [KEY]?: DatabaseTap };

/** Has every database that `openPostgresDatabase` opens from now on listened to, until the tap is closed. */
export function tapDatabases(): DatabaseTap {
  const heard = { statements: 0, plans: [] as StatementPlan[] };
  const servers: Server[] = [];
  const urls: string[] = [];
  const sockets = new Set<Socket>();
  const tap: DatabaseTap = {
    get used() {
      return servers.length > 0;
    },
    take() {
      const { statements, plans } = heard;
      Object.assign(heard, { statements: 0, plans: [] });
      return { statements, plans };
    },
    async lead(url) {
      const { hostname, port } = new URL(url);
      const server = createServer((client) => join(client, connect(Number(port), hostname), heard, sockets));
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      servers.push(server);
      urls.push(url);
      return (server.address() as AddressInfo).port;
    },
    async settle() {
      for (const url of urls) {
        const client = new pg.Client({ connectionString: url });
        client.on('error', () => {});
        try {
          await client.connect();
          await client.query('VACUUM ANALYZE');
        } finally {
          await client.end().catch(() => {});
        }
      }
    },
    async close() {
      if (place[KEY] === tap) delete place[KEY];
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
  place[KEY] = tap;
  return tap;
}

/** The tap that databases are opened through now, if any. */
export function databaseTap(): DatabaseTap | undefined {
  return place[KEY];
}

/** Codes of a first message that asks for encryption; it is declined, else nothing could be heard. */
const ENCRYPTION: ReadonlySet<number> = new Set([80877103, 80877104]);

function join(client: Socket, server: Socket, heard: Heard, sockets: Set<Socket>): void {
  for (const [socket, other] of [
    [client, server],
    [server, client],
  ] as const) {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
  }
  const listen = listenTo(heard);
  server.on('data', (bytes) => client.write(listen(bytes)));
  const first = (bytes: Buffer): void => {
    if (bytes.length >= 8 && ENCRYPTION.has(bytes.readInt32BE(4))) {
      client.write('N');
      return;
    }
    client.off('data', first);
    server.write(bytes);
    client.pipe(server);
  };
  client.on('data', first);
}

/** Reads a stream of messages (PostgreSQL manual, 54.7) and gives it on without the notices that are plans. */
function listenTo(heard: Heard): (bytes: Buffer) => Buffer {
  let rest: Buffer = Buffer.alloc(0);
  return (bytes) => {
    const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    const kept: Buffer[] = [];
    let at = 0;
    while (at + 5 <= all.length) {
      const end = at + 1 + all.readInt32BE(at + 1);
      if (end > all.length) break;
      if (!takes(all.subarray(at, end), heard as { statements: number; plans: StatementPlan[] }))
        kept.push(all.subarray(at, end));
      at = end;
    }
    rest = all.subarray(at);
    return kept.length === 1 ? kept[0]! : Buffer.concat(kept);
  };
}

const COMMAND_COMPLETE = 'C'.charCodeAt(0);
const NOTICE = 'N'.charCodeAt(0);

/** Takes note of a message; true for one that was not meant for the store. */
function takes(message: Buffer, heard: { statements: number; plans: StatementPlan[] }): boolean {
  if (message[0] === COMMAND_COMPLETE) heard.statements++;
  if (message[0] !== NOTICE) return false;
  const text = textOf(message);
  if (!/^duration: .* plan:\n/.test(text)) return false;
  const plan = noticedPlan(text);
  if (plan !== undefined) heard.plans.push(plan);
  return true;
}

/** The field `M` of a notice: fields are a letter and a text that ends with a zero byte. */
function textOf(notice: Buffer): string {
  for (let at = 5; at < notice.length && notice[at] !== 0; ) {
    const end = notice.indexOf(0, at + 1);
    if (notice[at] === 'M'.charCodeAt(0)) return notice.toString('utf8', at + 1, end);
    at = end + 1;
  }
  return '';
}
