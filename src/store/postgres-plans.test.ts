import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PostgresServer } from '../run/postgres-provider.ts';
import { availableReleases } from '../run/postgres-releases.ts';
import { postgresParts } from './postgres-parts.ts';
import { createStatements } from './postgres-statements.ts';
import { createSchema } from './schema.ts';
import { wholeTask } from './task-copy.ts';

interface Node {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Parent Relationship'?: string;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Node[];
}

const TASKS = 10_000;
const statements = createStatements('s', postgresParts);
// Half of all tasks, a hundredth, a thousandth, and about ten: the planner has another idea of each.
const contexts = [undefined, 'half', 'hundredth', 'thousandth', 'ten'];
const contextSql = `CASE WHEN i % 2 = 0 THEN 'half' WHEN i % 100 = 1 THEN 'hundredth' WHEN i % 1000 = 3 THEN 'thousandth'
  WHEN i % 1000 = 5 THEN 'ten' ELSE 'other ' || i % 997 END`;
const shapes: [name: string, time: string, order: string][] = [
  ['in order of time', `'2024-01-01'::timestamptz + i * interval '1 ms'`, ''],
  ['in no order', `'2024-01-01'::timestamptz + i * interval '1 ms'`, 'ORDER BY md5(i::text)'],
  ['all at one time', `'2024-01-01'::timestamptz`, ''],
];

describe.each(availableReleases())('plans of a page, release %s', (_, provider) => {
  let server: PostgresServer;
  let client: pg.Client;

  beforeAll(async () => {
    server = await provider.start();
    client = new pg.Client({ connectionString: server.url });
    await client.connect();
  });
  afterAll(async () => {
    await client?.end();
    await server?.stop();
  });

  const explain = async (name: string, literals: string): Promise<Node> => {
    const { rows } = await client.query(
      `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) EXECUTE ${name} (${literals})`,
    );
    return rows[0]['QUERY PLAN'][0].Plan;
  };
  const flatten = (node: Node): Node[] => [
    node,
    ...(node.Plans ?? []).filter((one) => one['Parent Relationship'] !== 'InitPlan').flatMap(flatten),
  ];

  it.each(shapes)('are one range scan of the matching index for 10,000 tasks stored %s', async (_, time, order) => {
    const pool = new pg.Pool({ connectionString: server.url, max: 1 });
    await client.query('DROP SCHEMA IF EXISTS s CASCADE');
    await createSchema(pool, 's');
    await pool.end();
    await client.query(
      `INSERT INTO s.a2a_tasks (id, context_id, updated_at) SELECT md5(i::text), ${contextSql}, ${time} FROM generate_series(1, ${TASKS}) AS i ${order}`,
    );
    await client.query('VACUUM ANALYZE s.a2a_tasks');
    for (const context of contexts) {
      const index = context === undefined ? 'idx_a2a_tasks_updated' : 'idx_a2a_tasks_context_updated';
      const { rows } = await client.query(
        `SELECT quote_literal(updated_at) AS time, quote_literal(id) AS id FROM s.a2a_tasks WHERE $1::text IS NULL OR context_id = $1
          ORDER BY updated_at DESC, id COLLATE "C" DESC OFFSET (SELECT count(*) / 2 FROM s.a2a_tasks WHERE $1::text IS NULL OR context_id = $1) LIMIT 1`,
        [context],
      );
      for (const boundary of [[], [rows[0].time, rows[0].id]]) {
        const shape = {
          context: context === undefined ? 'any' : 'one',
          status: false,
          since: false,
          boundary: boundary.length > 0,
        } as const;
        const { name, text } = statements.page(shape, wholeTask);
        await client.query('DEALLOCATE ALL');
        await client.query(`PREPARE ${name} AS ${text}`);
        const literals = [...(context === undefined ? [] : [`'{${context}}'`]), ...boundary, '51'].join(', ');
        // From the sixth execution on PostgreSQL may use a plan that it made once for all values.
        for (let execution = 1; execution <= 7; execution++) {
          const plan = await explain(name, literals);
          const nodes = flatten(plan);
          const scans = nodes.filter((node) => !['Limit', 'Subquery Scan', 'Result'].includes(node['Node Type']));
          const where = `${context ?? 'all'}, ${boundary.length > 0 ? 'deep' : 'first'}, execution ${execution}`;
          expect(
            scans.map((node) => `${node['Node Type']} ${node['Index Name']}`),
            where,
          ).toStrictEqual([`Index Scan ${index}`]);
          expect(
            nodes.some((node) => node['Rows Removed by Filter']),
            where,
          ).toBe(false);
          expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], where).toBeLessThanOrEqual(51 + 6);
        }
      }
    }
  });
});
