/** A pool that tells with which plans its statements ran. */
import pg from 'pg';
import type { StatementPlan } from '../history/database.ts';
import { explainedPlan, noticedPlan } from './postgres-plan.ts';

/** One connection, and what it did. */
export interface PlanSource {
  readonly pool: pg.Pool;
  /** Gives the plans of the statements on the table since the last time, and forgets them. */
  take(): Promise<StatementPlan[]>;
}

/** Settings of a session in which each plan comes as a notice on the connection that ran it (manual, F.3). Timing would only slow it down. */
export const EXPLAINED: readonly string[] = [
  'session_preload_libraries=auto_explain',
  'auto_explain.log_min_duration=0',
  'auto_explain.log_analyze=on',
  'auto_explain.log_buffers=on',
  'auto_explain.log_timing=off',
  'auto_explain.log_format=json',
  'auto_explain.log_nested_statements=on',
  'auto_explain.log_level=notice',
];
const EXPLAIN = 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON)';

interface Sent {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/**
 * Opens the pool. The plans are those of the very executions where the user may load `auto_explain` (a superuser). For
 * others each statement is executed once more under EXPLAIN, on the same connection and as the same prepared statement.
 */
export async function openPlanSource(connection: pg.PoolConfig, table: string): Promise<PlanSource> {
  const noticed = noticedSource(connection, table);
  try {
    (await noticed.pool.connect()).release();
    return noticed;
  } catch (error) {
    await noticed.pool.end();
    // No right to load it, or a build without it.
    if (!['42501', '58P01'].includes((error as { code?: string }).code ?? '')) throw error;
    return explainedSource(connection, table);
  }
}

function noticedSource(connection: pg.PoolConfig, table: string): PlanSource {
  const plans: StatementPlan[] = [];
  const options = `${connection.options} ${EXPLAINED.map((setting) => `-c ${setting}`).join(' ')}`;
  const pool = poolOf({ ...connection, options });
  pool.on('connect', (client) => {
    client.on('notice', ({ message }) => {
      const plan = noticedPlan(message ?? '', table);
      if (plan !== undefined) plans.push(plan);
    });
  });
  return { pool, take: async () => plans.splice(0) };
}

function explainedSource(connection: pg.PoolConfig, table: string): PlanSource {
  const sent: Sent[] = [];
  const pool = poolOf(connection);
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const noting = (...args: unknown[]): unknown => {
      const [first, values] = args;
      const one = typeof first === 'string' ? { text: first, values } : first;
      const { text = '' } = one as Partial<Sent>;
      if (/^\s*(SELECT|WITH)\b/i.test(text)) sent.push(one as Sent);
      return query(...args);
    };
    client.query = noting as typeof client.query;
  });
  const take = async (): Promise<StatementPlan[]> => {
    const statements = sent.splice(0);
    const plans: StatementPlan[] = [];
    const client = await pool.connect();
    try {
      for (const statement of statements) {
        const { rows } = await client.query<{ 'QUERY PLAN': unknown }>(explainOf(statement));
        const plan = explainedPlan(rows[0]?.['QUERY PLAN'], table);
        if (plan !== undefined) plans.push(plan);
      }
    } finally {
      client.release();
    }
    return plans;
  };
  return { pool, take };
}

/** A named statement is executed by its name, so that its cached plan is the one that is shown. */
function explainOf({ name, text, values = [] }: Sent): pg.QueryConfig {
  if (name === undefined) return { text: `${EXPLAIN} ${text}`, values: [...values] };
  const literals = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`;
  return { text: `${EXPLAIN} EXECUTE ${name}${literals}` };
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  return Array.isArray(value)
    ? `ARRAY[${value.map(literal).join(', ')}]::text[]`
    : pg.Client.prototype.escapeLiteral(String(value));
}

function poolOf(connection: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...connection, max: 1, pipeline: true } as pg.PoolConfig);
  pool.on('error', () => {});
  return pool;
}
