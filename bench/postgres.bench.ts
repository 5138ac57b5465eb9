/** Pages of the PostgreSQL store beside the bare SQL, `SELECT 1`, OFFSET, and the SDK's database store. */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseTaskStore } from '@a2a-js/sdk/server/database';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { createEmbeddedProvider } from '../src/run/postgres-embedded.ts';
import { createPostgresTaskStore } from '../src/store/postgres.ts';
import { rowColumns } from '../src/store/postgres-document.ts';
import { postgresParts } from '../src/store/postgres-parts.ts';
import { createStatements, type Statement } from '../src/store/postgres-statements.ts';
import { formatTimestamptz } from '../src/store/postgres-time.ts';
import { decodePageToken } from '../src/token/page-token.ts';
import { type BenchCase, type Interleaved, interleave } from './interleave.ts';
import {
  loadOwnTable,
  loadSdkTable,
  ownDeepToken,
  sdkContext,
  sdkDeepToken,
  type TaskKind,
} from './postgres-dataset.ts';
import { type BenchOptions, type BenchPart, type BenchRow, type BenchTable, counted, type Measure } from './table.ts';

const SCHEMA = 'bench';
const floor = 'SELECT 1 through pg';
const names = {
  first: 'own store: first page of 50, no count',
  deep: 'own store: page of 50, 90 % deep, no count',
  firstCounted: 'own store: first page of 50, exact total',
  deepCounted: 'own store: page of 50, 90 % deep, exact total',
  bareFirst: 'bare SQL through pg: first page',
  bareDeep: 'bare SQL through pg: page 90 % deep',
  offset: 'OFFSET through pg: page 90 % deep',
  sdkFirst: 'SDK: first page of 50 (always counts)',
  sdkDeep: 'SDK: page of 50, 90 % deep (always counts)',
} as const;
/** How many calls are under way at once where throughput is measured. */
const AT_ONCE = 8;
const PAGES_BUFFERS = 51 + 6;
const extent = { artifacts: false, historyLength: Number.POSITIVE_INFINITY } as const;
const statements = createStatements(SCHEMA, postgresParts);
const page = (boundary: boolean): Statement =>
  statements.page({ context: 'any', status: false, since: false, boundary }, extent);

interface Bed {
  readonly url: string;
  readonly pool: pg.Pool;
  readonly connection: Kysely<unknown>;
}

async function run(options: BenchOptions): Promise<BenchTable> {
  // As large as a production server would have it: everything measured is in memory.
  const server = await createEmbeddedProvider({ settings: { shared_buffers: '1GB' } }).start();
  try {
    await migrateSdk(server.url);
    const pool = poolOf(server.url, { pipeline: true });
    const connection = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: poolOf(server.url) }) });
    const bed = { url: server.url, pool, connection };
    const rows: BenchRow[] = [];
    rows.push(await pipelineRow(bed, options));
    for (const n of options.quick ? [1e4] : [1e4, 1e5, 1e6]) {
      rows.push(...(await rowsAt(bed, n, options)));
      for (const kind of ['full', 'scattered'] as const) rows.push(...(await fullRowsAt(bed, n, kind, options)));
    }
    await connection.destroy();
    await pool.end();
    return {
      name: 'postgres',
      title: 'PostgreSQL store: pages of 50 on an embedded server, one connection and one call at a time',
      rows,
      notes: [
        'Tasks hold an id, a context, a state and a status time; full ones, where named, a status message, two messages',
        'and metadata as well, about a kilobyte of JSON. They are stored in the order of their times; scattered ones, full',
        'as well, were last written in another order than they are stored in, as tasks are that live for a while.',
        'The bare SQL is the very statement of the store, prepared, with rows as arrays and nothing decoded.',
        "The SDK's DatabaseTaskStore counts for every page; its table is made by its own migration, its tasks are the same.",
        'In the order of their times it reads a million tasks so fast that a twelfth of it is less than a count takes.',
        `Pages a second: ${AT_ONCE} calls under way at once from one Node.js process.`,
      ],
    };
  } finally {
    await server.stop();
  }
}

function poolOf(url: string, more: object = {}): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: AT_ONCE, ...more });
  pool.on('error', () => {});
  return pool;
}

async function migrateSdk(url: string): Promise<void> {
  const program = join(dirname(createRequire(import.meta.url).resolve('@a2a-js/sdk')), 'cli/a2a_db.js');
  const env = { ...process.env, DATABASE_URL: url };
  await promisify(execFile)(process.execPath, [program, 'upgrade', '--store', 'tasks'], { env });
}

/** Begin, count, page and commit in one go against four round trips, at a thousand tasks. */
async function pipelineRow(bed: Bed, { quick, progress }: BenchOptions): Promise<BenchRow> {
  const n = 1_000;
  progress(`postgres: ${n.toLocaleString('en')} tasks`);
  await fresh(bed, n, 'bare');
  const apart = poolOf(bed.url);
  const what = ['count and page in one round trip', 'count and page in four round trips'] as const;
  const stores = [bed.pool, apart].map((pool) => createPostgresTaskStore({ pool, schema: SCHEMA }));
  const cases = stores.map(
    (store, at): BenchCase => ({ what: what[at] as string, batch: 1, run: () => store.list({ pageSize: 50 }) }),
  );
  const times = await interleave(cases, roundsOf(quick));
  await apart.end();
  const ratio = times.ratio(what[0], what[1]);
  const target = { text: '≤ 0.65×', met: ratio <= 0.65 };
  return { n, measure: times.measure(what[0]), reference: times.measure(what[1]), ratio, target };
}

async function rowsAt(bed: Bed, n: number, { quick, progress }: BenchOptions): Promise<BenchRow[]> {
  progress(`postgres: ${n.toLocaleString('en')} tasks`);
  await fresh(bed, n, 'bare');
  await loadSdkTable(bed.pool, bed.connection, n, 'bare');
  const client = new pg.Client({ connectionString: bed.url });
  await client.connect();
  const times = await interleave(
    [...ownCases(bed, n, 'bare'), ...bareCases(client, n, 'bare'), ...sdkCases(bed, n, 'bare')],
    roundsOf(quick),
  );
  const buffers = await buffersOf(client, n, 'bare');
  await client.end();
  return [
    ...floorRows(times, n),
    beside(times, n, names.deep, names.first),
    beside(times, n, names.first, names.bareFirst),
    beside(times, n, names.deep, names.bareDeep),
    beside(times, n, names.deep, names.offset),
    beside(times, n, names.firstCounted, names.sdkFirst),
    beside(times, n, names.deepCounted, names.sdkDeep),
    beside(times, n, names.deep, names.sdkDeep),
    buffersRow(n, 'buffers of a page 90 % deep', buffers),
    { n, measure: await throughput(bed, 'first', '', quick) },
    { n, measure: await throughput(bed, '90 % deep', ownDeepToken(n, 'bare'), quick) },
  ];
}

/** The same with full tasks: what reading them adds, stored in the order of their times and in another. */
async function fullRowsAt(
  bed: Bed,
  n: number,
  kind: 'full' | 'scattered',
  { quick, progress }: BenchOptions,
): Promise<BenchRow[]> {
  const named = (what: string): string => (what === floor ? what : `${kind} tasks, ${what}`);
  progress(`postgres: ${n.toLocaleString('en')} ${kind} tasks`);
  await fresh(bed, n, kind);
  await loadSdkTable(bed.pool, bed.connection, n, kind);
  const client = new pg.Client({ connectionString: bed.url });
  await client.connect();
  const cases = [...ownCases(bed, n, kind), ...bareCases(client, n, kind), ...sdkCases(bed, n, kind)]
    .filter(({ what }) => what !== names.offset && what !== names.bareFirst && what !== names.sdkFirst)
    .map((one) => ({ ...one, what: named(one.what) }));
  const times = await interleave(cases, roundsOf(quick));
  const buffers = await buffersOf(client, n, kind);
  await client.end();
  return [
    beside(times, n, named(names.first), named(floor)),
    beside(times, n, named(names.deep), named(names.bareDeep)),
    buffersRow(n, named('buffers of a page 90 % deep'), buffers),
    ...againstSdk(times, n, named),
  ];
}

async function fresh({ pool }: Bed, n: number, kind: TaskKind): Promise<void> {
  await pool.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE`);
  await loadOwnTable(pool, SCHEMA, n, kind);
}

function ownCases({ pool }: Bed, n: number, kind: TaskKind): BenchCase[] {
  const store = createPostgresTaskStore({ pool, schema: SCHEMA });
  const list = (what: string, pageToken: string, includeTotalSize: boolean): BenchCase => ({
    what,
    batch: 1,
    run: () => store.list({ pageSize: 50, pageToken, includeTotalSize }),
  });
  const token = ownDeepToken(n, kind);
  return [
    list(names.first, '', false),
    list(names.deep, token, false),
    list(names.firstCounted, '', true),
    list(names.deepCounted, token, true),
  ];
}

function bareCases(client: pg.Client, n: number, kind: TaskKind): BenchCase[] {
  const query = (what: string, { name, text }: Pick<Statement, 'name' | 'text'>, values: unknown[]): BenchCase => ({
    what,
    batch: 1,
    run: () => client.query({ name, text, values, rowMode: 'array' }),
  });
  const columns = rowColumns(extent, postgresParts.micros).join(', ');
  const offset = {
    name: 'offset',
    text: `SELECT ${columns} FROM ${SCHEMA}.a2a_tasks AS t ORDER BY t.updated_at DESC, t.id COLLATE "C" DESC LIMIT 51 OFFSET $1`,
  };
  return [
    query(floor, { name: 'one', text: 'SELECT 1' }, []),
    query(names.bareFirst, page(false), [51]),
    query(names.bareDeep, page(true), [...boundaryOf(n, kind), 51]),
    query(names.offset, offset, [n - Math.floor(n / 10)]),
  ];
}

function sdkCases({ connection }: Bed, n: number, kind: TaskKind): BenchCase[] {
  const store = new DatabaseTaskStore(connection);
  const request = { tenant: '', contextId: '', status: 0, pageSize: 50, statusTimestampAfter: undefined };
  const list = (what: string, pageToken: string): BenchCase => ({
    what,
    batch: 1,
    run: () => store.list({ ...request, pageToken }, sdkContext),
  });
  return [list(names.sdkFirst, ''), list(names.sdkDeep, sdkDeepToken(n, kind))];
}

function boundaryOf(n: number, kind: TaskKind): [time: string, id: string] {
  const { lastUpdatedMicros, id } = decodePageToken(ownDeepToken(n, kind));
  return [formatTimestamptz(lastUpdatedMicros), id];
}

function floorRows(times: Interleaved, n: number): BenchRow[] {
  return [names.first, names.deep].map((what) => {
    const ratio = times.ratio(what, floor);
    const target = { text: '≤ 5×', met: ratio <= 5 };
    return { n, measure: times.measure(what), reference: times.measure(floor), ratio, target };
  });
}

function beside(times: Interleaved, n: number, what: string, reference: string): BenchRow {
  return {
    n,
    measure: times.measure(what),
    reference: times.measure(reference),
    ratio: times.ratio(what, reference),
  };
}

/** The targets are for a million tasks, in whatever order they are stored: how fast the SDK's scan is hangs on that most. */
function againstSdk(times: Interleaved, n: number, named: (what: string) => string): BenchRow[] {
  const faster: readonly (readonly [string, number])[] = [
    [names.deepCounted, 12],
    [names.deep, 2000],
  ];
  return faster.map(([what, least]) => {
    const row = beside(times, n, named(what), named(names.sdkDeep));
    const met = 1 / (row.ratio ?? 1) >= least;
    return n === 1e6 ? { ...row, target: { text: `≥ ${least}× faster`, met } } : row;
  });
}

function buffersRow(n: number, what: string, buffers: number): BenchRow {
  const target = { text: `≤ ${PAGES_BUFFERS}`, met: buffers <= PAGES_BUFFERS };
  return { n, measure: counted(what, buffers), target };
}

async function buffersOf(client: pg.Client, n: number, kind: TaskKind): Promise<number> {
  const [time, id] = boundaryOf(n, kind).map((value) => client.escapeLiteral(value));
  const { name } = page(true);
  const { rows } = await client.query(
    `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) EXECUTE ${name} (${time}, ${id}, 51)`,
  );
  const root = rows[0]['QUERY PLAN'][0].Plan as Record<string, number>;
  return (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0);
}

async function throughput({ pool }: Bed, where: string, pageToken: string, quick: boolean): Promise<Measure> {
  const store = createPostgresTaskStore({ pool, schema: SCHEMA });
  const rates: number[] = [];
  for (let round = 0; round < (quick ? 2 : 4); round++) {
    const from = performance.now();
    const until = from + (quick ? 300 : 1_000);
    let pages = 0;
    const worker = async (): Promise<void> => {
      while (performance.now() < until) {
        await store.list({ pageSize: 50, pageToken, includeTotalSize: false });
        pages++;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    // The first round warms up.
    if (round > 0) rates.push((pages * 1_000) / (performance.now() - from));
  }
  rates.sort((a, b) => a - b);
  return {
    what: `own store: pages a second, ${where}, no count`,
    unit: 'ops/s',
    median: rates[rates.length >> 1] ?? 0,
    low: rates[0] ?? 0,
    high: rates.at(-1) ?? 0,
    rounds: rates.length,
  };
}

function roundsOf(quick: boolean): { rounds: number; timeMs: number } {
  return quick ? { rounds: 3, timeMs: 100 } : { rounds: 5, timeMs: 300 };
}

/** The PostgreSQL part of `npm run bench`. */
export const postgresBench: BenchPart = { name: 'postgres', run };
